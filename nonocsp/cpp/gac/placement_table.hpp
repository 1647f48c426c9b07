// The placements of one line as a compact table (Demeulenaere, Hartert, Lecoutre, Perez, Perron, Régin &
// Schaus, Compact-Table, 2016): for every open cell and every colour that it may have, the set of placements
// that give it that colour. Memory: a bit a placement and candidate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "line/placements.hpp"

namespace nonocsp {

class PlacementTable {
  public:
    // Takes all placements of a stream at its beginning; `line` is what they were fitted to.
    PlacementTable(Placements& placements, std::span<const Word> line, std::size_t length, Watch& watch);

    // The placements are numbered in lexicographic order.
    std::size_t size() const { return size_; }

    // Those that give a cell a colour; null for a cell that was decided, or a colour that it could not have.
    const Word* with(std::size_t cell, std::size_t colour) const {
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
