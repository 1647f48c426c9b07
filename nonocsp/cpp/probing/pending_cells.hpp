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
        : words_(words_for(columns)),
          set_(rows * words_for(columns)),
          beside_(words_for(rows)),
          others_(words_for(rows)) {}

    void add(Cell cell) {
        assert(cell.column / kWordBits < words_ && cell.row * words_ < set_.size());
        set_[cell.row * words_ + cell.column / kWordBits] |= Word{1} << cell.column % kWordBits;
        beside_[cell.row / kWordBits] |= Word{1} << cell.row % kWordBits;
    }

    // Call it when a cell of a row has lost a candidate.
    void note_change(std::size_t row) {
        const std::size_t rows = set_.size() / words_;
        add_cells(beside_.data(), row > 0 ? row - 1 : 0, row + 2 < rows ? row + 2 : rows);
    }

    // Removes and returns the next open cell.
    template <PartialGrid Grid>
    std::optional<Cell> take(const Grid& board) {
        const auto open = [&](std::size_t row, std::size_t word) { return board.open_in_row(row, word); };
        const auto open_beside = [&](std::size_t row, std::size_t word) {
            return open(row, word) & ~surrounded(board, row, word);
        };
        const auto keep = [&](std::size_t row) { others_[row / kWordBits] |= Word{1} << row % kWordBits; };
        if (const auto cell = take_of(board, beside_, open_beside, keep)) return cell;
        return take_of(board, others_, open, [](std::size_t) {});
    }

  private:
    // The first waiting cell after the last one that is among cells(row, word), in one of `rows`. Rows
    // without any are removed, which calls removed(row).
    template <PartialGrid Grid, class Cells, class Removed>
    std::optional<Cell> take_of(const Grid& board, std::vector<Word>& rows, Cells cells, Removed removed) {
        if (set_.empty()) return std::nullopt;
        const std::size_t count = board.lines(Axis::kRow);
        assert(set_.size() == count * words_);
        for (std::size_t i = 0, row = last_.row; i <= count; ++i, row = row + 1 < count ? row + 1 : 0) {
            if (!contains(rows.data(), row)) continue;
            Word ahead = i == 0 ? ~Word{0} << last_.column % kWordBits : ~Word{0};
            for (std::size_t word = i == 0 ? last_.column / kWordBits : 0; word < words_; ++word) {
                Word& waiting = set_[row * words_ + word];
                const Word found = waiting == 0 ? 0 : waiting & ahead & cells(row, word);
                ahead = ~Word{0};
                if (found == 0) continue;
                waiting ^= found & -found;
                last_ = {row, word * kWordBits + static_cast<std::size_t>(std::countr_zero(found))};
                assert(!std::has_single_bit(board.candidates(last_)));
                return last_;
            }
            if (i == 0) continue;
            rows[row / kWordBits] &= ~(Word{1} << row % kWordBits);
            removed(row);
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
    std::vector<Word> set_;     // [row][word]
    std::vector<Word> beside_;  // rows: all that have waiting open cells beside a decided one or the border
    std::vector<Word> others_;  // rows: all others that have waiting open cells
    Cell last_{0, 0};           // taken
};

}  // namespace nonocsp
