#include "census/solution_census.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <stdexcept>

namespace nonocsp {
namespace {

constexpr std::size_t kMostOfWide = 12;

TinyAxis row_axis(std::size_t rows, std::size_t columns) {
    check_size(rows, columns);
    const auto [fewer, more] = std::minmax(rows, columns);
    return more <= kMostOfWide ? TinyAxis(fewer, more) : TinyAxis(more, fewer);
}

}  // namespace

void SolutionCensus::Multiset::start(std::size_t most) {
    assert(most > 0);
    bits_ = static_cast<unsigned>(std::bit_width(2 * most));
    if (entries_.size() >> bits_ == 0) {
        entries_.assign(std::size_t{1} << bits_, {});
        epoch_ = 0;
    }
    if (++epoch_ != 0) return;
    std::ranges::fill(entries_, Entry{});
    epoch_ = 1;
}

std::uint32_t SolutionCensus::Multiset::add(Word key) {
    const std::size_t last = (std::size_t{1} << bits_) - 1;
    for (std::size_t at = key * 0x9e3779b97f4a7c15U >> (kWordBits - bits_);; at = (at + 1) & last) {
        Entry& entry = entries_[at];
        assert(epoch_ != 0);  // fresh entries have epoch 0
        if (entry.epoch != epoch_) entry = {key, epoch_, 0};
        if (entry.key == key) return ++entry.count;
    }
}

void SolutionCensus::Counts::add(std::uint32_t solutions) {
    assert(solutions > 0);
    descriptions += solutions == 1;
    unique += solutions == 1;
    unique -= solutions == 2;
    most = std::max<std::uint64_t>(most, solutions);
}

SolutionCensus::SolutionCensus(std::size_t rows, std::size_t columns)
    : rows_(row_axis(rows, columns)),
      columns_(rows_.lines().length(), rows_.count()),
      clue_bits_(static_cast<unsigned>(std::bit_width(columns_.lines().clues() - 1))) {
    if (clue_bits_ * columns_.count() > kWordBits)
        throw std::invalid_argument("the clues of the columns need more than 64 bits");
}

std::vector<Shard> SolutionCensus::shards() const {
    const TinyLines& lines = rows_.lines();
    return shards_of(rows_.count(), lines.clues(), [&](std::size_t clue) {
        return lines.clue(lines.mirrored(lines.placements(clue).front()));
    });
}

SolutionCensus::Counts SolutionCensus::count(const Shard& shard, Watch& watch) const {
    if (std::max(shard.first, shard.last) >= rows_.lines().clues())
        throw std::invalid_argument("there is no such shard");
    Work work{std::vector(rows_.count(), shard.first), {}, {}};
    work.clues.back() = shard.last;
    choose_clue(1, watch, work);
    return work.counts;
}

void SolutionCensus::choose_clue(std::size_t row, Watch& watch, Work& work) const {
    if (row + 1 < rows_.count()) {
        for (std::size_t clue = 0; clue < rows_.lines().clues(); ++clue) {
            work.clues[row] = clue;
            choose_clue(row + 1, watch, work);
        }
        return;
    }
    std::size_t images = 1;
    for (const std::size_t clue : work.clues) images *= rows_.lines().placements(clue).size();
    work.counts.images += images;
    work.seen.start(images);
    choose_placement(0, 0, watch, work);
}

void SolutionCensus::choose_placement(std::size_t row, Word across, Watch& watch, Work& work) const {
    if (row + 1 == rows_.count()) return choose_last_placement(across, work);
    watch.check();
    for (const std::size_t placement : rows_.lines().placements(work.clues[row]))
        choose_placement(row + 1, across | rows_.across(row, placement), watch, work);
}

void SolutionCensus::choose_last_placement(Word across, Work& work) const {
    const std::size_t row = rows_.count() - 1;
    std::array<std::array<Word, 2>, TinyLines::kMostCells> clue;
    for (std::size_t i = 0; i < columns_.count(); ++i)
        clue[i] = {clue_of_column(i, across), clue_of_column(i, across | columns_.along(i, Word{1} << row))};
    for (const std::size_t placement : rows_.lines().placements(work.clues[row])) {
        Word clues = 0;
        for (std::size_t i = 0; i < columns_.count(); ++i) clues |= clue[i][placement >> i & 1];
        work.counts.add(work.seen.add(clues));
    }
    assert(work.counts.unique <= work.counts.descriptions && work.counts.descriptions <= work.counts.images);
}

}  // namespace nonocsp
