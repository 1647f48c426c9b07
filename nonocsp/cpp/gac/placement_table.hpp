// The placements of one line as a compact table (Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin &
// Schaus, Compact-Table, 2016): for every candidate of an open cell, the set of placements that give the cell
// this colour. Memory: a bit a placement and candidate.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "line/placements.hpp"

namespace nonocsp {

class PlacementTable {
  public:
    // Takes all placements of a stream at its beginning, which was made for `line`.
    PlacementTable(Placements& placements, std::span<const Word> line, std::size_t length, Watch& watch);

    // The placements are numbered in lexicographic order.
    std::size_t size() const { return size_; }

    // The placements that give a cell a colour; null if the cell was decided, or the colour no candidate.
    const Word* with(std::size_t cell, std::size_t colour) const {
        assert(cell < length_ && colour * length_ < plane_at_.size());
        const std::size_t plane = plane_at_[colour * length_ + cell];
        return plane == kNone ? nullptr : &planes_[plane];
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    std::size_t lay_planes(std::span<const Word> line);
    void add(const Placements& placements, std::size_t number);

    std::size_t length_, size_;
    std::vector<std::size_t> plane_at_;  // [colour][cell] its first word
    std::vector<Word> planes_;
};

}  // namespace nonocsp
