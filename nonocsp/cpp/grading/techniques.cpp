// The techniques of one line: first those that push blocks and count cells, then those that look at runs, the
// parts of blocks that are found.
#include "grading/techniques.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <set>
#include <stdexcept>

#include "line/placements.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"

namespace nonocsp {
namespace {

// Adds a finding if it narrows a cell.
void add_finding(std::vector<LineFinding>& findings, const LineState& line, const Kept& allowed,
                 StepReason reason, BlockList blocks = {}) {
    Kept cells = line.narrowed(allowed);
    if (!cells.empty()) findings.push_back({std::move(cells), std::move(reason), std::move(blocks)});
}

// Has a reason name its blocks, or say how many they are.
void name_blocks(StepReason& reason, const BlockList& blocks) {
    reason.block_count = blocks.size();
    if (blocks.size() <= 2) reason.blocks = blocks;
}

// The cells first..end - 1 with the candidates `kept`.
Kept cells_with(int first, int end, Word kept) {
    Kept cells;
    for (int cell = first; cell < end; ++cell) cells.emplace_back(cell, kept);
    return cells;
}

// Narrows the cells that `wanted` picks.
template <class Wanted>
Kept picked(const LineState& line, Word kept, Wanted wanted) {
    Kept cells;
    for (int i = 0; i < line.size(); ++i)
        if (wanted(line[i])) cells.emplace_back(i, kept);
    return cells;
}

// Finds that one of several colours, the background included, has all its cells, or needs all that are left.
void find_finished_colour(std::vector<LineFinding>& found, const LineState& line, std::size_t colour,
                          int blocks) {
    const Word bit = Word{1} << colour;
    int able = 0, decided = 0, need = colour == 0 ? line.size() - blocks : 0;
    for (const Word cell : line.cells()) {
        able += (cell & bit) != 0 ? 1 : 0;
        decided += cell == bit ? 1 : 0;
    }
    for (std::size_t j = 0; colour != 0 && j < line.blocks().size(); ++j)
        need += line.blocks()[j].colour == colour ? line.length(j) : 0;
    const auto is_open = [&](Word cell) { return (cell & bit) != 0 && cell != bit; };
    if (need == decided)
        add_finding(found, line, picked(line, ~bit, is_open),
                    {.why = need != 0 ? Why::kFinishedColour : Why::kFinishedNone, .colour = colour});
    else if (need == able)
        add_finding(found, line, picked(line, bit, is_open), {.why = Why::kFinishedAll, .colour = colour});
}

// Finds the cells that a block covers wherever it lies.
std::vector<LineFinding> find_covered(const LineState& line, const std::vector<Window>& windows, Why why) {
    std::vector<LineFinding> found;
    for (std::size_t j = 0; j < windows.size(); ++j) {
        const Window& window = windows[j];
        const Word colour = Word{1} << window.colour;
        int first = window.latest;
        while (first < window.certain_end() && line[first] == colour) ++first;
        if (first >= window.certain_end()) continue;
        const BlockList block{static_cast<std::uint16_t>(j)};
        add_finding(found, line, cells_with(first, window.certain_end(), colour),
                    {.why = why,
                     .first = window.earliest,
                     .last = window.last(),
                     .other_first = window.latest,
                     .other_last = window.certain_end() - 1,
                     .blocks = block,
                     .block_count = 1},
                    block);
    }
    return found;
}

std::set<std::size_t> colours_of(const LineState& line) {
    std::set<std::size_t> colours;
    for (const Block& block : line.blocks()) colours.insert(block.colour);
    return colours;
}

bool are_fixed(const std::vector<Window>& windows) {
    return std::ranges::all_of(windows,
                               [](const Window& window) { return window.earliest == window.latest; });
}

// Names the blocks of a colour that come nearest to some cells from both sides.
StepReason out_of_reach(const LineState& line, int first, int last, std::size_t colour) {
    StepReason reason{.why = Why::kReachBetween, .colour = colour};
    bool has_before = false, has_behind = false;
    for (std::size_t j = 0; j < line.anchored().size(); ++j) {
        const Window& window = line.anchored()[j];
        if (window.colour != colour) continue;
        const auto block = static_cast<std::uint16_t>(j);
        if (window.last() < first) {
            reason.blocks = {block};
            reason.first = window.last();
            has_before = true;
        } else if (window.earliest > last) {
            reason.blocks.push_back(block);
            reason.other_first = window.earliest;
            has_behind = true;
            break;
        }
    }
    reason.block_count = reason.blocks.size();
    if (!has_behind) reason.why = Why::kReachBefore;
    if (!has_before) reason.why = Why::kReachBehind;
    return reason;
}

// The colour for `length` cells from `start` on, toward 1 (right) or -1 (left).
Kept colour_from(int start, int toward, int length, std::size_t colour) {
    Kept cells;
    for (int i = 0; i < length; ++i) cells.emplace_back(start + toward * i, Word{1} << colour);
    return cells;
}

// Has a reason name the block of a run, or the length of the shortest of its possible blocks.
void name_shortest(StepReason& reason, const LineState& line, const BlockList& owners) {
    const auto [least, most] = line.lengths(owners);
    reason.block_count = owners.size();
    if (owners.size() == 1) {
        reason.blocks = owners;
        return;
    }
    reason.length = static_cast<std::size_t>(least);
    reason.is_least = least != most;
}

std::vector<LineFinding> find_finished(const LineState& line) {
    std::vector<LineFinding> found;
    int blocks = 0, in_runs = 0;
    for (std::size_t j = 0; j < line.blocks().size(); ++j) blocks += line.length(j);
    for (const Run& run : line.runs()) in_runs += run.length();
    const auto is_open = [](Word cell) { return !std::has_single_bit(cell); };
    const auto background = std::ranges::count(line.cells(), Word{1});
    if (in_runs == blocks) {
        const Why why = line.blocks().empty() ? Why::kFinishedEmpty : Why::kFinished;
        add_finding(found, line, picked(line, 1, is_open), {.why = why});
    } else if (line.size() - background == blocks) {
        add_finding(found, line, picked(line, ~Word{1}, is_open), {.why = Why::kFinishedNeeded});
    } else {
        for (std::size_t colour = 0; colour < line.colours(); ++colour)
            find_finished_colour(found, line, colour, blocks);
    }
    return found;
}

std::vector<LineFinding> find_fit(const LineState& line) {
    std::vector<LineFinding> found;
    if (line.blocks().empty() || !are_fixed(line.packed())) return found;
    Kept cells = cells_with(0, line.size(), 1);
    BlockList blocks;
    for (const Window& window : line.packed()) {
        blocks.push_back(static_cast<std::uint16_t>(blocks.size()));
        for (int i = window.latest; i < window.certain_end(); ++i)
            cells[static_cast<std::size_t>(i)].second = Word{1} << window.colour;
    }
    const Why why = are_fixed(line.bare()) ? Why::kFitFull : Why::kFit;
    add_finding(found, line, cells, {.why = why, .count = static_cast<std::uint64_t>(line.size())},
                std::move(blocks));
    return found;
}

std::vector<LineFinding> find_overlap(const LineState& line) {
    return find_covered(line, line.packed(), Why::kOverlap);
}

std::vector<LineFinding> find_anchor(const LineState& line) {
    return find_covered(line, line.anchored(), Why::kAnchor);
}

std::vector<LineFinding> find_gap(const LineState& line) {
    std::vector<LineFinding> found;
    for (const std::size_t colour : colours_of(line))
        for (int first = 0, end = 0; first < line.size(); first = end + 1) {
            end = first;
            while (!line.is_wall(end, colour)) ++end;
            if (end == first) continue;
            BlockList near;
            for (std::size_t j = 0; j < line.bare().size(); ++j) {
                const Window& window = line.bare()[j];
                if (window.colour == colour && window.earliest < end && first <= window.last())
                    near.push_back(static_cast<std::uint16_t>(j));
            }
            if (near.empty() || line.lengths(near).first <= end - first) continue;
            StepReason reason{.why = Why::kGap,
                              .first = first,
                              .last = end - 1,
                              .count = static_cast<std::uint64_t>(end - first)};
            name_blocks(reason, near);
            add_finding(found, line, cells_with(first, end, ~(Word{1} << colour)), reason, near);
        }
    return found;
}

std::vector<LineFinding> find_reach(const LineState& line) {
    std::vector<LineFinding> found;
    for (const std::size_t colour : colours_of(line)) {
        std::vector<std::uint8_t> is_covered(line.cells().size());
        for (const Window& window : line.anchored())
            for (int i = window.earliest; window.colour == colour && i <= window.last(); ++i)
                is_covered[static_cast<std::size_t>(i)] = 1;
        const auto is_new = [&](int i) {
            return !line.is_wall(i, colour) && is_covered[static_cast<std::size_t>(i)] == 0;
        };
        for (int first = 0, end = 0; first < line.size(); first = end + 1) {
            end = first;
            while (is_new(end)) ++end;
            if (end > first)
                add_finding(found, line, cells_with(first, end, ~(Word{1} << colour)),
                            out_of_reach(line, first, end - 1, colour));
        }
    }
    return found;
}

std::vector<LineFinding> find_edge(const LineState& line) {
    std::vector<LineFinding> found;
    for (const Run& run : line.runs())
        for (const int toward : {1, -1}) {
            const int start = toward > 0 ? run.first : run.last;
            if (!line.is_wall(start - toward, run.colour)) continue;
            if (line.is_wall(start + toward * run.length(), run.colour)) continue;  // it is a whole block
            const BlockList owners = line.owners(run);
            const auto [least, most] = line.lengths(owners);
            Kept cells = colour_from(start, toward, least, run.colour);
            if (least == most && !line.narrowed(cells).empty())
                cells.emplace_back(start + toward * least, ~(Word{1} << run.colour));
            StepReason reason{.why = toward > 0 ? Why::kEdgeStarts : Why::kEdgeEnds,
                              .first = start,
                              .last = start,
                              .other_first = start - toward};
            name_shortest(reason, line, owners);
            add_finding(found, line, cells, reason, owners);
        }
    return found;
}

std::vector<LineFinding> find_glue(const LineState& line) {
    std::vector<LineFinding> found;
    for (const Run& run : line.runs())
        for (const int toward : {1, -1}) {
            const int start = toward > 0 ? run.first : run.last;
            int wall = start - toward;
            while (!line.is_wall(wall, run.colour)) wall -= toward;
            const int space = std::abs(start - wall) - 1;
            if (space == 0) continue;
            const BlockList owners = line.owners(run);
            StepReason reason{.why = Why::kGlue,
                              .first = start,
                              .last = start,
                              .other_first = wall,
                              .count = static_cast<std::uint64_t>(space)};
            name_shortest(reason, line, owners);
            add_finding(found, line,
                        colour_from(start, toward, line.lengths(owners).first - space, run.colour), reason,
                        owners);
        }
    return found;
}

std::vector<LineFinding> find_complete(const LineState& line) {
    std::vector<LineFinding> found;
    for (const Run& run : line.runs()) {
        if (line.is_wall(run.first - 1, run.colour) && line.is_wall(run.last + 1, run.colour)) continue;
        const BlockList owners = line.owners(run);
        if (run.length() != line.lengths(owners).second) continue;
        const Word kept = ~(Word{1} << run.colour);
        StepReason reason{.why = Why::kComplete,
                          .first = run.first,
                          .last = run.last,
                          .count = static_cast<std::uint64_t>(run.length())};
        name_blocks(reason, owners);
        add_finding(found, line, {{run.first - 1, kept}, {run.last + 1, kept}}, reason, owners);
    }
    return found;
}

std::vector<LineFinding> find_join(const LineState& line) {
    std::vector<LineFinding> found;
    for (std::size_t i = 0; i + 1 < line.runs().size(); ++i) {
        const Run &run = line.runs()[i], &other = line.runs()[i + 1];
        if (run.colour != other.colour) continue;
        const BlockList before = line.owners(run), behind = line.owners(other);
        if (before.front() < behind.back()) continue;  // they may be of two blocks
        BlockList owners;
        std::ranges::set_intersection(before, behind, std::back_inserter(owners));
        StepReason reason{.why = Why::kJoin, .first = run.first, .other_first = other.first};
        name_blocks(reason, owners);
        add_finding(found, line, cells_with(run.last + 1, other.first, Word{1} << run.colour), reason,
                    owners);
    }
    return found;
}

std::vector<LineFinding> find_split(const LineState& line) {
    std::vector<LineFinding> found;
    for (std::size_t i = 0; i + 1 < line.runs().size(); ++i) {
        const Run &run = line.runs()[i], &other = line.runs()[i + 1];
        const Run joined{run.first, other.last, run.colour};
        if (run.colour != other.colour || other.first - run.last != 2 || !line.owners(joined).empty())
            continue;
        BlockList owners;
        std::ranges::set_union(line.owners(run), line.owners(other), std::back_inserter(owners));
        add_finding(found, line, {{run.last + 1, ~(Word{1} << run.colour)}},
                    {.why = Why::kSplit,
                     .first = run.first,
                     .other_first = other.first,
                     .count = static_cast<std::uint64_t>(joined.length())},
                    owners);
    }
    return found;
}

std::vector<LineFinding> find_settled(const LineState& line) {
    std::vector<Word> planes(words_for(line.cells().size()) * line.colours()), settled(planes.size());
    pack_line(line.cells().data(), 1, line.cells().size(), line.colours(), planes.data());
    if (!make_settler(line.cells().size())->settle(line.clue(), planes, settled))
        throw std::invalid_argument("no placement of the clue fits the line");
    std::vector<Word> cells(line.cells().size());
    unpack_line(settled.data(), cells.size(), line.colours(), cells.data());
    Kept allowed;
    for (std::size_t i = 0; i < cells.size(); ++i) allowed.emplace_back(static_cast<int>(i), cells[i]);
    std::vector<LineFinding> found;
    add_finding(found, line, allowed,
                {.why = Why::kSettle, .count = Placements(line.clue(), planes).count()});
    return found;
}

}  // namespace

std::vector<LineFinding> findings(Technique technique, const LineState& line) {
    using Find = std::vector<LineFinding> (*)(const LineState&);
    static constexpr std::array<Find, kTechniques> kFind{
        nullptr,  find_finished, find_fit,   find_overlap, find_edge,   find_glue,    find_complete,
        find_gap, find_join,     find_split, find_reach,   find_anchor, find_settled, nullptr};
    const Find find = kFind[index(technique)];
    return find == nullptr ? std::vector<LineFinding>() : find(line);
}

}  // namespace nonocsp
