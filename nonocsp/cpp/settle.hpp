// Settle (Batenburg & Kosters 2009): removes from a line every candidate that no placement of the clue leaves
// possible. Complete, for one and for several colours, bit-parallel over positions.
//
// A line is one plane (set of cells) a colour, plane 0 the background. One pass finds left to right, block by
// block, the starts that fit everything before them; a pass on the mirrored line finds what fits everything
// after; what fits both ways occurs in a placement. Blocks of one colour need a background cell between them,
// others may touch. Cost: O(blocks + kinds * log length + colours) operations on Bits.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "bits.hpp"
#include "clue.hpp"

namespace nonocsp {

// What the passes leave behind; allocated once for many lines.
template <class Bits>
struct Workspace {
    std::vector<Bits> runs;           // [kind] starts of runs of that length that may have that colour
    std::vector<Bits> mirrored_runs;  // [kind] the same on the mirrored line
    std::vector<Bits> found;          // [kind] starts that occur in a placement
    std::vector<Bits> starts;         // [block] starts that fit everything before
    std::vector<Bits> gaps;           // [gap] background cells that fit everything before
    std::vector<Bits> exits;          // [gap] mirrored: where the gap may begin for everything after to fit

    explicit Workspace(std::size_t blocks = 0) { reserve(blocks); }

    void reserve(std::size_t blocks) {
        if (blocks < gaps.size()) return;
        for (auto* sets : {&runs, &mirrored_runs, &found, &starts, &gaps, &exits}) sets->resize(blocks + 1);
    }
};

// A gap as a pass leaves it: the cells it may cover, and the cells where the next block may start.
template <class Bits>
struct Gap {
    Bits cells;
    Bits next;
};

// The gap that begins at one of `begins`; an open one may have no cell.
template <bool kOpen, class Bits>
Gap<Bits> gap_from(const Bits& begins, const Bits& background) {
    const Bits cells = fill_up(begins & background, background);
    const Bits next = shift_up(cells, 1);
    if constexpr (kOpen) return {cells, next | begins};
    return {cells, next};
}

template <bool kTouching, class Bits>
Gap<Bits> gap_from(const Bits& begins, const Bits& background, bool open) {
    if constexpr (kTouching)
        if (open) return gap_from<true>(begins, background);
    return gap_from<false>(begins, background);
}

// Lists the runs of every kind of one colour, on the line and on its mirror image.
template <class Bits>
void find_runs(std::span<const Step> steps, Bits cells, Bits mirrored, Workspace<Bits>& work) {
    for (const Step step : steps) {
        cells &= shift_down(cells, step.shift);
        mirrored &= shift_down(mirrored, step.shift);
        work.runs[step.kind] = cells;
        work.mirrored_runs[step.kind] = mirrored;
        work.found[step.kind] = Bits{};
    }
}

// The cells that blocks of one colour with these starts cover. The steps, in any order, add up to the length.
template <class Bits>
Bits covered(std::span<const Step> steps, const std::vector<Bits>& starts) {
    Bits cells{};
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        cells |= starts[step->kind];
        cells |= shift_up(cells, step->shift);
    }
    return cells;
}

// The first cell of a line read backwards.
template <class Bits>
Bits mirrored_origin(const Clue& clue) {
    return single<Bits>(kWords<Bits> * kWordBits - clue.length);
}

// Both passes at once, since neither waits for the other: left to right the starts and the gap cells that fit
// everything before them; from the right, on the mirrored line, where each gap may begin for everything after
// to fit.
template <bool kTouching, class Bits>
void pass_both_ways(const Clue& clue, const Bits& background, const Bits& mirrored, Workspace<Bits>& work) {
    const std::size_t last = clue.blocks.size();
    Gap<Bits> left = gap_from<true>(single<Bits>(0), background);
    Gap<Bits> right = gap_from<true>(mirrored_origin<Bits>(clue), mirrored);
    work.gaps[0] = left.cells;
    work.exits[last] = right.next;
    for (std::size_t j = 0; j < last; ++j) {
        const std::size_t m = last - 1 - j;
        const Block before = clue.blocks[j], after = clue.blocks[m];
        work.starts[j] = work.runs[before.kind] & left.next;
        left = gap_from<kTouching>(past_end(work.starts[j], before.length), background, before.open_after);
        work.gaps[j + 1] = left.cells;
        const Bits ends = work.mirrored_runs[after.kind] & right.next;
        right = gap_from<kTouching>(past_end(ends, after.length), mirrored, after.open_before);
        work.exits[m] = kTouching && after.open_before ? right.next : right.cells;
    }
}

// The starts of block j that fit both ways; `exit` is where the gap after it may begin, seen from the right.
template <class Bits>
Bits possible_starts(const Clue& clue, std::size_t j, const Bits& exit, const Workspace<Bits>& work) {
    return work.starts[j] & shift_down(exit, clue.blocks[j].exit_shift);
}

// What fits both ways: collects the starts by kind and returns the background cells.
template <class Bits>
Bits combine(const Clue& clue, Workspace<Bits>& work) {
    Bits background = work.gaps[0] & reversed(work.exits[0]);
    for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
        const Bits exit = reversed(work.exits[j + 1]);
        work.found[clue.blocks[j].kind] |= possible_starts(clue, j, exit, work);
        background |= work.gaps[j + 1] & exit;
    }
    return background;
}

// Settles a line of kWords<Bits> words a plane into `settled` (which may not overlap it). Returns false if no
// placement fits; `settled` is then untouched.
template <class Bits>
bool settle(const Clue& clue, std::span<const Word> planes, std::span<Word> settled, Workspace<Bits>& work) {
    constexpr std::size_t words = kWords<Bits>;
    if (!clue.fits) return false;
    work.reserve(clue.blocks.size());
    const Bits background = load<Bits>(planes.data());
    const Bits mirrored_background = reversed(background);
    for (const ColourSteps& colour : clue.colours) {
        const Bits cells = load<Bits>(&planes[colour.colour * words]);
        find_runs(clue.steps_of(colour), cells, reversed(cells), work);
    }
    if (clue.touching)
        pass_both_ways<true>(clue, background, mirrored_background, work);
    else
        pass_both_ways<false>(clue, background, mirrored_background, work);
    const Bits gaps = combine(clue, work);
    assert((gaps & background) == gaps);
    // If nothing fits, then no start of any block fits both ways.
    if ((clue.blocks.empty() ? gaps : work.found[clue.blocks[0].kind]) == Bits{}) return false;
    if (settled.size() > (clue.colours.size() + 1) * words)
        std::fill(settled.begin(), settled.end(), Word{0});
    store(settled.data(), gaps);
    for (const ColourSteps& colour : clue.colours)
        store(&settled[colour.colour * words], covered(clue.steps_of(colour), work.found));
    return true;
}

// Whether some placement of the clue fits the line: the forward pass alone.
template <class Bits>
bool feasible(const Clue& clue, std::span<const Word> planes, Workspace<Bits>& work) {
    if (!clue.fits) return false;
    work.reserve(clue.blocks.size());
    const Bits background = load<Bits>(planes.data());
    for (const ColourSteps& colour : clue.colours) {
        Bits cells = load<Bits>(&planes[colour.colour * kWords<Bits>]);
        for (const Step step : clue.steps_of(colour)) {
            cells &= shift_down(cells, step.shift);
            work.runs[step.kind] = cells;
        }
    }
    const Gap<Bits> tail = gap_from<true>(mirrored_origin<Bits>(clue), reversed(background));
    Gap<Bits> gap = gap_from<true>(single<Bits>(0), background);
    Bits ends = gap.cells;
    for (const Block block : clue.blocks) {
        const Bits starts = work.runs[block.kind] & gap.next;
        ends = shift_up(starts, std::size_t{block.length} - 1);
        gap = gap_from<true>(past_end(starts, block.length), background, block.open_after);
    }
    return (ends & reversed(tail.next)) != Bits{};
}

}  // namespace nonocsp
