"""What people see of a campaign: a table in the terminal and one HTML page that works offline."""

from nonocsp.bench.report.html import write_report
from nonocsp.bench.report.table import summary_table

__all__ = ["summary_table", "write_report"]
