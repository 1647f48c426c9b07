"""``python -m tools.studio``: build the core for browsers, and say how large it is."""

from __future__ import annotations

import gzip
import hashlib

from tools.studio.core import build_core


def main() -> None:
    """Build and print sizes and checksum."""
    module = build_core()
    content = module.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    packed = len(gzip.compress(content, 9, mtime=0))
    print(f"{module}: {len(content):,} bytes, {packed:,} packed by gzip, sha256 {digest}")


if __name__ == "__main__":
    main()
