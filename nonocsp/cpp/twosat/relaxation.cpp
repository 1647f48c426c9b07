#include "twosat/relaxation.hpp"

#include <bit>
#include <cassert>
#include <string>

#include "search/search.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMaxClauses = 50'000'000;  // 1.2 GB

}  // namespace

template <class Visit>
void Solver0::for_each_line(Visit visit) const {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < clues_.of(axis).size(); ++i) visit(LineId{axis, i});
}

bool Solver0::intersect(Board& board, const Board& other) {
    bool changed = false;
    for (std::size_t row = 0; row < clues_.rows.size(); ++row) {
        const LineId id{Axis::kRow, row};
        board.narrow(id, other.line(id), [&](std::size_t column) {
            propagator_.touch(id);
            propagator_.touch({Axis::kColumn, column});
            changed = true;
        });
    }
    return changed;
}

bool Solver0::narrow(Board& board, Watch& watch) {
    while (settle(board, watch)) {
        if (!relaxation_) relaxation_ = std::make_unique<Relaxation>(clues_, board);
        const auto literals = forced(board, watch);
        if (!literals) return false;
        if (literals->empty()) return true;
        const CellLiterals& cells = relaxation_->lines.literals();
        [[maybe_unused]] const std::size_t before = board.candidate_count();
        for (const Literal literal : *literals)
            narrow_cell(board, cells.cell(literal), cells.candidates(literal));
        assert(board.candidate_count() < before);  // forced literals are of open cells, so this loop ends
    }
    return false;
}

std::optional<std::vector<Literal>> Solver0::forced(const Board& board, Watch& watch) {
    ++rounds_;
    TwoSat& two_sat = relaxation_->two_sat;
    two_sat.clear();
    for_each_line([&](LineId id) {
        two_sat.add(relaxation_->lines.of(board, id, watch));
        if (two_sat.clauses() > kMaxClauses)
            throw Unsupported("its lines imply more than " + std::to_string(kMaxClauses) +
                              " clauses of two literals");
    });
    return two_sat.forced(watch);
}

std::vector<std::int32_t> Solver0::implications(const Board& board, Watch& watch) {
    const CellLiterals& cells = relaxation_->lines.literals();
    const std::size_t zero = cells.variables();
    std::vector<std::int32_t> clauses_of(2 * zero + 1);  // [literal + zero]
    const auto at = [&](Literal literal) { return zero + static_cast<std::size_t>(literal); };
    for_each_line([&](LineId id) {
        for (const BinaryClause& clause : relaxation_->lines.of(board, id, watch)) {
            ++clauses_of[at(clause.a)];
            ++clauses_of[at(clause.b)];
        }
    });
    std::vector<std::int32_t> count;
    assert(relaxation_ && board.planes_agree());
    board.for_each_open([&](Cell cell) {
        for_each_cell(board.candidates(cell), 0, [&](std::size_t colour) {
            count.push_back(clauses_of[at(-cells.has_colour(cell, colour))]);
        });
    });
    return count;
}

std::int64_t Solver0::settles() const {
    return propagator_.settles() + (relaxation_ ? relaxation_->lines.settles() : 0);
}

std::int64_t Solver0::variables() const {
    return relaxation_ ? static_cast<std::int64_t>(relaxation_->two_sat.variables()) : 0;
}

std::int64_t Solver0::clauses() const {
    return relaxation_ ? static_cast<std::int64_t>(relaxation_->two_sat.clauses()) : 0;
}

bool Solver1::narrow(Board& board, Watch& watch) {
    if (!solver_.narrow(board, watch)) return false;
    const std::size_t columns = board.lines(Axis::kColumn), cells = board.lines(Axis::kRow) * columns;
    std::size_t unchanged = 0;  // the last so many cells narrowed nothing
    for (std::size_t i = 0; unchanged < cells; i = (i + 1) % cells) {
        const Cell cell{i / columns, i % columns};
        ++unchanged;
        if (std::has_single_bit(board.candidates(cell))) continue;
        const std::optional<Board> either = agreed(board, cell, watch);
        if (!either) return false;
        if (!solver_.intersect(board, *either)) continue;
        unchanged = 0;
        if (!solver_.narrow(board, watch)) return false;
    }
    return true;
}

// The union of the boards that the values of the cell leave; nothing if all values contradict.
std::optional<Board> Solver1::agreed(const Board& board, Cell cell, Watch& watch) {
    assert(!std::has_single_bit(board.candidates(cell)));
    std::optional<Board> either;
    for_each_cell(board.candidates(cell), 0, [&](std::size_t colour) {
        Board assumed = board;
        solver_.narrow_cell(assumed, cell, Word{1} << colour);
        if (!solver_.narrow(assumed, watch)) return;
        if (either)
            either->unite(assumed);
        else
            either = std::move(assumed);
    });
    return either;
}

}  // namespace nonocsp
