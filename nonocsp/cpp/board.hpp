// A partial grid as planes of its rows and planes of its columns, kept in step: settling a line of one axis
// reads and writes whole words, and each removed candidate is cleared in the crossing line. Memory: 2 bits a
// cell and colour.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"

namespace nonocsp {

enum class Axis : std::uint8_t { kRow, kColumn };

constexpr Axis crossing(Axis axis) { return axis == Axis::kRow ? Axis::kColumn : Axis::kRow; }

struct LineId {
    Axis axis;
    std::size_t position;
    bool operator==(const LineId&) const = default;
};

class Board {
  public:
    // Everything possible; `colours` counts the background.
    Board(std::size_t rows, std::size_t columns, std::size_t colours);

    std::size_t lines(Axis axis) const { return side(axis).lines; }
    std::size_t length(Axis axis) const { return side(crossing(axis)).lines; }

    // The planes of a line, one a colour.
    std::span<const Word> line(LineId id) const {
        const Side& s = side(id.axis);
        return {s.planes.data() + id.position * s.stride, s.stride};
    }

    // Replaces a line by a subset of it; calls changed(position) for every crossing line that lost a
    // candidate.
    template <class Changed>
    void narrow(LineId id, std::span<const Word> settled, Changed changed);

    // Candidate sets by rows: bit c of a cell = colour c is possible. Colours beyond the board's are ignored.
    void read(std::span<const Word> cells);
    void write(std::span<Word> cells) const;

  private:
    struct Side {
        std::size_t lines, words, stride;
        std::vector<Word> planes;  // [line][colour][word]
        Word& word(std::size_t line, std::size_t colour, std::size_t cell) {
            return planes[line * stride + colour * words + cell / kWordBits];
        }
    };

    const Side& side(Axis axis) const { return sides_[static_cast<std::size_t>(axis)]; }
    Side& side(Axis axis) { return sides_[static_cast<std::size_t>(axis)]; }

    std::size_t colours_;
    std::array<Side, 2> sides_;
};

template <class Changed>
void Board::narrow(LineId id, std::span<const Word> settled, Changed changed) {
    Side &own = side(id.axis), &other = side(crossing(id.axis));
    Word* planes = own.planes.data() + id.position * own.stride;
    const Word here = Word{1} << id.position % kWordBits;
    for (std::size_t word = 0; word < own.words; ++word) {
        Word touched = 0;
        for (std::size_t colour = 0; colour < colours_; ++colour) {
            const std::size_t at = colour * own.words + word;
            assert((settled[at] & ~planes[at]) == 0);
            const Word removed = planes[at] & ~settled[at];
            planes[at] = settled[at];
            touched |= removed;
            for_each_cell(removed, word * kWordBits,
                          [&](std::size_t cell) { other.word(cell, colour, id.position) &= ~here; });
        }
        for_each_cell(touched, word * kWordBits, changed);
    }
}

}  // namespace nonocsp
