// All lines of one short length in black and white, each a set of bits, with their clues.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

class TinyLines {
  public:
    using Line = std::uint32_t;  // bit p: cell p

    static constexpr std::size_t kMostCells = 18;

    // Throws std::invalid_argument for no cells or too many.
    explicit TinyLines(std::size_t length);

    std::size_t length() const { return length_; }
    std::size_t contents() const { return clue_.size(); }

    // The number of the content's clue, from 0.
    std::size_t clue(std::size_t content) const { return clue_[content]; }
    std::size_t clues() const { return placements_.size(); }
    // The contents that have a clue.
    const std::vector<Line>& placements(std::size_t clue) const { return placements_[clue]; }

    Line mirrored(std::size_t content) const;

  private:
    std::size_t length_;
    std::vector<std::uint16_t> clue_;            // [content]
    std::vector<std::vector<Line>> placements_;  // [clue]
};

// The lines of one axis of a small image in black and white. An image, or a set of its cells, is one word,
// line after line. The other axis has the same cells in another order.

class TinyAxis {
  public:
    static constexpr std::size_t kMostCells = kWordBits;

    // Throws std::invalid_argument for an image that is not small.
    TinyAxis(std::size_t count, std::size_t length)
        : count_(count), lines_(length), line_(lines_.contents() - 1), across_(lines_.contents()) {
        if (count < 1 || count * length > kMostCells)
            throw std::invalid_argument("a small image has 1 to 64 cells");
        for (std::size_t content = 0; content < across_.size(); ++content)
            for_each_cell(content, 0, [&](std::size_t cell) { across_[content] |= Word{1} << cell * count; });
    }

    std::size_t count() const { return count_; }
    const TinyLines& lines() const { return lines_; }

    // The cells of a line in an image, in the order of this axis and of the other one.
    Word along(std::size_t number, Word cells) const {
        assert(number < count_ && (cells & ~line_) == 0);
        return cells << number * lines_.length();
    }
    Word across(std::size_t number, std::size_t cells) const {
        assert(number < count_ && cells < across_.size());
        return across_[cells] << number;
    }

    // The cells of one line of an image.
    std::size_t line(Word cells, std::size_t number) const {
        assert(number < count_);
        return cells >> number * lines_.length() & line_;
    }

  private:
    std::size_t count_;
    TinyLines lines_;
    Word line_;                 // all cells of line 0
    std::vector<Word> across_;  // [content], for line 0
};

}  // namespace nonocsp
