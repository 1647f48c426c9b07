#include "grading/line_state.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

#include "grading/techniques.hpp"
#include "line/placements.hpp"
#include "line/planes.hpp"
#include "line/settler.hpp"

namespace nonocsp {

BlockList LineState::owners(const Run& run) const {
    BlockList owners;
    for (std::size_t j = 0; j < anchored().size(); ++j)
        if (anchored()[j].can_cover(run)) owners.push_back(static_cast<std::uint16_t>(j));
    return owners;
}

std::pair<int, int> LineState::lengths(const BlockList& blocks) const {
    assert(!blocks.empty());
    int least = length(blocks.front()), most = least;
    for (const std::uint16_t block : blocks) {
        least = std::min(least, length(block));
        most = std::max(most, length(block));
    }
    return {least, most};
}

Kept LineState::narrowed(const Kept& allowed) const {
    Kept kept;
    for (const auto& [cell, candidates] : allowed)
        if (cell >= 0 && cell < size() && ((*this)[cell] & ~candidates) != 0)
            kept.emplace_back(cell, (*this)[cell] & candidates);
    return kept;
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

std::vector<LineFinding> findings(Technique technique, const LineState& line) {
    using Find = std::vector<LineFinding> (*)(const LineState&);
    static constexpr std::array<Find, kTechniques> kFind{
        nullptr,  find_finished, find_fit,   find_overlap, find_edge,   find_glue,    find_complete,
        find_gap, find_join,     find_split, find_reach,   find_anchor, find_settled, nullptr};
    const Find find = kFind[index(technique)];
    return find == nullptr ? std::vector<LineFinding>() : find(line);
}

}  // namespace nonocsp
