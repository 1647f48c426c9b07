"""Read the data of a filled page."""

import json
import re
from typing import Any


def data_of(page: str) -> dict[str, Any]:
    """Return what `nonocsp.pages.filled` put into a page."""
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(data)
    return found
