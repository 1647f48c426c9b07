// The cells to probe again when a line changes: those whose last probes looked at it. On up to 64 x 64 cells
// each cell has the set of its lines. On more, cells are listed by line. An entry is void once its cell is
// probed again; void entries go when a list is full or its line changes. Memory: 16 bytes a cell, or 8 for
// each line that the last probes of a cell looked at, at most twice that with the void ones.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "grid/small_propagator.hpp"

namespace nonocsp {

// A set of lines of a board.
template <PartialGrid Grid>
class LineSet {
  public:
    LineSet(std::size_t rows, std::size_t columns) : words_(words_for(std::max(rows, columns))) {
        if constexpr (!kIsSmall<Grid>) bits_.resize(2 * words_);
    }

    void add(LineId id) {
        bits_[index(id.axis) * words() + id.position / kWordBits] |= Word{1} << id.position % kWordBits;
    }
    void add(const LineSet& other) {
        for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
    }
    void intersect(const LineSet& other) {
        for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
    }
    void clear() { std::ranges::fill(bits_, Word{0}); }

    // Calls visit(line), for rows first.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Axis axis : {Axis::kRow, Axis::kColumn})
            for (std::size_t i = 0; i < words(); ++i)
                for_each_cell(bits_[index(axis) * words() + i], i * kWordBits,
                              [&](std::size_t position) { visit(LineId{axis, position}); });
    }

    // The rows and the columns, up to 64 of each.
    std::array<Word, 2> pair() const {
        assert(words() == 1);
        return {bits_[0], bits_[1]};
    }

  private:
    std::size_t words() const { return kIsSmall<Grid> ? 1 : words_; }

    std::size_t words_;  // of an axis
    std::conditional_t<kIsSmall<Grid>, std::array<Word, 2>, std::vector<Word>> bits_{};
};

class DependentCells {
  public:
    DependentCells() = default;
    DependentCells(std::size_t rows, std::size_t columns) : number_(rows), columns_(columns) {
        const bool is_small = rows <= kWordBits && columns <= kWordBits;
        sets_.resize(is_small ? rows * columns : 0);
        probes_.resize(is_small ? 0 : rows * columns);
        lists_.resize(is_small ? 0 : rows + columns);
    }

    // A cell depends on no line.
    void clear(Cell cell) {
        if (lists_.empty())
            sets_[cell.row * columns_ + cell.column] = {};
        else
            ++probes_[cell.row * columns_ + cell.column];
    }

    // A cell, which depends on no line, depends on these.
    template <PartialGrid Grid>
    void add(const LineSet<Grid>& lines, Cell cell) {
        if (lists_.empty())
            sets_[cell.row * columns_ + cell.column] = lines.pair();
        else
            lines.for_each([&](LineId line) { add_to(lists_[number_(line)], cell); });
    }

    // Calls visit(cell) for the open cells of a board that depend on one of the lines, and maybe others that
    // do. Lists are empty then.
    template <PartialGrid Grid, class Visit>
    void take(const LineSet<Grid>& lines, const Grid& board, Visit visit) {
        if (lists_.empty()) {
            const auto [rows, columns] = lines.pair();
            board.for_each_open([&](Cell cell) {
                const auto& [own_rows, own_columns] = sets_[cell.row * columns_ + cell.column];
                if (((own_rows & rows) | (own_columns & columns)) != 0) visit(cell);
            });
            return;
        }
        lines.for_each([&](LineId line) {
            for (const Entry& entry : lists_[number_(line)])
                if (is_valid(entry)) visit(Cell{entry.row, entry.column});
            lists_[number_(line)].clear();
        });
    }

  private:
    struct Entry {
        std::uint16_t row, column;
        std::uint32_t probe;  // the cell's number of probes
    };

    void add_to(std::vector<Entry>& list, Cell cell) {
        if (list.size() == list.capacity()) {
            std::erase_if(list, [this](const Entry& entry) { return !is_valid(entry); });
            if (2 * list.size() >= list.capacity()) list.reserve(2 * list.capacity() + 4);
        }
        list.push_back({static_cast<std::uint16_t>(cell.row), static_cast<std::uint16_t>(cell.column),
                        probes_[cell.row * columns_ + cell.column]});
    }

    bool is_valid(const Entry& entry) const {
        return probes_[entry.row * columns_ + entry.column] == entry.probe;
    }

    LineNumbers number_{0};
    std::size_t columns_ = 0;
    std::vector<std::array<Word, 2>> sets_;  // by cell
    std::vector<std::uint32_t> probes_;      // by cell
    std::vector<std::vector<Entry>> lists_;
};

}  // namespace nonocsp
