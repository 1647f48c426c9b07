// A line as people see it: the candidates of its cells, its runs, and where its blocks can lie; and what the
// techniques find in it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "grading/catalogue.hpp"
#include "grading/windows.hpp"
#include "line/clue.hpp"

namespace nonocsp {

using BlockList = std::vector<std::uint16_t>;
using Kept = std::vector<std::pair<int, Word>>;  // cells, and the candidates that they keep

// One result of a technique in a line.
struct LineFinding {
    Kept cells;
    StepReason reason;
    BlockList blocks;  // that the reason is about
};

// The line of some clue. Windows are found when they are asked for first.
class LineState {
  public:
    // `clue` must outlive it, and some placement of it must fit the cells.
    LineState(const Clue& clue, std::vector<Word> cells, std::size_t colours)
        : clue_(&clue), cells_(std::move(cells)), colours_(colours), runs_(runs_of(cells_)) {}

    const Clue& clue() const { return *clue_; }
    std::span<const Block> blocks() const { return clue_->blocks; }
    int length(std::size_t block) const { return static_cast<int>(clue_->blocks[block].length()); }
    int size() const { return static_cast<int>(cells_.size()); }
    std::size_t colours() const { return colours_; }
    Word operator[](int cell) const { return cells_[static_cast<std::size_t>(cell)]; }
    const std::vector<Word>& cells() const { return cells_; }

    const std::vector<Run>& runs() const { return runs_; }
    const std::vector<Window>& bare() const {
        return made(bare_, [this] { return bare_windows(*clue_); });
    }
    const std::vector<Window>& packed() const {
        return made(packed_, [this] { return packed_windows(*clue_, cells_); });
    }
    const std::vector<Window>& anchored() const {
        return made(anchored_, [this] { return anchored_windows(*clue_, cells_, runs_); });
    }

    // The blocks that can cover a run.
    BlockList owners(const Run& run) const {
        BlockList owners;
        for (std::size_t j = 0; j < anchored().size(); ++j)
            if (anchored()[j].can_cover(run)) owners.push_back(static_cast<std::uint16_t>(j));
        return owners;
    }

    // The length of the shortest and of the longest of some blocks.
    std::pair<int, int> lengths(const BlockList& blocks) const {
        assert(!blocks.empty());
        int least = length(blocks.front()), most = least;
        for (const std::uint16_t block : blocks) {
            least = std::min(least, length(block));
            most = std::max(most, length(block));
        }
        return {least, most};
    }

    // Whether a cell cannot have the colour; cells outside the line cannot.
    bool is_wall(int cell, std::size_t colour) const {
        return cell < 0 || cell >= size() || ((*this)[cell] >> colour & 1) == 0;
    }

    // The cells of `allowed` that lose candidates, each with those that it keeps. `allowed` may name cells
    // outside the line and candidates that are excluded already.
    Kept narrowed(const Kept& allowed) const {
        Kept kept;
        for (const auto& [cell, candidates] : allowed)
            if (cell >= 0 && cell < size() && ((*this)[cell] & ~candidates) != 0)
                kept.emplace_back(cell, (*this)[cell] & candidates);
        return kept;
    }

  private:
    template <class Make>
    static const std::vector<Window>& made(std::optional<std::vector<Window>>& windows, Make make) {
        if (!windows) windows = make();
        return *windows;
    }

    const Clue* clue_;
    std::vector<Word> cells_;
    std::size_t colours_;
    std::vector<Run> runs_;
    mutable std::optional<std::vector<Window>> bare_, packed_, anchored_;
};

}  // namespace nonocsp
