"""``python -m tools.studio``: build the core for browsers and the page, and say how large they are."""

from __future__ import annotations

import gzip
import hashlib

from tools.studio.core import build_core
from tools.studio.page import build_page


def main() -> None:
    """Build and print sizes and checksums."""
    for path in (build_core(), build_page()):
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        packed = len(gzip.compress(content, 9, mtime=0))
        print(f"{path}: {len(content):,} bytes, {packed:,} packed by gzip, sha256 {digest}")


if __name__ == "__main__":
    main()
