// A partial grid of one colour and at most 64 x 64 cells, for probing, which copies and narrows boards a
// million times: a line is two words, all lines lie in one array, rows first, and a copy is one memcpy.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "grid/partial_grid.hpp"
#include "line/planes.hpp"

namespace nonocsp {

class SmallBoard {
  public:
    static constexpr std::size_t kColours = 2;

    // The planes of a line: the cells that may be background, and the cells that may be black.
    struct Line {
        Word background, black;
        bool operator==(const Line&) const = default;
        Word open() const { return background & black; }
        std::array<Word, 2> words() const { return {background, black}; }
    };

    // Whether a board of this shape fits.
    static bool takes(std::size_t rows, std::size_t columns, std::size_t colours) {
        return rows <= kWordBits && columns <= kWordBits && colours == kColours;
    }

    // Every cell has both candidates.
    SmallBoard(std::size_t rows, std::size_t columns, [[maybe_unused]] std::size_t colours = kColours)
        : lines_{rows, columns}, candidate_count_(rows * columns * kColours) {
        assert(takes(rows, columns, colours));
        std::fill_n(planes_.begin(), rows, full_line(columns));
        std::fill_n(planes_.begin() + rows, columns, full_line(rows));
    }

    SmallBoard(const SmallBoard& other) noexcept { *this = other; }
    SmallBoard& operator=(const SmallBoard& other) noexcept {
        lines_ = other.lines_;
        candidate_count_ = other.candidate_count_;
        std::copy_n(other.planes_.begin(), lines_[0] + lines_[1], planes_.begin());
        return *this;
    }

    std::size_t lines(Axis axis) const { return lines_[index(axis)]; }
    std::size_t colours() const { return kColours; }
    std::size_t candidate_count() const { return candidate_count_; }
    const Line& line(LineId id) const {
        assert(id.position < lines(id.axis));
        return planes_[at(id.axis, id.position)];
    }

    Word candidates(Cell cell) const {
        assert(cell.row < lines_[0] && cell.column < lines_[1]);
        const Line& row = planes_[cell.row];
        return (row.background >> cell.column & 1) | (row.black >> cell.column & 1) << 1;
    }

    // Calls visit(cell) for every cell with more than one candidate, row by row.
    template <class Visit>
    void for_each_open(Visit visit) const {
        for (std::size_t row = 0; row < lines_[0]; ++row)
            for_each_cell(planes_[row].open(), 0, [&](std::size_t column) { visit(Cell{row, column}); });
    }

    // The cells of a row with more than one candidate; a row is one word.
    Word open_in_row(std::size_t row, [[maybe_unused]] std::size_t word) const {
        assert(word == 0);
        return planes_[row].open();
    }

    std::size_t open_cells() const {
        assert(candidate_count_ >= lines_[0] * lines_[1]);  // every cell has a candidate
        return candidate_count_ - lines_[0] * lines_[1];
    }

    // Replaces a line by a subset of it; returns the crossing lines that lost a candidate.
    Word narrow(Axis axis, std::size_t position, const Line& settled) {
        Line& line = planes_[at(axis, position)];
        assert(position < lines(axis));
        assert((settled.background & ~line.background) == 0 && (settled.black & ~line.black) == 0);
        const Word no_background = line.background & ~settled.background,
                   no_black = line.black & ~settled.black;
        if ((no_background | no_black) == 0) return 0;
        line = settled;
        Line* crossing_lines = &planes_[at(crossing(axis), 0)];
        const Word elsewhere = ~(Word{1} << position);
        for_each_cell(no_background, 0, [&](std::size_t i) {
            crossing_lines[i].background &= elsewhere;
            --candidate_count_;
        });
        for_each_cell(no_black, 0, [&](std::size_t i) {
            crossing_lines[i].black &= elsewhere;
            --candidate_count_;
        });
        return no_background | no_black;
    }

    // Removes the candidates of a cell that are not in `candidates`.
    void narrow_cell(Cell cell, Word candidates) {
        assert(cell.row < lines_[0] && cell.column < lines_[1]);
        Line settled = planes_[cell.row];
        if ((candidates & 1) == 0) settled.background &= ~(Word{1} << cell.column);
        if ((candidates & 2) == 0) settled.black &= ~(Word{1} << cell.column);
        narrow(Axis::kRow, cell.row, settled);
    }

    // Removes the candidates that neither of two boards of its shape has; calls changed(line) for every line
    // that loses one.
    template <class Changed>
    void narrow_to_union(const SmallBoard& a, const SmallBoard& b, Changed changed) {
        assert(lines_ == a.lines_ && lines_ == b.lines_);
        if (is_within_union(a, b)) return;
        Word columns = 0;
        for (std::size_t row = 0; row < lines_[0]; ++row) {
            const Line &own = planes_[row], &of_a = a.planes_[row], &of_b = b.planes_[row];
            const Word narrowed = narrow(Axis::kRow, row,
                                         {own.background & (of_a.background | of_b.background),
                                          own.black & (of_a.black | of_b.black)});
            if (narrowed == 0) continue;
            columns |= narrowed;
            changed(LineId{Axis::kRow, row});
        }
        for_each_cell(columns, 0, [&](std::size_t column) { changed(LineId{Axis::kColumn, column}); });
        assert(planes_agree());
    }

    // Candidate sets row by row: bit 0 = background, bit 1 = black. Unknown colours are ignored.
    void read(std::span<const Word> cells) {
        assert(cells.size() == lines_[0] * lines_[1]);
        *this = SmallBoard(lines_[0], lines_[1]);
        for (std::size_t i = 0; i < cells.size(); ++i) narrow_cell({i / lines_[1], i % lines_[1]}, cells[i]);
    }
    void write(std::span<Word> cells) const {
        assert(cells.size() == lines_[0] * lines_[1]);
        for (std::size_t row = 0; row < lines_[0]; ++row) {
            const std::array<Word, kColours> planes{planes_[row].background, planes_[row].black};
            unpack_line(planes.data(), lines_[1], kColours, &cells[row * lines_[1]]);
        }
    }

    // Whether rows and columns hold the same candidates, as many as were counted. For assertions.
    bool planes_agree() const {
        std::size_t in_rows = 0, in_columns = 0;
        for (std::size_t column = 0; column < lines_[1]; ++column) {
            const Line& line = planes_[at(Axis::kColumn, column)];
            in_columns += size_of(line.background) + size_of(line.black);
            for (std::size_t row = 0; row < lines_[0]; ++row) {
                const Word candidates = this->candidates({row, column});
                if (candidates != ((line.background >> row & 1) | (line.black >> row & 1) << 1)) return false;
                in_rows += size_of(candidates);
            }
        }
        return in_rows == candidate_count_ && in_columns == candidate_count_;
    }

  private:
    static Line full_line(std::size_t length) {
        const Word cells = ~Word{0} >> (kWordBits - length);
        return {cells, cells};
    }

    std::size_t at(Axis axis, std::size_t position) const {
        return axis == Axis::kRow ? position : lines_[0] + position;
    }

    bool is_within_union(const SmallBoard& a, const SmallBoard& b) const {
        Word beyond = 0;
        for (std::size_t row = 0; row < lines_[0]; ++row) {
            const Line &own = planes_[row], &of_a = a.planes_[row], &of_b = b.planes_[row];
            beyond |= (own.background & ~(of_a.background | of_b.background)) |
                      (own.black & ~(of_a.black | of_b.black));
        }
        return beyond == 0;
    }

    std::array<std::size_t, 2> lines_;
    std::size_t candidate_count_;
    std::array<Line, 2 * kWordBits> planes_;  // rows, then columns; the rest is not initialised
};
static_assert(PartialGrid<SmallBoard>);

}  // namespace nonocsp
