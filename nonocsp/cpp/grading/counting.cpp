// Techniques that push blocks and count cells.
#include <algorithm>
#include <bit>
#include <set>

#include "grading/techniques.hpp"

namespace nonocsp {
namespace {

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
        if (window.latest >= window.certain_end()) continue;
        const BlockList block{static_cast<std::uint16_t>(j)};
        add_finding(found, line, cells_with(window.latest, window.certain_end(), Word{1} << window.colour),
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

}  // namespace

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

}  // namespace nonocsp
