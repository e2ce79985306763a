"""Reports on finished runs: tables, radar chart, dot plot, causes of lost points."""

from teval.report.loaded import LoadedRun, load_runs
from teval.report.rows import to_csv
from teval.report.write import to_report, to_screen, write_report

__all__ = ["LoadedRun", "load_runs", "to_csv", "to_report", "to_screen", "write_report"]
