"""The censuses of the core: all black and white images, or all descriptions, of a size.

Each is a list of shards that can be counted in any order; a sample has random images of every shard. A call
releases the GIL while it counts. Sizes that are out of reach are a ValueError.
"""

from __future__ import annotations

from nonocsp.engine._core import SolutionCensus, SweepCensus, SweepSample

__all__ = ["SolutionCensus", "SweepCensus", "SweepSample"]
