// The placements of a clue that fit a line, as a reduced decision diagram over the line's open cells. Blocks
// are laid whole, from the right, and equal nodes are one node. It shares no code with the chains of shelf
// `counting`, so that the two ways to count check each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// Nodes are numbered within their level; a level is an open cell.
struct LineNode {
    static constexpr std::int32_t kNone = -1;
    std::int32_t background = kNone;  // the node of the next level
    std::int32_t block = kNone;
    std::int32_t colour = 0;
    bool operator==(const LineNode&) const = default;
};

struct LineDiagram {
    std::vector<std::size_t> cells;             // the open ones, left to right
    std::vector<std::vector<LineNode>> levels;  // [open cell]
    std::int32_t root = LineNode::kNone;        // of level 0; none if nothing fits

    std::size_t widest() const;
};

// `candidates`: of each cell of the line.
LineDiagram line_diagram(const Clue& clue, const std::vector<Word>& candidates);

}  // namespace nonocsp
