#include "grading/line_state.hpp"

#include <algorithm>
#include <cassert>

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

}  // namespace nonocsp
