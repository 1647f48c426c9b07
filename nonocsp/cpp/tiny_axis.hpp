// The lines of one axis of a small image in black and white. An image, or a set of its cells, is one word,
// line after line; the other axis has the same cells in another order, and a sweep leads from one to the
// other.
#pragma once

#include <cstddef>
#include <vector>

#include "bits.hpp"
#include "tiny_lines.hpp"

namespace nonocsp {

class TinyAxis {
  public:
    static constexpr std::size_t kMostCells = kWordBits;

    // Throws std::invalid_argument for an image that is not small.
    TinyAxis(std::size_t count, std::size_t length);

    std::size_t count() const { return count_; }
    const TinyLines& lines() const { return lines_; }

    // A line's cells where they belong, in this axis and in the other one.
    Word along(std::size_t number, Word cells) const { return cells << number * lines_.length(); }
    Word across(std::size_t number, std::size_t cells) const { return across_[cells] << number; }

    std::size_t line(Word cells, std::size_t number) const {
        return cells >> number * lines_.length() & (lines_.contents() - 1);
    }

    // Settles one line of an image of which some cells are known; the result is in the other axis.
    Word settled(Word image, Word known, std::size_t number) const {
        return across(number, lines_.settled(line(image, number), line(known, number)));
    }

    // Settles every line: the cells known then, in the other axis.
    Word sweep(Word image, Word known) const {
        Word result = 0;
        for (std::size_t i = 0; i < count_; ++i) result |= settled(image, known, i);
        return result;
    }

  private:
    std::size_t count_;
    TinyLines lines_;
    std::vector<Word> across_;  // [content], for line 0
};

}  // namespace nonocsp
