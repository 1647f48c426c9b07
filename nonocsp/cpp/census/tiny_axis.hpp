// The lines of one axis of a small image in black and white. An image, or a set of its cells, is one word,
// line after line. The other axis has the same cells in another order; a sweep takes cells of one order and
// returns them in the other.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <vector>

#include "base/bits.hpp"
#include "census/tiny_lines.hpp"

namespace nonocsp {

class TinyAxis {
  public:
    static constexpr std::size_t kMostCells = kWordBits;

    // The results of settling a line with a given content, by its known cells: the cells known afterwards, in
    // the order of the other axis, for line 0.
    using Settled = const Word*;
    using AllSettled = std::array<Settled, TinyLines::kMostCells>;  // [line]

    // Throws std::invalid_argument for an image that is not small.
    TinyAxis(std::size_t count, std::size_t length);

    std::size_t count() const { return count_; }
    const TinyLines& lines() const { return lines_; }

    // The cells of a line in an image, in the order of this axis and of the other one.
    Word along(std::size_t number, Word cells) const {
        assert(number < count_ && (cells & ~line_) == 0);
        return cells << number * length_;
    }
    Word across(std::size_t number, std::size_t cells) const {
        assert(number < count_ && cells < across_.size());
        return across_[cells] << number;
    }

    // The cells of one line of an image.
    std::size_t line(Word cells, std::size_t number) const {
        assert(number < count_);
        return cells >> number * length_ & line_;
    }

    Settled settled(std::size_t content) const { return &settled_[content << length_]; }
    AllSettled settled_lines(Word image) const;

    // Settles every line of an image from its known cells: the cells known afterwards, in the other order.
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
