// The local view that a segment keeps of its line, and the update of it when the segment is triggered. Starts
// and ends are sets of borders: border i lies before pixel i, the last one after the last pixel. The possible
// lengths of a white segment need no memory: a length is possible if the pixels in between are compatible and
// the end is possible.
#pragma once

#include <algorithm>
#include <cassert>

#include "base/bits.hpp"
#include "segments/segments.hpp"

namespace nonocsp {

template <class Bits>
struct SegmentView {
    Bits compatible;  // pixels that may have the segment's colour
    Bits starts;      // borders where it possibly starts
    Bits ends;        // borders where it possibly ends
    Bits covered;     // pixels that it possibly covers

    bool is_impossible() const { return starts == Bits{}; }
};

// The starts of runs of `length` pixels.
template <class Bits>
Bits run_starts(Bits pixels, std::size_t length) {
    assert(length > 0);
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

// Of any length, with or without 0.
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

// The view of a segment after it was triggered; it lies within the view before.
template <class Bits>
SegmentView<Bits> triggered(const Segment& segment, const SegmentView<Bits>& view) {
    const SegmentView<Bits> now = segment.is_white() ? triggered_white(view, segment.length == 0)
                                                     : triggered_coloured(view, segment.length);
    assert((now.starts & ~view.starts) == Bits{} && (now.ends & ~view.ends) == Bits{});
    assert((now.starts == Bits{}) == (now.ends == Bits{}));
    assert((now.covered & ~view.compatible) == Bits{});
    return now;
}

// The view of a segment before the first message: everything is possible, but the first segment of a chain
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
