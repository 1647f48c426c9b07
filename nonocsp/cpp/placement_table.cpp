#include "placement_table.hpp"

#include "planes.hpp"

namespace nonocsp {

PlacementTable::PlacementTable(Placements& placements, std::span<const Word> line, std::size_t length,
                               Watch& watch)
    : length_(length),
      size_(static_cast<std::size_t>(placements.count())),
      plane_of_(line.size() / words_for(length) * length, kNone),
      planes_(number_planes(line) * words_for(size_)) {
    for (std::size_t number = 0; number < size_; ++number) {
        watch.check();
        placements.next();
        add(placements, number);
    }
}

// Gives every candidate of an open cell a plane; returns how many there are.
std::size_t PlacementTable::number_planes(std::span<const Word> line) {
    std::uint32_t planes = 0;
    for_each_open_candidate(line, words_for(length_), [&](std::size_t cell, std::size_t colour) {
        plane_of_[colour * length_ + cell] = planes++;
    });
    return planes;
}

void PlacementTable::add(const Placements& placements, std::size_t number) {
    const Word here = Word{1} << number % kWordBits;
    Word* planes = planes_.data() + number / kWordBits;
    placements.for_each_run(0, [&](std::size_t colour, std::size_t first, std::size_t end) {
        for (std::size_t cell = first; cell < end; ++cell) {
            const std::uint32_t plane = plane_of_[colour * length_ + cell];
            if (plane != kNone) planes[plane * words_for(size_)] |= here;
        }
    });
}

}  // namespace nonocsp
