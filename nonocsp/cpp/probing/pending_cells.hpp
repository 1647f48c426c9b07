// The cells that wait to be probed, as sets by row. A cell beside a decided one or the border comes before
// all others: its probes are more likely to fail, and a failure decides cells that then need no probes. Among
// equals the next one row by row comes first, around the grid, since neighbours have lines in common.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/bits.hpp"
#include "grid/partial_grid.hpp"

namespace nonocsp {

class PendingCells {
  public:
    PendingCells() = default;
    PendingCells(std::size_t rows, std::size_t columns)
        : words_(words_for(columns)), set_(rows * words_for(columns)) {}

    void add(Cell cell) {
        assert(cell.column / kWordBits < words_ && cell.row * words_ < set_.size());
        set_[cell.row * words_ + cell.column / kWordBits] |= Word{1} << cell.column % kWordBits;
    }

    // Removes and returns the next open cell.
    template <PartialGrid Grid>
    std::optional<Cell> take(const Grid& board) {
        if (const auto cell = take_of(board, [&](std::size_t row, std::size_t word) {
                return board.open_in_row(row, word) & ~surrounded(board, row, word);
            }))
            return cell;
        return take_of(board,
                       [&](std::size_t row, std::size_t word) { return board.open_in_row(row, word); });
    }

  private:
    // The first cell after the last one that is among cells(row, word).
    template <PartialGrid Grid, class Cells>
    std::optional<Cell> take_of(const Grid& board, Cells cells) {
        if (set_.empty()) return std::nullopt;
        assert(set_.size() == board.lines(Axis::kRow) * words_);
        const std::size_t rows = board.lines(Axis::kRow);
        std::size_t row = last_.row, word = last_.column / kWordBits;
        Word ahead = ~Word{0} << last_.column % kWordBits;
        for (std::size_t i = 0; i <= set_.size(); ++i, ahead = ~Word{0}) {
            Word& waiting = set_[row * words_ + word];
            if (waiting != 0)
                if (const Word found = waiting & ahead & cells(row, word); found != 0) {
                    waiting ^= found & -found;
                    last_ = {row, word * kWordBits + static_cast<std::size_t>(std::countr_zero(found))};
                    assert(!std::has_single_bit(board.candidates(last_)));
                    return last_;
                }
            if (++word < words_) continue;
            word = 0;
            if (++row == rows) row = 0;
        }
        return std::nullopt;
    }

    // The cells of a row that have four neighbours, all of them open.
    template <PartialGrid Grid>
    Word surrounded(const Grid& board, std::size_t row, std::size_t word) const {
        if (row == 0 || row + 1 == board.lines(Axis::kRow)) return 0;
        const Word open = board.open_in_row(row, word);
        const Word before = word > 0 ? board.open_in_row(row, word - 1) >> (kWordBits - 1) : 0;
        const Word after = word + 1 < words_ ? board.open_in_row(row, word + 1) << (kWordBits - 1) : 0;
        return (open << 1 | before) & (open >> 1 | after) & board.open_in_row(row - 1, word) &
               board.open_in_row(row + 1, word);
    }

    std::size_t words_ = 0;
    std::vector<Word> set_;  // [row][word]
    Cell last_{0, 0};        // taken
};

}  // namespace nonocsp
