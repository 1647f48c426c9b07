// The lines of one axis of a small image in black and white. An image, or a set of its cells, is one word,
// line after line; the other axis has the same cells in another order, and a sweep leads from one to the
// other.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/bits.hpp"
#include "census/tiny_lines.hpp"

namespace nonocsp {

class TinyAxis {
  public:
    static constexpr std::size_t kMostCells = kWordBits;

    // What a line of known content settles to, by the cells known of it: the cells known then, in the other
    // axis, for line 0.
    using Settled = const Word*;
    using AllSettled = std::array<Settled, TinyLines::kMostCells>;  // [line]

    // Throws std::invalid_argument for an image that is not small.
    TinyAxis(std::size_t count, std::size_t length);

    std::size_t count() const { return count_; }
    const TinyLines& lines() const { return lines_; }

    // A line's cells where they belong, in this axis and in the other one.
    Word along(std::size_t number, Word cells) const { return cells << number * length_; }
    Word across(std::size_t number, std::size_t cells) const { return across_[cells] << number; }

    std::size_t line(Word cells, std::size_t number) const { return cells >> number * length_ & line_; }

    Settled settled(std::size_t content) const { return &settled_[content << length_]; }
    AllSettled settled_lines(Word image) const;

    // Settles every line of an image of which some cells are known: the cells known then, in the other axis.
    Word sweep(const AllSettled& settled, Word known) const {
        const std::size_t count = count_, length = length_;
        Word result = 0;
        for (std::size_t i = 0; i < count; ++i, known >>= length) result |= settled[i][known & line_] << i;
        return result;
    }

  private:
    std::size_t count_, length_;
    TinyLines lines_;
    Word line_;                  // all cells of line 0
    std::vector<Word> across_;   // [content], for line 0
    std::vector<Word> settled_;  // [content][known], for line 0
};

}  // namespace nonocsp
