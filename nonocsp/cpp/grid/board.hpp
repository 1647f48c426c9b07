// A partial grid of any size in up to 64 colours. It keeps planes of its rows and planes of its columns, so
// that settling a line of either axis reads and writes whole words; each removed candidate is cleared in the
// crossing line too. Memory: 2 bits a cell and colour.
#pragma once

#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "grid/partial_grid.hpp"
#include "line/planes.hpp"

namespace nonocsp {

class Board {
  public:
    // Every cell has every candidate; `colours` counts the background.
    Board(std::size_t rows, std::size_t columns, std::size_t colours);

    std::size_t lines(Axis axis) const { return side(axis).lines; }
    std::size_t length(Axis axis) const { return side(crossing(axis)).lines; }

    // The planes of a line, one a colour.
    std::span<const Word> line(LineId id) const {
        const Side& s = side(id.axis);
        assert(id.position < s.lines);
        return {s.planes.data() + id.position * s.stride, s.stride};
    }

    std::size_t colours() const { return colours_; }

    // The candidate set of a cell.
    Word candidates(Cell cell) const;

    // Calls visit(cell, colour) for every open cell that `subset` decides, with its colour there.
    template <class Visit>
    void for_each_decided_by(const Board& subset, Visit visit) const;

    // Calls visit(cell) for every cell that has no candidate in common with another board of its shape.
    template <class Visit>
    void for_each_disjoint(const Board& other, Visit visit) const;

    // Calls visit(cell) for every cell with more than one candidate, row by row.
    template <class Visit>
    void for_each_open(Visit visit) const;

    // The cells with more than one candidate, in one word of a row.
    Word open_in_row(std::size_t row, std::size_t word) const {
        const Side& rows = side(Axis::kRow);
        assert(row < rows.lines && word < rows.words);
        const Word* planes = rows.planes.data() + row * rows.stride + word;
        if (colours_ == 2) return planes[0] & planes[rows.words];
        return nonocsp::open_cells(line({Axis::kRow, row}), rows.words, word);
    }

    std::size_t open_cells() const;

    // Replaces a line by a subset of it; calls changed(position) for every crossing line that lost a
    // candidate.
    template <class Changed>
    void narrow(LineId id, std::span<const Word> settled, Changed changed);

    // Removes the candidates of a cell that are not in `candidates`.
    void narrow_cell(Cell cell, Word candidates);

    // Removes a candidate of the cell, or restores one that it lost.
    void remove(Cell cell, std::size_t colour) {
        assert((candidates(cell) >> colour & 1) != 0);
        flip(cell, colour);
        --candidate_count_;
    }
    void restore(Cell cell, std::size_t colour) {
        assert(colour < colours_ && (candidates(cell) >> colour & 1) == 0);
        flip(cell, colour);
        ++candidate_count_;
    }

    // Adds the candidates of another board of its shape.
    void unite(const Board& other);

    // Makes a line that of another board of its shape. Once all lines that differ are copied, so is the
    // board.
    void copy_line(const Board& from, LineId id);

    // The number of candidates of all cells.
    std::size_t candidate_count() const { return candidate_count_; }

    // Removes the candidates of a line that no board of its shape in `others` has, and not in the crossing
    // lines, which must follow. Returns whether there are any.
    bool narrow_to_union(LineId id, std::span<const Board* const> others);

    // Calls visit(cell, colour) for every candidate that `subset` does not have, row by row.
    template <class Visit>
    void for_each_candidate_beyond(const Board& subset, Visit visit) const;

    // Candidate sets row by row: bit c of a cell = colour c is possible. Unknown colours are ignored.
    void read(std::span<const Word> cells);
    void write(std::span<Word> cells) const;

    // Whether rows and columns hold the same candidates, as many as were counted. For assertions.
    bool planes_agree() const;

  private:
    struct Side {
        std::size_t lines, words, stride;
        std::vector<Word> planes;  // [line][colour][word]
        std::size_t at(std::size_t line, std::size_t colour, std::size_t cell) const {
            return line * stride + colour * words + cell / kWordBits;
        }
        Word& word(std::size_t line, std::size_t colour, std::size_t cell) {
            return planes[at(line, colour, cell)];
        }
    };

    const Side& side(Axis axis) const { return sides_[index(axis)]; }
    Side& side(Axis axis) { return sides_[index(axis)]; }

    void flip(Cell cell, std::size_t colour) {
        side(Axis::kRow).word(cell.row, colour, cell.column) ^= Word{1} << cell.column % kWordBits;
        side(Axis::kColumn).word(cell.column, colour, cell.row) ^= Word{1} << cell.row % kWordBits;
    }

    bool has_shape_of(const Board& other) const {
        return colours_ == other.colours_ && lines(Axis::kRow) == other.lines(Axis::kRow) &&
               lines(Axis::kColumn) == other.lines(Axis::kColumn);
    }
    void count_candidates();

    std::size_t colours_, candidate_count_;
    std::array<Side, 2> sides_;
};

template <class Changed>
void Board::narrow(LineId id, std::span<const Word> settled, Changed changed) {
    Side &own = side(id.axis), &other = side(crossing(id.axis));
    Word* planes = own.planes.data() + id.position * own.stride;
    assert(id.position < own.lines && settled.size() == own.stride);
    assert(is_subset(settled, line(id)));
    const Word here = Word{1} << id.position % kWordBits;
    for (std::size_t word = 0; word < own.words; ++word) {
        Word touched = 0;
        for (std::size_t colour = 0; colour < colours_; ++colour) {
            const std::size_t at = colour * own.words + word;
            const Word removed = planes[at] & ~settled[at];
            planes[at] = settled[at];
            touched |= removed;
            Word* crossing_plane = &other.word(0, colour, id.position);
            for_each_cell(removed, word * kWordBits, [&](std::size_t cell) {
                crossing_plane[cell * other.stride] &= ~here;
                --candidate_count_;
            });
        }
        for_each_cell(touched, word * kWordBits, changed);
    }
}

template <class Visit>
void Board::for_each_candidate_beyond(const Board& subset, Visit visit) const {
    assert(has_shape_of(subset));
    const Side &rows = side(Axis::kRow), &left = subset.side(Axis::kRow);
    for (std::size_t row = 0; row < rows.lines; ++row)
        for (std::size_t colour = 0; colour < colours_; ++colour)
            for (std::size_t word = 0; word < rows.words; ++word) {
                const std::size_t at = rows.at(row, colour, word * kWordBits);
                for_each_cell(rows.planes[at] & ~left.planes[at], word * kWordBits,
                              [&](std::size_t column) { visit(Cell{row, column}, colour); });
            }
}

template <class Visit>
void Board::for_each_decided_by(const Board& subset, Visit visit) const {
    assert(has_shape_of(subset));
    const Side& left = subset.side(Axis::kRow);
    for (std::size_t row = 0; row < left.lines; ++row)
        for (std::size_t word = 0; word < left.words; ++word) {
            const Word decided = open_in_row(row, word) & ~subset.open_in_row(row, word);
            for (std::size_t colour = 0; decided != 0 && colour < colours_; ++colour)
                for_each_cell(decided & left.planes[left.at(row, colour, word * kWordBits)], word * kWordBits,
                              [&](std::size_t column) { visit(Cell{row, column}, colour); });
        }
}

template <class Visit>
void Board::for_each_disjoint(const Board& other, Visit visit) const {
    assert(has_shape_of(other));
    const Side &rows = side(Axis::kRow), &others = other.side(Axis::kRow);
    for (std::size_t row = 0; row < rows.lines; ++row)
        for (std::size_t word = 0; word < rows.words; ++word) {
            Word any = 0, common = 0;
            for (std::size_t colour = 0; colour < colours_; ++colour) {
                const std::size_t at = rows.at(row, colour, word * kWordBits);
                any |= rows.planes[at];
                common |= rows.planes[at] & others.planes[at];
            }
            for_each_cell(any & ~common, word * kWordBits,
                          [&](std::size_t column) { visit(Cell{row, column}); });
        }
}

template <class Visit>
void Board::for_each_open(Visit visit) const {
    const Side& rows = side(Axis::kRow);
    for (std::size_t row = 0; row < rows.lines; ++row)
        for (std::size_t word = 0; word < rows.words; ++word)
            for_each_cell(open_in_row(row, word), word * kWordBits,
                          [&](std::size_t column) { visit(Cell{row, column}); });
}

}  // namespace nonocsp
