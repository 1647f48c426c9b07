// Depth-first search over the placements of lines: where forcing stops, it streams the placements of the
// undecided line that has the fewest, and forces each in turn. A level keeps its stream, not a list; there
// are never more levels than lines.
#pragma once

#include <memory>

#include "search/search.hpp"

namespace nonocsp {

// Sweeps begin with the lines of axis `first`.
std::unique_ptr<Search> make_blocks_search(const PuzzleClues& clues, Axis first);

}  // namespace nonocsp
