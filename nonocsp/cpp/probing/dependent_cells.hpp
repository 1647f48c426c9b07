// The cells to probe again when a line changes: those whose last probes looked at it, listed by line. An
// entry is void once its cell is probed again; void entries go when a list is full or its line changes.
// Memory: 8 bytes for each line that the last probes of a cell looked at, at most twice that with the void
// ones.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/coordinates.hpp"

namespace nonocsp {

class DependentCells {
  public:
    DependentCells() = default;
    DependentCells(std::size_t rows, std::size_t columns)
        : number_(rows), columns_(columns), probes_(rows * columns), lists_(rows + columns) {}

    // A cell depends on no line.
    void clear(Cell cell) { ++probes_[cell.row * columns_ + cell.column]; }

    void add(LineId line, Cell cell) {
        std::vector<Entry>& list = lists_[number_(line)];
        if (list.size() == list.capacity()) {
            std::erase_if(list, [this](const Entry& entry) { return !is_valid(entry); });
            if (2 * list.size() >= list.capacity()) list.reserve(2 * list.capacity() + 4);
        }
        list.push_back({static_cast<std::uint16_t>(cell.row), static_cast<std::uint16_t>(cell.column),
                        probes_[cell.row * columns_ + cell.column]});
    }

    // Calls visit(cell) for the cells that depend on a line, and empties its list.
    template <class Visit>
    void take(LineId line, Visit visit) {
        for (const Entry& entry : lists_[number_(line)])
            if (is_valid(entry)) visit(Cell{entry.row, entry.column});
        lists_[number_(line)].clear();
    }

  private:
    struct Entry {
        std::uint16_t row, column;
        std::uint32_t probe;  // the cell's number of probes
    };

    bool is_valid(const Entry& entry) const {
        return probes_[entry.row * columns_ + entry.column] == entry.probe;
    }

    LineNumbers number_{0};
    std::size_t columns_ = 0;
    std::vector<std::uint32_t> probes_;  // by cell
    std::vector<std::vector<Entry>> lists_;
};

}  // namespace nonocsp
