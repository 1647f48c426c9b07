// GP1 and GP2 (the relations of the group-based probing paper after Wu et al.): cells of two candidates that
// have equal, or opposite, values in every solution, as a union-find with parity. The value of such a cell is
// its lower or its higher candidate; parity says whether two cells of a group have opposite ones. Copied down
// a search path, where groups only merge. Memory: 13 bytes a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace nonocsp {

class Groups {
  public:
    // Every cell by itself; cells are numbers.
    explicit Groups(std::size_t cells = 0) : parent_(cells), size_(cells, 1), opposite_(cells) {
        std::iota(parent_.begin(), parent_.end(), 0U);
        next_ = parent_;
    }

    bool empty() const { return parent_.empty(); }

    std::size_t size_of(std::size_t cell) const { return size_[root_of(cell).cell]; }

    // Joins the groups of two cells; false if the cells are already known to be the other way round.
    bool join(std::size_t a, std::size_t b, bool opposite) {
        Member above = root_of(a), below = root_of(b);
        const bool differ = opposite != (above.opposite != below.opposite);
        if (above.cell == below.cell) return !differ;
        if (size_[above.cell] < size_[below.cell]) std::swap(above, below);
        parent_[below.cell] = static_cast<std::uint32_t>(above.cell);
        opposite_[below.cell] = differ;
        size_[above.cell] += size_[below.cell];
        std::swap(next_[above.cell], next_[below.cell]);
        return true;
    }

    // Calls visit(member, opposite to the cell) for the whole group of a cell, itself first.
    template <class Visit>
    void for_each_member(std::size_t cell, Visit visit) const {
        const bool parity = root_of(cell).opposite;
        std::size_t member = cell;
        do {
            visit(member, root_of(member).opposite != parity);
            member = next_[member];
        } while (member != cell);
    }

  private:
    struct Member {
        std::size_t cell;
        bool opposite;
    };

    // The root of a cell's group, and whether the cell is opposite to it; logarithmic, since the smaller
    // group hangs below the larger one.
    Member root_of(std::size_t cell) const {
        bool opposite = false;
        for (; parent_[cell] != cell; cell = parent_[cell]) opposite ^= opposite_[cell] != 0;
        return {cell, opposite};
    }

    std::vector<std::uint32_t> parent_, size_, next_;  // next: the members of a group in a ring
    std::vector<std::uint8_t> opposite_;               // to the parent
};

}  // namespace nonocsp
