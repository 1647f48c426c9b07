"""Report campaigns as tables in the terminal, CSV, Markdown, plots, and one HTML page.

A `Digest` holds all that a report says, computed once; each format is a module that turns it into text.
"""

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.writing import summary_table, write_files, write_report

__all__ = ["Digest", "summary_table", "write_files", "write_report"]
