#include "sweep_census.hpp"

#include <array>
#include <utility>

namespace nonocsp {
namespace {

constexpr std::size_t kNotSimple = 0;

}  // namespace

SweepCensus::SweepCensus(std::size_t rows, std::size_t columns)
    : rows_(rows, columns), columns_(columns, rows), full_(~Word{0} >> (kWordBits - rows * columns)) {}

std::vector<Shard> SweepCensus::shards() const {
    std::vector<std::size_t> mirrored;
    for (std::size_t content = 0; content < rows_.lines().contents(); ++content)
        mirrored.push_back(rows_.lines().mirrored(content));
    return shards_of(rows_.count(), mirrored);
}

std::vector<std::uint64_t> SweepCensus::count(const Shard& shard, Watch& watch) const {
    // Every sweep but the first makes a cell known.
    Histogram histogram(rows_.count() * columns_.count() + 2);
    Chosen chosen = with_row({}, 0, shard.first);
    if (rows_.count() > 1) chosen = with_row(chosen, rows_.count() - 1, shard.last);
    choose(chosen, 1, watch, histogram);
    return histogram;
}

SweepCensus::Chosen SweepCensus::with_row(Chosen chosen, std::size_t row, std::size_t content) const {
    chosen.image |= rows_.along(row, content);
    chosen.across |= rows_.across(row, content);
    chosen.known_across |= rows_.across(row, rows_.lines().settled(content, 0));
    return chosen;
}

void SweepCensus::choose(const Chosen& chosen, std::size_t row, Watch& watch, Histogram& histogram) const {
    if (row + 1 >= rows_.count()) {
        ++histogram[grade(chosen, columns_.sweep(chosen.across, chosen.known_across))];
        return;
    }
    if (row + 2 == rows_.count()) return choose_last(chosen, row, histogram);
    for (std::size_t content = 0; content < rows_.lines().contents(); ++content) {
        watch.check();
        choose(with_row(chosen, row, content), row + 1, watch, histogram);
    }
}

void SweepCensus::choose_last(const Chosen& chosen, std::size_t row, Histogram& histogram) const {
    // What a column settles to depends on its cell of this row: the content, and whether it is known.
    std::array<std::array<Word, 4>, TinyLines::kMostCells> settled;
    for (std::size_t i = 0; i < columns_.count(); ++i)
        for (std::size_t cell = 0; cell < 4; ++cell) {
            const Word image = chosen.across | columns_.along(i, (cell & 1) << row);
            const Word known = chosen.known_across | columns_.along(i, (cell >> 1) << row);
            settled[i][cell] = columns_.settled(image, known, i);
        }
    for (std::size_t content = 0; content < rows_.lines().contents(); ++content) {
        const std::size_t seen = rows_.lines().settled(content, 0);
        Word known = 0;
        for (std::size_t i = 0; i < columns_.count(); ++i)
            known |= settled[i][(content >> i & 1) | (seen >> i & 1) << 1];
        ++histogram[grade(with_row(chosen, row, content), known)];
    }
}

std::size_t SweepCensus::grade(const Chosen& chosen, Word known) const {
    if (chosen.known_across == full_) return 1;
    for (std::size_t sweeps = 2;; sweeps += 2) {
        if (known == full_) return sweeps;
        const Word known_across = rows_.sweep(chosen.image, known);
        if (known_across == full_) return sweeps + 1;
        if (known == std::exchange(known, columns_.sweep(chosen.across, known_across))) return kNotSimple;
    }
}

}  // namespace nonocsp
