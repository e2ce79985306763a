"""Reports on finished runs: tables, radar chart, dot plot, causes of lost points."""

from teval.report.compare import contrast, write_comparison
from teval.report.grid import to_terminal
from teval.report.loaded import LoadedRun, load_runs
from teval.report.rows import to_csv
from teval.report.write import to_report, to_screen, write_report

__all__ = [
    "LoadedRun",
    "contrast",
    "load_runs",
    "to_csv",
    "to_report",
    "to_screen",
    "to_terminal",
    "write_comparison",
    "write_report",
]
