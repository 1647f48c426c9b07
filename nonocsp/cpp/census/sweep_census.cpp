#include "census/sweep_census.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

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

constexpr std::size_t kNotSimple = 0;

// Bit i: whether bit `position` of i is 1.
template <class Bits>
Bits numbers_with(std::size_t position) {
    Bits bits{};
    for (std::size_t i = 0; i < kWords<Bits> * kWordBits; ++i)
        if (i >> position & 1) bits |= single<Bits>(i);
    return bits;
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

SweepCensus::Axis::Axis(std::size_t count, std::size_t length, std::size_t to_next_line,
                        std::size_t to_next_cell)
    : count(count),
      to_next_line(to_next_line),
      to_next_cell(to_next_cell),
      lines(length),
      differences(lines) {}

SweepCensus::SweepCensus(std::size_t rows, std::size_t columns)
    : rows_are_many_((check_size(rows, columns), rows >= columns)),
      many_(std::max(rows, columns), std::min(rows, columns), std::min(rows, columns), 1),
      few_(many_.lines.length(), many_.count, 1, many_.lines.length()) {
    choose_free_cells();
    for (std::size_t i = 0; i < std::size_t{1} << free_.size(); ++i) all_ |= single<Images>(i);
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> by_many(many_.count), by_few(few_.count);
    for (std::size_t i = 0; i < free_.size(); ++i) {
        by_many[free_[i].first].emplace_back(free_[i].second, i);
        by_few[free_[i].second].emplace_back(free_[i].first, i);
    }
    for (const auto& free : by_many) many_.variants.push_back(variants(free));
    for (const auto& free : by_few) few_.variants.push_back(variants(free));
}

// Spreads the free cells, because a line with k of them has 2^k variants.
void SweepCensus::choose_free_cells() {
    std::vector<std::size_t> in_many(many_.count), in_few(few_.count);
    for (std::size_t one = 1; one + 1 < many_.count; ++one)
        for (std::size_t other = 0; other < few_.count; ++other) fixed_.emplace_back(one, other);
    while (free_.size() < kMostFree && !fixed_.empty()) {
        const auto next = std::ranges::min_element(
            fixed_, {}, [&](const Cell& cell) { return in_many[cell.first] + in_few[cell.second]; });
        ++in_many[next->first];
        ++in_few[next->second];
        free_.push_back(*next);
        fixed_.erase(next);
    }
}

// `free` has the free cells of a line, each with its position in `free_`.
std::vector<SweepCensus::Variant> SweepCensus::variants(
    const std::vector<std::pair<std::size_t, std::size_t>>& free) const {
    std::vector<Variant> variants;
    for (std::size_t chosen = 0; chosen < std::size_t{1} << free.size(); ++chosen) {
        Variant variant{0, all_};
        for (std::size_t i = 0; i < free.size(); ++i) {
            const bool filled = (chosen >> i & 1) != 0;
            const Images images = numbers_with<Images>(free[i].second);
            variant.content |= std::uint32_t{filled} << free[i].first;
            variant.images &= filled ? images : ~images;
        }
        variants.push_back(variant);
    }
    return variants;
}

std::vector<Shard> SweepCensus::shards() const {
    return shards_of(many_.count, many_.lines.contents(),
                     [&](std::size_t content) { return many_.lines.mirrored(content); });
}

SweepCensus::Histogram SweepCensus::count(const Shard& shard, Watch& watch) const {
    if (std::max(shard.first, shard.last) >= many_.lines.contents())
        throw std::invalid_argument("there is no such shard");
    // Every sweep but the first makes a cell known, so there are not more sweeps than cells and one.
    Histogram histogram(many_.count * few_.count + 2);
    for (std::uint64_t choice = 0; choice < batches_per_shard(); ++choice) {
        watch.check();
        grade(shard, choice, histogram);
    }
    return histogram;
}

void SweepCensus::grade(const Shard& shard, std::uint64_t choice, Histogram& histogram) const {
    Contents many{}, few{};
    many[0] = static_cast<std::uint32_t>(shard.first);
    many[many_.count - 1] = static_cast<std::uint32_t>(shard.last);
    for (std::size_t i = 0; i < fixed_.size(); ++i)
        many[fixed_[i].first] |= static_cast<std::uint32_t>(choice >> i & 1) << fixed_[i].second;
    for (std::size_t line = 0; line < many_.count; ++line)
        for_each_cell(many[line], 0, [&](std::size_t cell) { few[cell] |= std::uint32_t{1} << line; });

    Open open;
    std::fill_n(open.begin(), many_.count * few_.count, all_);
    Images left = all_;
    for (std::size_t sweeps = 1; left != Images{}; ++sweeps) {
        assert(sweeps < histogram.size());
        const bool of_rows = sweeps % 2 == 1;
        const Swept swept = of_rows == rows_are_many_ ? many_.sweep(many, open) : few_.sweep(few, open);
        histogram[sweeps] += size_of(left & ~swept.open);
        left &= swept.open;
        if (sweeps == 1) continue;  // a useless h-sweep at the start says nothing about the columns
        histogram[kNotSimple] += size_of(left & ~swept.changed);
        left &= swept.changed;
    }
}

SweepCensus::Swept SweepCensus::Axis::sweep(const Contents& contents, Open& open) const {
    Swept swept{};
    for (std::size_t line = 0; line < count; ++line) {
        std::array<Images, TinyLines::kMostCells> before, after;
        Images* const own = &open[line * to_next_line];
        for (std::size_t cell = 0; cell < lines.length(); ++cell) {
            before[cell] = own[cell * to_next_cell];
            after[cell] = {};
        }
        for (const Variant& variant : variants[line])
            for (const Difference& difference : differences.of(contents[line] | variant.content)) {
                Images fits = variant.images & before[difference.first] & before[difference.second];
                for_each_cell(difference.others, 0, [&](std::size_t cell) { fits &= before[cell]; });
                after[difference.first] |= fits;
                after[difference.second] |= fits;
                for_each_cell(difference.others, 0, [&](std::size_t cell) { after[cell] |= fits; });
            }
        for (std::size_t cell = 0; cell < lines.length(); ++cell) {
            swept.open |= after[cell];
            swept.changed |= before[cell] & ~after[cell];
            own[cell * to_next_cell] = after[cell];
        }
    }
    return swept;
}

}  // namespace nonocsp
