// The local view of the world that a segment keeps, and what it works out from it when it is triggered. All
// its possible starts are walked through at once, as sets of borders: border i lies before pixel i, the last
// one after the last pixel. That a white segment has a set of possible lengths for each start needs no memory
// of its own: a length is possible if the pixels in between are compatible and the end is.
#pragma once

#include <algorithm>

#include "base/bits.hpp"
#include "segments/segments.hpp"

namespace nonocsp {

template <class Bits>
struct SegmentView {
    Bits compatible;  // pixels that never said that the segment's colour does not suit them
    Bits starts;      // borders at which it possibly starts,
    Bits ends;        // and ends
    Bits covered;     // pixels that it possibly covers

    bool is_impossible() const { return starts == Bits{}; }
};

// The starts of runs of `length` pixels.
template <class Bits>
Bits run_starts(Bits pixels, std::size_t length) {
    for (std::size_t reached = 1; reached < length;) {
        const std::size_t shift = std::min(reached, length - reached);
        pixels &= moved_down(pixels, shift);
        reached += shift;
    }
    return pixels;
}

// The pixels of runs of `length` from these starts on.
template <class Bits>
Bits run_pixels(Bits starts, std::size_t length) {
    for (std::size_t reached = 1; reached < length;) {
        const std::size_t shift = std::min(reached, length - reached);
        starts |= moved_up(starts, shift);
        reached += shift;
    }
    return starts;
}

template <class Bits>
SegmentView<Bits> triggered_coloured(const SegmentView<Bits>& view, std::size_t length) {
    const Bits starts = view.starts & moved_down(view.ends, length) & run_starts(view.compatible, length);
    return {view.compatible, starts, moved_up(starts, length), run_pixels(starts, length)};
}

// Of any length, or of any but none.
template <class Bits>
SegmentView<Bits> triggered_white(const SegmentView<Bits>& view, bool may_be_empty) {
    const Bits from_starts = fill_up(view.starts & view.compatible, view.compatible);
    Bits ends = step_up(from_starts), starts;
    if (may_be_empty) ends |= view.starts;
    ends &= view.ends;
    starts = fill_down(step_down(ends) & view.compatible, view.compatible);
    const Bits covered = from_starts & starts;
    if (may_be_empty) starts |= ends;
    starts &= view.starts;
    return {view.compatible, starts, ends, covered};
}

// What a segment knows after it was triggered. That a white one is no longer than the line needs no rule.
template <class Bits>
SegmentView<Bits> triggered(const Segment& segment, const SegmentView<Bits>& view) {
    return segment.is_white() ? triggered_white(view, segment.length == 0)
                              : triggered_coloured(view, segment.length);
}

// What a segment takes to be possible before it has heard of anything: all, but that the first of a chain
// starts before the first pixel and the last one ends after the last.
template <class Bits>
SegmentView<Bits> unheard(const Segment& segment, const Chain& chain) {
    const Bits pixels = run_pixels(single<Bits>(0), chain.length);
    const Bits last = single<Bits>(chain.length), borders = pixels | last;
    return {.compatible = pixels,
            .starts = segment.place == 0 ? single<Bits>(0) : borders,
            .ends = segment.place + 1 == chain.segments ? last : borders,
            .covered = pixels};
}

}  // namespace nonocsp
