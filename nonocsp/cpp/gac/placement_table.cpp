#include "gac/placement_table.hpp"

#include "line/planes.hpp"

namespace nonocsp {

PlacementTable::PlacementTable(Placements& placements, std::span<const Word> line, std::size_t length,
                               Watch& watch)
    : length_(length),
      size_(static_cast<std::size_t>(placements.count())),
      plane_at_(line.size() / words_for(length) * length, kNone),
      planes_(lay_planes(line)) {
    for (std::size_t number = 0; number < size_; ++number) {
        watch.check();
        [[maybe_unused]] const bool is_there = placements.next();
        assert(is_there);
        add(placements, number);
    }
    assert(!placements.next());  // the stream is as long as it was counted
}

// Gives every candidate of an open cell a plane; returns the words that they take.
std::size_t PlacementTable::lay_planes(std::span<const Word> line) {
    std::size_t end = 0;
    for_each_open_candidate(line, words_for(length_), [&](std::size_t cell, std::size_t colour) {
        plane_at_[colour * length_ + cell] = end;
        end += words_for(size_);
    });
    return end;
}

void PlacementTable::add(const Placements& placements, std::size_t number) {
    const Word here = Word{1} << number % kWordBits;
    Word* planes = planes_.data() + number / kWordBits;
    placements.for_each_run(0, [&](std::size_t colour, std::size_t first, std::size_t end) {
        for (std::size_t cell = first; cell < end; ++cell) {
            const std::size_t plane = plane_at_[colour * length_ + cell];
            if (plane != kNone) planes[plane] |= here;
        }
    });
}

}  // namespace nonocsp
