#include "census/differences.hpp"

#include <algorithm>
#include <bit>

#include "base/bits.hpp"

namespace nonocsp {
namespace {

Difference difference_of(std::uint32_t cells) {
    assert(std::popcount(cells) >= 2);
    const std::uint32_t without_first = cells & (cells - 1);
    return {static_cast<std::uint8_t>(std::countr_zero(cells)),
            static_cast<std::uint8_t>(std::countr_zero(without_first)), without_first & (without_first - 1)};
}

// The sets, small ones first, that have a cell which no subset of theirs has.
std::vector<std::uint32_t> needed(std::vector<std::uint32_t> sets) {
    std::ranges::stable_sort(sets, {}, [](std::uint32_t set) { return std::popcount(set); });
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t set : sets) {
        std::uint32_t covered = 0;
        for (const std::uint32_t part : kept)
            if ((part & ~set) == 0) covered |= part;
        if (covered != set) kept.push_back(set);
    }
    return kept;
}

}  // namespace

Differences::Differences(const TinyLines& lines) : starts_{0} {
    for (std::size_t content = 0; content < lines.contents(); ++content) {
        std::vector<std::uint32_t> sets;
        for (const std::uint32_t placement : lines.placements(lines.clue(content)))
            if (placement != content) sets.push_back(placement ^ static_cast<std::uint32_t>(content));
        for (const std::uint32_t set : needed(std::move(sets))) differences_.push_back(difference_of(set));
        starts_.push_back(differences_.size());
    }
}

}  // namespace nonocsp
