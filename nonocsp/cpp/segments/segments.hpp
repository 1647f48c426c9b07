// Pixels and segments, the objects of "Solving Nonograms" (OddThinking). A segment is a run of one colour.
// The chain of a line is a white segment, then its blocks, each followed by another white segment. A white
// segment has any length, but at least one pixel between two blocks of one colour. A pixel lies on two
// chains, that of its row and that of its column.
//
// This file has the constant part. Pixels are numbered row by row; segments chain by chain, rows first.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct Segment {
    std::uint32_t chain;
    std::uint32_t place;  // in its chain
    std::uint16_t colour;
    std::uint16_t length;  // of a white segment: the least, 0 or 1

    bool is_white() const { return colour == 0; }
};

struct Chain {
    std::size_t first_pixel, step;  // its i-th pixel is first_pixel + i * step
    std::size_t length;
    std::size_t first_segment;  // its i-th segment is first_segment + i
    std::size_t segments;

    std::size_t pixel(std::size_t position) const {
        assert(position < length);
        return first_pixel + position * step;
    }
};

class Chains {
  public:
    // The chains of the rows and columns of a puzzle.
    explicit Chains(const PuzzleClues& clues);

    // The chains of rows alone: a pixel lies on one chain.
    Chains(const Clues& rows, std::size_t colours);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    std::size_t pixels() const { return rows_ * columns_; }
    std::size_t colours() const { return colours_; }

    std::span<const Segment> segments() const { return segments_; }
    const Chain& chain_of(const Segment& segment) const { return chains_[segment.chain]; }
    Axis axis_of(const Segment& segment) const { return segment.chain < rows_ ? Axis::kRow : Axis::kColumn; }
    bool is_last(const Segment& segment) const { return segment.place + 1 == chain_of(segment).segments; }

    // Whether every clue fits into its line; the chain of a clue that does not fit is empty.
    bool fit() const { return fit_; }

    // The axes that have chains.
    std::span<const Axis> axes() const { return std::span(kAxes).first(axes_); }

    // The chain through a pixel.
    std::size_t chain_through(std::size_t pixel, Axis axis) const {
        assert(pixel < pixels() && index(axis) < axes_);
        return axis == Axis::kRow ? pixel / columns_ : rows_ + pixel % columns_;
    }
    const Chain& operator[](std::size_t chain) const { return chains_[chain]; }

    // Where on that chain the pixel lies.
    std::size_t position(std::size_t pixel, Axis axis) const {
        return axis == Axis::kRow ? pixel % columns_ : pixel / columns_;
    }

    // The words of a set of segments of one chain: bit i is the i-th.
    std::size_t words() const { return words_; }

    // The segments of a chain that have a colour.
    std::span<const Word> of_colour(std::size_t chain, std::size_t colour) const {
        assert(chain < chains_.size() && colour < colours_);
        return std::span(of_colour_).subspan((chain * colours_ + colour) * words_, words_);
    }

    // All segments of a chain.
    std::span<const Word> whole(std::size_t chain) const {
        return std::span(whole_).subspan(chain * words_, words_);
    }

  private:
    static constexpr std::array kAxes{Axis::kRow, Axis::kColumn};

    void append(const Clues& clues, Axis axis);
    void append_segments(const Clue& clue);
    void append_segment(std::size_t colour, std::size_t length);
    void make_sets();

    std::size_t rows_, columns_, colours_, axes_;
    bool fit_ = true;
    std::vector<Chain> chains_;
    std::vector<Segment> segments_;
    std::size_t words_ = 0;
    std::vector<Word> whole_;      // [chain][word]
    std::vector<Word> of_colour_;  // [chain][colour][word]
};

}  // namespace nonocsp
