// The messages between pixels and segments. A segment tells its neighbours in the chain where it possibly
// starts and ends, and tells a pixel when it can no longer cover it. A pixel keeps the sets of segments that
// possibly cover it, of its row and of its column. When a colour is in only one of them, it tells the
// segments of that colour that they cannot cover it. An object that receives news is triggered: it updates
// its view and tells the others what changed.
//
// Segments are triggered before pixels, up and down the chains, so that news crosses a chain in one run. The
// end, when all are silent, does not depend on the order. Cost: a trigger takes a few operations on sets. An
// object is triggered at most as often as its view shrinks.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/queues.hpp"
#include "base/watch.hpp"
#include "segments/segments.hpp"

namespace nonocsp {

// The local view that a segment keeps of its line, and the update of it when the segment is triggered. Starts
// and ends are sets of borders: border i lies before pixel i, the last one after the last pixel. The possible
// lengths of a white segment need no memory: a length is possible if the pixels in between are compatible and
// the end is possible.
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

// The views of all objects. Flat, so that a search copies it quickly.
template <class Bits>
struct World {
    std::vector<SegmentView<Bits>> segments;
    std::vector<Word> covering;  // [pixel][axis][word] the segments that possibly cover the pixel
    std::vector<Word> colours;   // [pixel] common to them
};

struct MessageCounts {
    std::int64_t messages = 0;
    std::int64_t segment_triggers = 0, pixel_triggers = 0;
};

// Delivers the messages in worlds of one puzzle; serves one thread at a time. Interrupted leaves it unusable.
template <class Bits>
class Messages {
  public:
    // `chains` must outlive it.
    explicit Messages(const Chains& chains)
        : chains_(chains), segments_(chains.segments().size()), pixels_(chains.pixels()) {}

    // The world before the first message.
    World<Bits> unheard_world(Watch& watch) const {
        World<Bits> world;
        world.segments.reserve(chains_.segments().size());
        for (const Segment& segment : chains_.segments()) {
            watch.check();
            world.segments.push_back(unheard<Bits>(segment, chains_.chain_of(segment)));
        }
        world.covering.reserve(chains_.pixels() * chains_.axes().size() * chains_.words());
        for (std::size_t pixel = 0; pixel < chains_.pixels(); ++pixel) {
            watch.check();
            for (const Axis axis : chains_.axes()) {
                const std::span<const Word> whole = chains_.whole(chains_.chain_through(pixel, axis));
                world.covering.insert(world.covering.end(), whole.begin(), whole.end());
            }
        }
        world.colours.assign(chains_.pixels(), ~Word{0} >> (kWordBits - chains_.colours()));
        return world;
    }

    // The size of a world in bytes.
    std::size_t world_size() const {
        return chains_.segments().size() * sizeof(SegmentView<Bits>) +
               chains_.pixels() * (chains_.axes().size() * chains_.words() + 1) * sizeof(Word);
    }

    void trigger_all() {
        segments_.push_all();
        pixels_.push_all();
    }

    // Narrows a pixel to a set of colours; false if none is left.
    bool narrow_pixel(World<Bits>& world, std::size_t pixel, Word colours) {
        assert(pixel < chains_.pixels());
        const Word kept = world.colours[pixel] & colours;
        if (std::exchange(world.colours[pixel], kept) == kept) return kept != 0;
        for (const Axis axis : chains_.axes()) drop_others(world, pixel, axis);
        return kept != 0;
    }

    // Triggers objects until all are silent; false if an object has nothing possible left.
    bool deliver(World<Bits>& world, Watch& watch) {
        bool possible = chains_.fit();
        while (possible && !(segments_.empty() && pixels_.empty())) {
            watch.check();
            possible = segments_.empty() ? trigger_pixel(world, pixels_.pop())
                                         : trigger_segment(world, segments_.pop());
        }
        segments_.clear();
        pixels_.clear();
        return possible;
    }

    const MessageCounts& counts() const { return counts_; }

    // The segments of a pixel's row or column that possibly cover it.
    std::span<const Word> covering(const World<Bits>& world, std::size_t pixel, Axis axis) const {
        return std::span(world.covering).subspan(first_word(pixel, axis), chains_.words());
    }

  private:
    bool trigger_segment(World<Bits>& world, std::size_t id) {
        ++counts_.segment_triggers;
        const Segment& segment = chains_.segments()[id];
        const SegmentView<Bits> now = triggered(segment, world.segments[id]);
        const SegmentView<Bits> before = std::exchange(world.segments[id], now);
        if (now.is_impossible()) return false;
        if (now.starts != before.starts && segment.place > 0)
            meets_at(id - 1, world.segments[id - 1].ends, now.starts);
        if (now.ends != before.ends && !chains_.is_last(segment))
            meets_at(id + 1, world.segments[id + 1].starts, now.ends);
        const Chain& chain = chains_.chain_of(segment);
        for_each_position(before.covered & ~now.covered,
                          [&](std::size_t position) { not_covered(world, chain.pixel(position), segment); });
        return true;
    }

    bool trigger_pixel(World<Bits>& world, std::size_t pixel) {
        ++counts_.pixel_triggers;
        Word common = 0;
        for_each_cell(world.colours[pixel], 0, [&](std::size_t colour) {
            common |= Word{is_supported(world, pixel, colour)} << colour;
        });
        return narrow_pixel(world, pixel, common);
    }

    // The messages to a segment: at which borders its neighbour possibly meets its start or its end, and that
    // it cannot cover a pixel.
    void meets_at(std::size_t id, Bits& own, const Bits& borders) {
        ++counts_.messages;
        const Bits kept = own & borders;
        if (std::exchange(own, kept) != kept) segments_.push(id);
    }

    void cannot_cover(World<Bits>& world, std::size_t id, std::size_t position) {
        assert(position < chains_.chain_of(chains_.segments()[id]).length);
        ++counts_.messages;
        SegmentView<Bits>& view = world.segments[id];
        const Bits others = ~single<Bits>(position);
        view.compatible &= others;
        view.covered &= others;
        segments_.push(id);
    }

    // The message to a pixel: a segment does not cover it.
    void not_covered(World<Bits>& world, std::size_t pixel, const Segment& segment) {
        ++counts_.messages;
        world.covering[first_word(pixel, chains_.axis_of(segment)) + segment.place / kWordBits] &=
            ~(Word{1} << segment.place % kWordBits);
        pixels_.push(pixel);
    }

    bool is_supported(const World<Bits>& world, std::size_t pixel, std::size_t colour) const {
        return std::ranges::all_of(chains_.axes(), [&](Axis axis) {
            const std::span<const Word> own = covering(world, pixel, axis);
            const std::span<const Word> wanted =
                chains_.of_colour(chains_.chain_through(pixel, axis), colour);
            for (std::size_t word = 0; word < own.size(); ++word)
                if ((own[word] & wanted[word]) != 0) return true;
            return false;
        });
    }

    // Drops the segments of colours that a pixel cannot have.
    void drop_others(World<Bits>& world, std::size_t pixel, Axis axis) {
        const std::size_t chain = chains_.chain_through(pixel, axis);
        for (std::size_t word = 0; word < chains_.words(); ++word) {
            Word supported = 0;
            for_each_cell(world.colours[pixel], 0,
                          [&](std::size_t colour) { supported |= chains_.of_colour(chain, colour)[word]; });
            Word& own = world.covering[first_word(pixel, axis) + word];
            for_each_cell(
                std::exchange(own, own & supported) & ~supported, word * kWordBits, [&](std::size_t place) {
                    cannot_cover(world, chains_[chain].first_segment + place, chains_.position(pixel, axis));
                });
        }
    }

    std::size_t first_word(std::size_t pixel, Axis axis) const {
        return (pixel * chains_.axes().size() + index(axis)) * chains_.words();
    }

    const Chains& chains_;
    LiftQueue segments_;  // triggered
    OnceQueue pixels_;    // triggered
    MessageCounts counts_;
};

}  // namespace nonocsp
