"""How real a built world is: statistics of its artefacts against bands from real corpora, and what does not hold together.

`make_report(package)` reads a package and measures it; what is measured and what is usual stands in `bands.yaml`.
"""

from generators.report.measured_company import MeasuredCompany, read_company
from generators.report.report import Report, ReportFinding, make_report, measure_company

__all__ = ["MeasuredCompany", "Report", "ReportFinding", "make_report", "measure_company", "read_company"]
