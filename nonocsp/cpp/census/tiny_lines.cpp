#include "census/tiny_lines.hpp"

#include <bit>
#include <cassert>
#include <map>
#include <stdexcept>

namespace nonocsp {
namespace {

// The lengths of a content's blocks.
std::vector<int> blocks_of(std::size_t content) {
    std::vector<int> lengths;
    while (content != 0) {
        content >>= std::countr_zero(content);
        lengths.push_back(std::countr_one(content));
        content >>= lengths.back();
    }
    return lengths;
}

std::size_t checked(std::size_t length) {
    if (length < 1 || length > TinyLines::kMostCells)
        throw std::invalid_argument("a tiny line has 1 to 18 cells");
    return length;
}

}  // namespace

TinyLines::TinyLines(std::size_t length) : length_(checked(length)), clue_(std::size_t{1} << length) {
    std::map<std::vector<int>, std::uint16_t> numbers;
    for (std::size_t content = 0; content < contents(); ++content) {
        const auto next = static_cast<std::uint16_t>(placements_.size());
        const auto [entry, is_new] = numbers.try_emplace(blocks_of(content), next);
        if (is_new) placements_.emplace_back();
        clue_[content] = entry->second;
        placements_[entry->second].push_back(static_cast<Line>(content));
    }
    assert(placements_.size() == numbers.size());
}

TinyLines::Line TinyLines::mirrored(std::size_t content) const {
    std::size_t mirrored = 0;
    for (std::size_t cell = 0; cell < length_; ++cell) mirrored = mirrored << 1 | (content >> cell & 1);
    return static_cast<Line>(mirrored);
}

}  // namespace nonocsp
