// Settle (Batenburg & Kosters 2009): removes from a line every candidate that no placement of the clue leaves
// possible. Complete, for one and for several colours, bit-parallel over positions.
//
// A line is one plane (set of cells) a colour, plane 0 the background. One pass from the left finds, block by
// block, the starts that fit everything before them. A pass on the mirrored line finds those that fit
// everything after. A start that fits both ways occurs in a placement. Blocks of one colour need a background
// cell between them, others may touch.
//
// All blocks have the same freedom, the clue's slack: a block starts 0..slack cells after its earliest cell.
// So its starts are a set of offsets, a narrow one even on a long line, and so are the cells of the gap after
// it, from the earliest end on. A block hands its offset to the gap unchanged; a gap can only raise it.
// Cost: O(blocks) operations on offsets and O(kinds * log length + colours) operations on planes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <type_traits>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"
#include "line/window.hpp"

namespace nonocsp {

// The results of the passes, allocated once for many lines.
struct Workspace {
    std::vector<Word> background;     // planes: of the line, then of all placements
    std::vector<Word> mirrored;       // planes: of the background, then of the colour at hand
    std::vector<Word> runs;           // [kind] starts of runs of that length that may have that colour
    std::vector<Word> mirrored_runs;  // [kind] the same on the mirrored line
    std::vector<Word> found;          // [kind] starts that occur in a placement
    std::vector<Word> starts;         // [block] offsets of the starts that fit everything before
    std::vector<Word> gaps;           // [gap] offsets of the background cells that fit everything before
    std::vector<Word> exits;          // [gap] mirrored: where it may begin for everything after to fit

    template <LineOfPlanes Line>
    void reserve(const Line& line, std::size_t blocks) {
        const std::size_t words = (blocks + 1) * kWords<typename Line::Offsets>;
        if (words <= gaps.size() && line.room(blocks) <= runs.size()) return;
        for (auto* planes : {&background, &mirrored}) planes->resize(line.room(2));
        for (auto* planes : {&runs, &mirrored_runs, &found})
            planes->resize(std::max(planes->size(), line.room(blocks)));
        for (auto* sets : {&starts, &gaps, &exits}) sets->resize(std::max(sets->size(), words));
    }
};

// A gap after the pass from the left: the cells that it may cover, and where the next block may start. A gap
// that is not open begins one cell before the next block's earliest.
template <class Offsets>
struct Gap {
    Offsets cells;
    Offsets next;
};

template <bool kOpen, class Offsets>
Gap<Offsets> gap_after(const Offsets& begins, const Offsets& background) {
    const Offsets cells = fill_up(begins & background, background);
    if constexpr (kOpen) return {cells, step_up(cells) | begins};
    return {cells, cells};
}

template <bool kTouching, class Offsets>
Gap<Offsets> gap_after(const Offsets& begins, const Offsets& background, bool open) {
    if constexpr (kTouching)
        if (open) return gap_after<true>(begins, background);
    return gap_after<false>(begins, background);
}

// Where a gap may begin that ends before one of these starts; everything mirrored.
template <bool kOpen, class Offsets>
Offsets gap_before(const Offsets& starts, const Offsets& background) {
    if constexpr (kOpen) return fill_up(step_up(starts) & background, background) | starts;
    return fill_up(starts & background, background);
}

template <bool kTouching, class Offsets>
Offsets gap_before(const Offsets& starts, const Offsets& background, bool open) {
    if constexpr (kTouching)
        if (open) return gap_before<true>(starts, background);
    return gap_before<false>(starts, background);
}

// Where the gap after the last block may begin, mirrored: it ends at the line's end.
template <LineOfPlanes Line>
typename Line::Offsets last_exit(const Line& line, const Clue& clue, const Word* mirrored) {
    using Offsets = typename Line::Offsets;
    assert(clue.slack < kWords<Offsets> * kWordBits);
    const Offsets end = single<Offsets>(kWords<Offsets> * kWordBits - 1 - clue.slack);
    return gap_before<true>(end, line.mirrored_window(mirrored, clue.blocks.back().gap_after));
}

// Both passes at once, since neither waits for the other. From the left: the starts and the gap cells that
// fit everything before them. From the right, on the mirrored line: where each gap may begin so that
// everything after fits.
template <bool kTouching, LineOfPlanes Line>
void pass_both_ways(const Line& line, const Clue& clue, Workspace& work) {
    using Offsets = typename Line::Offsets;
    constexpr std::size_t words = kWords<Offsets>;
    const Word *background = line.plane_of(work.background, 0), *mirrored = line.plane_of(work.mirrored, 0);
    const std::size_t last = clue.blocks.size();
    Gap<Offsets> left = gap_after<true>(single<Offsets>(0), line.window(background, 0));
    Offsets right = last_exit(line, clue, mirrored), fits{};
    store(&work.gaps[0], left.cells);
    store(&work.exits[last * words], right);
    for (std::size_t j = 0; j < last; ++j) {
        const std::size_t m = last - 1 - j;
        const Block &before = clue.blocks[j], &after = clue.blocks[m];
        const Offsets starts =
            line.window(line.plane_of(work.runs, before.kind), before.earliest) & left.next;
        left = gap_after<kTouching>(starts, line.window(background, before.gap_after), before.open_after);
        store(&work.starts[j * words], starts);
        store(&work.gaps[(j + 1) * words], left.cells);
        fits =
            line.mirrored_window(line.plane_of(work.mirrored_runs, after.kind), after.earliest_last) & right;
        right =
            gap_before<kTouching>(fits, line.mirrored_window(mirrored, after.gap_before), after.open_before);
        store(&work.exits[m * words], right);
    }
    store(&work.exits[0], gap_before<true>(fits, line.mirrored_window(mirrored, 0)));
    if (clue.slack == 0) store(&work.gaps[last * words], Offsets{});  // the blocks leave the last gap no cell
}

// The i-th of these sets of offsets.
template <class Offsets>
Offsets at(const std::vector<Word>& sets, std::size_t i) {
    return load<Offsets>(&sets[i * kWords<Offsets>]);
}

// Where a gap may begin for everything after to fit.
template <LineOfPlanes Line>
typename Line::Offsets exit_of(const Line&, std::size_t gap, const Workspace& work) {
    return reversed(at<typename Line::Offsets>(work.exits, gap));
}

// The cells of an open gap that fit both ways: those after which it may end, at once or later. The gap could
// begin in the next cell too, which is one offset further.
template <class Offsets>
Offsets open_gap(const Offsets& cells, const Offsets& exit) {
    return cells & step_down(exit);
}

// The offsets of block j that fit both ways.
template <LineOfPlanes Line>
typename Line::Offsets possible_starts(const Line& line, std::size_t j, const Workspace& work) {
    return at<typename Line::Offsets>(work.starts, j) & exit_of(line, j + 1, work);
}

// Whether the sets of starts that fit both ways are all empty or all not: a placement has a start of each
// block. For assertions.
template <LineOfPlanes Line>
bool starts_agree(const Line& line, const Clue& clue, const Workspace& work) {
    const auto is_empty = [&](std::size_t j) {
        return possible_starts(line, j, work) == typename Line::Offsets{};
    };
    for (std::size_t j = 1; j < clue.blocks.size(); ++j)
        if (is_empty(j) != is_empty(0)) return false;
    return true;
}

// Collects what fits both ways: the starts by kind, and the background.
template <bool kTouching, LineOfPlanes Line>
void combine(const Line& line, const Clue& clue, Workspace& work) {
    using Offsets = typename Line::Offsets;
    const auto gap = [&](std::size_t i) { return at<Offsets>(work.gaps, i); };
    Word* background = line.plane_of(work.background, 1);
    line.add(background, 0, open_gap(gap(0), exit_of(line, 0, work)));
    for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
        const Block& block = clue.blocks[j];
        const Offsets exit = exit_of(line, j + 1, work);
        // The last gap is open too, but may begin in each of its cells: all up to the end are background.
        const bool open = kTouching && block.open_after;
        line.add(background, block.gap_after, open ? open_gap(gap(j + 1), exit) : gap(j + 1) & exit);
        line.add(line.plane_of(work.found, block.kind), block.earliest, at<Offsets>(work.starts, j) & exit);
    }
}

// Prepares the background and the runs of all kinds, and their mirror images.
template <LineOfPlanes Line>
void read_line(const Line& line, const Clue& clue, std::span<const Word> planes, Workspace& work) {
    std::copy_n(planes.data(), line.words, line.plane_of(work.background, 0));
    std::fill_n(line.plane_of(work.background, 1), line.words, Word{0});
    line.mirror(planes.data(), line.plane_of(work.mirrored, 0));
    assert(planes.size() % line.words == 0);
    for (const ColourSteps& colour : clue.colours) {
        assert((colour.colour + std::size_t{1}) * line.words <= planes.size());
        const Word* cells = &planes[colour.colour * line.words];
        line.mirror(cells, line.plane_of(work.mirrored, 1));
        line.find_runs(clue.steps_of(colour), cells, line.plane_of(work.mirrored, 1), work);
    }
}

// Writes what was found.
template <LineOfPlanes Line>
void write_line(const Line& line, const Clue& clue, std::span<Word> settled, Workspace& work) {
    if (settled.size() > (clue.colours.size() + 1) * line.words)
        std::fill(settled.begin(), settled.end(), Word{0});
    std::copy_n(line.plane_of(work.background, 1), line.words, settled.data());
    for (const ColourSteps& colour : clue.colours) {
        line.cover(clue.steps_of(colour), work.found, line.plane_of(work.mirrored, 1));
        std::copy_n(line.plane_of(work.mirrored, 1), line.words, &settled[colour.colour * line.words]);
    }
}

// Whether all cells of a line are in a plane.
inline bool covers(std::span<const Word> plane, std::size_t length) {
    for (std::size_t i = 0; i * kWordBits < length; ++i) {
        const std::size_t cells = std::min(length - i * kWordBits, kWordBits);
        if (~plane[i] << (kWordBits - cells) != 0) return false;
    }
    return true;
}

// Writes the offsets of every block's possible starts, words_for(slack + 1) words each; false if there are
// none.
template <LineOfPlanes Line>
bool find_offsets(const Line& line, const Clue& clue, std::span<const Word> planes, std::span<Word> offsets,
                  Workspace& work) {
    using Offsets = typename Line::Offsets;
    assert(clue.fits && !clue.blocks.empty() && clue.slack < kWords<Offsets> * kWordBits);
    work.reserve(line, clue.blocks.size());
    read_line(line, clue, planes, work);
    clue.touching ? pass_both_ways<true>(line, clue, work) : pass_both_ways<false>(line, clue, work);
    assert(starts_agree(line, clue, work));
    if (possible_starts(line, 0, work) == Offsets{}) return false;
    const std::size_t words = words_for(clue.slack + 1);
    for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
        std::array<Word, kWords<Offsets>> set;
        store(set.data(), possible_starts(line, j, work));
        assert(highest(set.data(), set.size()) <= clue.slack);
        std::copy_n(set.data(), words, &offsets[j * words]);
    }
    return true;
}

// Settles a line into `settled` (which may not overlap it). Returns false if no placement fits; `settled` is
// then untouched.
template <LineOfPlanes Line>
bool settle(const Line& line, const Clue& clue, std::span<const Word> planes, std::span<Word> settled,
            Workspace& work) {
    assert(clue.fits && !clue.blocks.empty() && clue.slack < kWords<typename Line::Offsets> * kWordBits);
    work.reserve(line, clue.blocks.size());
    read_line(line, clue, planes, work);
    if (clue.touching) {
        pass_both_ways<true>(line, clue, work);
        combine<true>(line, clue, work);
    } else {
        pass_both_ways<false>(line, clue, work);
        combine<false>(line, clue, work);
    }
    assert(starts_agree(line, clue, work));
    // If nothing fits, then no start of any block fits both ways.
    const Word* found = line.plane_of(work.found, clue.blocks[0].kind);
    if (std::all_of(found, found + line.words, [](Word word) { return word == 0; })) return false;
    write_line(line, clue, settled, work);
    return true;
}

// Whether some placement in one colour fits a line of less than a word. Sets are of cells, not of offsets, so
// nothing is moved to and fro: explanations ask this more often than anything else.
inline bool feasible_in_a_word(const Clue& clue, Word background, Word cells) {
    assert(clue.length < kWordBits && clue.colours.size() == 1);
    std::array<Word, kWordBits> runs;  // [kind] where runs begin
    for (const Step step : clue.steps_of(clue.colours[0])) runs[step.kind] = cells &= cells >> step.shift;
    // From where a gap may begin to where the block after it may: a carry runs through the background, one
    // cell beyond.
    const auto after_gap = [&](Word begins) {
        return begins | (((begins & background) + background) ^ background);
    };
    Word starts = after_gap(1), ends = 0;
    for (const Block& block : clue.blocks) {
        ends = (starts & runs[block.kind]) << block.length();
        starts = after_gap((ends & background) << 1);
    }
    const Word line = (Word{1} << clue.length) - 1, other = line & ~background;
    return other == 0 ? ends != 0 : ends >> std::bit_width(other) != 0;
}

// The end of the last cell that is not background, 0 if there is none.
inline std::size_t end_of_blocks(std::span<const Word> background, std::size_t length) {
    for (std::size_t i = words_for(length); i-- > 0;) {
        const std::size_t cells = std::min(length - i * kWordBits, kWordBits);
        if (const Word other = ~background[i] & ~Word{0} >> (kWordBits - cells); other != 0)
            return i * kWordBits + static_cast<std::size_t>(std::bit_width(other));
    }
    return 0;
}

// Whether some placement of the clue fits the line: the forward pass alone. It mirrors nothing, since only
// the last start of the last block matters: it leaves the fewest cells to the gap after it.
template <LineOfPlanes Line>
bool feasible(const Line& line, const Clue& clue, std::span<const Word> planes, Workspace& work) {
    if constexpr (std::is_same_v<Line, ShortLine>)
        if (clue.colours.size() == 1 && clue.length < kWordBits)
            return feasible_in_a_word(clue, planes[0], planes[clue.colours[0].colour]);
    using Offsets = typename Line::Offsets;
    work.reserve(line, clue.blocks.size());
    std::copy_n(planes.data(), line.words, line.plane_of(work.background, 0));
    for (const ColourSteps& colour : clue.colours)
        line.find_runs(clue.steps_of(colour), &planes[colour.colour * line.words], work.runs);
    Offsets next =
        gap_after<true>(single<Offsets>(0), line.window(line.plane_of(work.background, 0), 0)).next;
    Offsets starts{};
    for (const Block& block : clue.blocks) {
        starts = line.window(line.plane_of(work.runs, block.kind), block.earliest) & next;
        const Offsets background = line.window(line.plane_of(work.background, 0), block.gap_after);
        next = gap_after<true>(starts, background, block.open_after).next;
    }
    if (starts == Offsets{}) return false;
    std::array<Word, kWords<Offsets>> last;
    store(last.data(), starts);
    const std::size_t end =
        clue.blocks.back().earliest_last + std::size_t{1} + highest(last.data(), last.size());
    return end >= end_of_blocks(planes.first(line.words), clue.length);
}

}  // namespace nonocsp
