"""Where solution paths come from: a literal table of readers by name."""

SOURCES: dict[str, str] = {
    "native": "teval.sources.native:read_paths",
}
"""Readers by name: each takes the setting ``data.paths`` and returns solution paths."""

RECORD_SOURCES: dict[str, str] = {
    "teval": "teval.sources.teval_files:read_records",
}
"""Readers of ready cases: each returns records of published files."""
