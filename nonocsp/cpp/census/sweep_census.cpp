#include "census/sweep_census.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <stdexcept>
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
    if (std::max(shard.first, shard.last) >= rows_.lines().contents())
        throw std::invalid_argument("there is no such shard");
    // Every sweep but the first makes a cell known, so there are not more sweeps than cells and one.
    Histogram histogram(rows_.count() * columns_.count() + 2);
    Chosen chosen = with_row({}, 0, shard.first);
    if (rows_.count() > 1) chosen = with_row(chosen, rows_.count() - 1, shard.last);
    choose(chosen, 1, watch, histogram);
    return histogram;
}

SweepCensus::Chosen SweepCensus::with_row(Chosen chosen, std::size_t row, std::size_t content) const {
    assert(row < rows_.count() && (chosen.across & rows_.across(row, rows_.lines().contents() - 1)) == 0);
    chosen.rows[row] = rows_.settled(content);
    chosen.across |= rows_.across(row, content);
    chosen.known_across |= chosen.rows[row][0] << row;
    return chosen;
}

void SweepCensus::choose(const Chosen& chosen, std::size_t row, Watch& watch, Histogram& histogram) const {
    if (row + 1 >= rows_.count()) {
        const Word known = columns_.sweep(columns_.settled_lines(chosen.across), chosen.known_across);
        ++histogram[grade(chosen.rows, chosen.across, chosen.known_across, known)];
        return;
    }
    if (row + 2 == rows_.count()) return choose_last(chosen, row, histogram);
    for (std::size_t content = 0; content < rows_.lines().contents(); ++content) {
        watch.check();
        choose(with_row(chosen, row, content), row + 1, watch, histogram);
    }
}

void SweepCensus::choose_last(Chosen chosen, std::size_t row, Histogram& histogram) const {
    // The result of settling a column depends on its cell in this row: its content, and whether it is known.
    std::array<std::array<Word, 4>, TinyLines::kMostCells> settled;
    for (std::size_t i = 0; i < columns_.count(); ++i)
        for (std::size_t cell = 0; cell < 4; ++cell) {
            const std::size_t content = columns_.line(chosen.across, i) | (cell & 1) << row;
            const std::size_t known = columns_.line(chosen.known_across, i) | (cell >> 1) << row;
            settled[i][cell] = columns_.settled(content)[known] << i;
        }
    for (std::size_t content = 0; content < rows_.lines().contents(); ++content) {
        const std::size_t seen = rows_.lines().settled(content, 0);
        Word known = 0;
        for (std::size_t i = 0; i < columns_.count(); ++i)
            known |= settled[i][(content >> i & 1) | (seen >> i & 1) << 1];
        const Word across = chosen.across | rows_.across(row, content);
        chosen.rows[row] = rows_.settled(content);
        ++histogram[grade(chosen.rows, across, chosen.known_across | chosen.rows[row][0] << row, known)];
    }
}

std::size_t SweepCensus::grade(const TinyAxis::AllSettled& rows, Word across, Word known_across,
                               Word known) const {
    if (known_across == full_) return 1;
    if (known == full_) return 2;
    const TinyAxis::AllSettled columns = columns_.settled_lines(across);
    assert((known & ~full_) == 0 && std::popcount(known_across) <= std::popcount(known));
    for (std::size_t sweeps = 3;; sweeps += 2) {
        known_across = rows_.sweep(rows, known);
        if (known_across == full_) return sweeps;
        if (known == std::exchange(known, columns_.sweep(columns, known_across))) return kNotSimple;
        if (known == full_) return sweeps + 1;
    }
}

}  // namespace nonocsp
