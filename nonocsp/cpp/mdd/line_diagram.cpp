#include "mdd/line_diagram.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nonocsp {
namespace {

class Builder {
  public:
    Builder(const Clue& clue, const std::vector<Word>& candidates) : clue_(clue), candidates_(candidates) {
        for (std::size_t cell = 0; cell < candidates.size(); ++cell)
            if (is_open(cell)) diagram_.cells.push_back(cell);
        diagram_.levels.resize(diagram_.cells.size());
    }

    // The node for blocks j.. from a cell on, of all j, from the last cell to the first.
    LineDiagram build() {
        const std::size_t length = candidates_.size(), blocks = clue_.blocks.size();
        std::vector<std::vector<std::int32_t>> from(length + 1,
                                                    std::vector<std::int32_t>(blocks + 1, LineNode::kNone));
        from[length][blocks] = 0;
        for (std::size_t cell = length; cell-- > 0;)
            for (std::size_t j = 0; j <= blocks; ++j) {
                const std::int32_t gap = may_be(cell, 0) ? from[cell + 1][j] : LineNode::kNone;
                from[cell][j] = j < blocks
                                    ? node(cell, gap, after_first(cell, j, from), clue_.blocks[j].colour)
                                    : node(cell, gap, LineNode::kNone, 0);
            }
        diagram_.root = from[0][0];
        return std::move(diagram_);
    }

  private:
    bool is_open(std::size_t cell) const { return !std::has_single_bit(candidates_[cell]); }
    bool may_be(std::size_t cell, std::size_t colour) const { return (candidates_[cell] >> colour & 1) != 0; }

    // The node after the first cell of block j, which starts at `start`; none if it does not fit.
    std::int32_t after_first(std::size_t start, std::size_t j,
                             const std::vector<std::vector<std::int32_t>>& from) {
        const Block& block = clue_.blocks[j];
        const std::size_t end = start + block.length();
        if (end > candidates_.size()) return LineNode::kNone;
        for (std::size_t cell = start; cell < end; ++cell)
            if (!may_be(cell, block.colour)) return LineNode::kNone;
        const bool is_parted = j + 1 < clue_.blocks.size() && clue_.blocks[j + 1].colour == block.colour;
        std::int32_t after;
        if (is_parted) {
            if (end == candidates_.size() || !may_be(end, 0)) return LineNode::kNone;
            after = node(end, from[end + 1][j + 1], LineNode::kNone, 0);
        } else {
            after = from[end][j + 1];
        }
        for (std::size_t cell = end; --cell > start;)
            after = node(cell, LineNode::kNone, after, block.colour);
        return after;
    }

    // The one node with these successors; a decided cell has no node.
    std::int32_t node(std::size_t cell, std::int32_t background, std::int32_t block, std::int32_t colour) {
        if (background == LineNode::kNone && block == LineNode::kNone) return LineNode::kNone;
        if (!is_open(cell)) return std::max(background, block);
        const auto at = std::ranges::lower_bound(diagram_.cells, cell);
        std::vector<LineNode>& level = diagram_.levels[static_cast<std::size_t>(at - diagram_.cells.begin())];
        const LineNode made{background, block, block == LineNode::kNone ? 0 : colour};
        const auto known = std::ranges::find(level, made);
        if (known != level.end()) return static_cast<std::int32_t>(known - level.begin());
        level.push_back(made);
        return static_cast<std::int32_t>(level.size() - 1);
    }

    const Clue& clue_;
    const std::vector<Word>& candidates_;
    LineDiagram diagram_;
};

}  // namespace

std::size_t LineDiagram::widest() const {
    std::size_t widest = 0;
    for (const auto& level : levels) widest = std::max(widest, level.size());
    return widest;
}

LineDiagram line_diagram(const Clue& clue, const std::vector<Word>& candidates) {
    return Builder(clue, candidates).build();
}

}  // namespace nonocsp
