// GP1 and GP2 (the relations of the group-based probing paper after Wu et al.): groups of cells with two
// candidates whose values are equal, or opposite, in every solution, as a union-find with parity. The value
// of such a cell is its lower or its higher candidate. Groups only merge down a search path, where they are
// copied. Memory: 13 bytes a cell.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace nonocsp {

class Groups {
  public:
    // A group for every cell; cells are numbers.
    explicit Groups(std::size_t cells = 0) : parent_(cells), size_(cells, 1), opposite_(cells) {
        std::iota(parent_.begin(), parent_.end(), 0U);
        next_ = parent_;
    }

    bool empty() const { return parent_.empty(); }

    std::size_t size_of(std::size_t cell) const { return size_[root_of(cell).cell]; }

    // Joins the groups of two cells; false if that contradicts what is known of them.
    bool join(std::size_t a, std::size_t b, bool opposite) {
        Member above = root_of(a), below = root_of(b);
        const bool differ = opposite != (above.opposite != below.opposite);
        if (above.cell == below.cell) return !differ;
        if (size_[above.cell] < size_[below.cell]) std::swap(above, below);
        parent_[below.cell] = static_cast<std::uint32_t>(above.cell);
        opposite_[below.cell] = differ;
        size_[above.cell] += size_[below.cell];
        std::swap(next_[above.cell], next_[below.cell]);
        assert(ring_size(a) == size_of(a));
        return true;
    }

    // Calls visit(member, whether it is opposite to the cell) for the group of a cell, the cell first.
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

    // The number of cells in the ring of a cell's group. For assertions.
    std::size_t ring_size(std::size_t cell) const {
        std::size_t size = 0;
        for_each_member(cell, [&](std::size_t, bool) { ++size; });
        return size;
    }

    // The root of a cell's group, and whether the cell is opposite to it; logarithmic, since the smaller
    // group hangs below the larger one.
    Member root_of(std::size_t cell) const {
        assert(cell < parent_.size());
        bool opposite = false;
        for (; parent_[cell] != cell; cell = parent_[cell]) opposite ^= opposite_[cell] != 0;
        return {cell, opposite};
    }

    std::vector<std::uint32_t> parent_, size_;  // the size is that of the group, at its root
    std::vector<std::uint32_t> next_;           // the members of a group in a ring
    std::vector<std::uint8_t> opposite_;        // to the parent
};

}  // namespace nonocsp
