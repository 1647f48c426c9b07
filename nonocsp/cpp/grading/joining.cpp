// Techniques that look at runs, the parts of blocks that are found.
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "grading/techniques.hpp"

namespace nonocsp {
namespace {

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

}  // namespace

std::vector<LineFinding> find_edge(const LineState& line) {
    std::vector<LineFinding> found;
    for (const Run& run : line.runs())
        for (const int toward : {1, -1}) {
            const int start = toward > 0 ? run.first : run.last;
            if (!line.is_wall(start - toward, run.colour)) continue;
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

}  // namespace nonocsp
