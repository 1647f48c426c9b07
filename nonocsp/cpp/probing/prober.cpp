#include "probing/prober.hpp"

#include <utility>

#include "search/search.hpp"

namespace nonocsp {
namespace {

// The shift that makes positions bits of a word.
unsigned shift_for(std::size_t lines) {
    unsigned shift = 0;
    while ((lines - 1) >> shift >= kWordBits) ++shift;
    return shift;
}

}  // namespace

template <PartialGrid Grid>
Prober<Grid>::Prober(const PuzzleClues& clues, ProbingLevel level, bool groups, BoardProof* proof)
    : level_(level),
      collect_groups_(groups),
      proof_(proof),
      propagator_(clues),
      shift_{shift_for(clues.rows.size()), shift_for(clues.columns.size())},
      sides_(clues.colours, {0, 0, Grid(clues.rows.size(), clues.columns.size(), clues.colours)}) {
    propagator_.remember();
}

template <PartialGrid Grid>
bool Prober<Grid>::start(ProbedBoard<Grid>& probed, Watch& watch) {
    Grid& board = probed.board;
    propagator_.touch_all();
    if (proof_ != nullptr) proof_->settle_all(watch);
    if (propagator_.to_fixpoint(board, watch)) return false;
    const std::size_t cells = board.lines(Axis::kRow) * board.lines(Axis::kColumn);
    if (board.open_cells() == 0) return true;
    probed.pending = {board.lines(Axis::kRow), board.lines(Axis::kColumn)};
    probed.seen.assign(cells, {});
    probed.gains.assign(cells * board.colours(), 0);
    board.for_each_open([&](Cell cell) { probed.pending.add(cell); });
    if (collect_groups_) probed.groups = Groups(cells);
    if constexpr (!kIsSmall<Grid>)
        if (level_ != ProbingLevel::kFp1)
            probed.implications = Implications(board, level_ == ProbingLevel::kFp3);
    return true;
}

template <PartialGrid Grid>
bool Prober<Grid>::narrow(ProbedBoard<Grid>& probed, std::span<const Narrowing> narrowings, Watch& watch) {
    assert(!narrowings.empty());
    Grid& narrowed = sides_[0].board;
    narrowed = probed.board;
    for (const Narrowing& narrowing : narrowings)
        propagator_.narrow_cell(narrowed, narrowing.cell, narrowing.candidates);
    if (proof_ != nullptr) proof_->settle(as_board(narrowed), narrowings[0].cell, watch);
    if (propagator_.to_fixpoint(narrowed, watch)) return false;
    narrow_to_union(probed, narrowed, narrowed);
    return true;
}

template <PartialGrid Grid>
bool Prober<Grid>::to_fixpoint(ProbedBoard<Grid>& probed, std::vector<Grid>* found, Watch& watch) {
    assert(found == nullptr || found->empty());
    do {
        while (const auto cell = probed.pending.take(probed.board)) {
            if (!probe(probed, *cell, found, watch)) return false;
            if (found != nullptr && !found->empty()) return true;
        }
    } while (found != nullptr && mark_completing(probed));
    if (found == nullptr || probed.board.open_cells() != 0) return true;
    found->push_back(probed.board);
    return false;
}

template <PartialGrid Grid>
bool Prober<Grid>::mark_completing(ProbedBoard<Grid>& probed) {
    assert(probed.board.candidate_count() >= probed.seen.size());  // every cell has a candidate
    const std::size_t missing = probed.board.candidate_count() - probed.seen.size();
    bool any = false;
    probed.board.for_each_open([&](Cell cell) {
        for_each_cell(probed.board.candidates(cell), 0, [&](std::size_t colour) {
            if (probed.gain(cell, colour) != missing) return;
            probed.pending.add(cell);
            any = true;
        });
    });
    return any;
}

template <PartialGrid Grid>
bool Prober<Grid>::probe(ProbedBoard<Grid>& probed, Cell cell, std::vector<Grid>* found, Watch& watch) {
    if (probes_ == most_probes_) {
        probed.pending.add(cell);
        throw BudgetSpent();
    }
    ++probes_;
    assert(std::popcount(probed.board.candidates(cell)) > 1);
    survivors_ = 0;
    const std::optional<Grid> before = proof_ != nullptr ? std::optional(probed.board) : std::nullopt;
    Word left = 0;  // not refuted
    probed.seen[probed.number(cell)] = {};
    for_each_cell(probed.board.candidates(cell), 0, [&](std::size_t colour) {
        Side& side = sides_[survivors_];
        side.colour = colour;
        const bool fits = try_candidate(probed, cell, colour, side.board, watch);
        side.candidate_count = side.board.candidate_count();
        const bool is_solution = fits && found != nullptr && side.candidate_count == probed.seen.size();
        assert(!fits || side.candidate_count < probed.board.candidate_count());
        if (is_solution) found->push_back(side.board);
        if (fits && !is_solution) {
            ++survivors_;
            left |= Word{1} << colour;
        } else if (before) {
            proof_->refute(as_board(*before), cell, colour, watch);
        }
    });
    if (survivors_ == 0) return false;
    adopt_union(probed, cell);
    if (before && before->candidate_count() != probed.board.candidate_count())
        proof_->adopt(as_board(*before), as_board(probed.board), cell, left, watch);
    return !collect_groups_ || join_groups(probed, cell);
}

template <PartialGrid Grid>
bool Prober<Grid>::try_candidate(ProbedBoard<Grid>& probed, Cell cell, std::size_t colour, Grid& side,
                                 Watch& watch) {
    LineSet& seen = probed.seen[probed.number(cell)];
    side = probed.board;
    propagator_.narrow_cell(side, cell, Word{1} << colour);
    return level_ == ProbingLevel::kFp1 ? settle(side, seen, watch)
                                        : settle_with_implications(probed, cell, colour, side, watch);
}

template <PartialGrid Grid>
bool Prober<Grid>::settle_with_implications(ProbedBoard<Grid>& probed, Cell cell, std::size_t colour,
                                            Grid& side, Watch& watch) {
    if constexpr (!kIsSmall<Grid>) {
        LineSet& seen = probed.seen[probed.number(cell)];
        const auto narrow = [&](Cell other, Word candidates) {
            propagator_.narrow_cell(side, other, candidates);
        };
        probed.implications.apply(cell, colour, side, narrow);
        do {
            if (!settle(side, seen, watch)) return false;
        } while (probed.implications.inherit(probed.board, side, narrow));
        probed.implications.learn(cell, colour, probed.board, side,
                                  [&](Cell other) { probed.pending.add(other); });
    }
    return true;
}

template <PartialGrid Grid>
bool Prober<Grid>::settle(Grid& board, LineSet& seen, Watch& watch) {
    return !propagator_.to_fixpoint(board, watch, [&](LineId id) { add(seen, id); });
}

template <PartialGrid Grid>
void Prober<Grid>::adopt_union(ProbedBoard<Grid>& probed, Cell cell) {
    assert(0 < survivors_ && survivors_ <= sides_.size());
    Grid& first = sides_[0].board;
    if constexpr (!kIsSmall<Grid>)
        for (std::size_t i = 1; i + 1 < survivors_; ++i) first.unite(sides_[i].board);
    LineSet& own = probed.seen[probed.number(cell)];
    const LineSet seen = std::exchange(own, {});
    narrow_to_union(probed, first, sides_[survivors_ - 1].board);
    own = seen;
    assert(!kIsSmall<Grid> || survivors_ <= 2);
    for (std::size_t i = 0; i < survivors_; ++i)
        probed.gains[probed.number(cell) * first.colours() + sides_[i].colour] =
            static_cast<std::uint32_t>(probed.board.candidate_count() - sides_[i].candidate_count);
}

template <PartialGrid Grid>
void Prober<Grid>::narrow_to_union(ProbedBoard<Grid>& probed, const Grid& a, const Grid& b) {
    LineSet changed;
    const std::size_t before = probed.board.candidate_count();
    assert(probed.seen.size() == probed.board.lines(Axis::kRow) * probed.board.lines(Axis::kColumn));
    probed.board.narrow_to_union(a, b, [&](LineId id) { add(changed, id); });
    assert((changed == LineSet{}) == (before == probed.board.candidate_count()));
    if (changed == LineSet{}) return;
    if (most_probes_)
        *most_probes_ += earned_ * static_cast<std::int64_t>(before - probed.board.candidate_count());
    probed.board.for_each_open([&](Cell cell) {
        const std::size_t number = probed.number(cell);
        if (probed.seen[number].meets(changed)) probed.pending.add(cell);
    });
}

template <PartialGrid Grid>
bool Prober<Grid>::join_groups(ProbedBoard<Grid>& probed, Cell cell) {
    bool consistent = true;
    if constexpr (!kIsSmall<Grid>) {
        if (survivors_ != 2) return true;
        const Grid &low = sides_[0].board, &high = sides_[1].board;
        low.for_each_disjoint(high, [&](Cell other) {
            if (std::popcount(probed.board.candidates(other)) != 2) return;
            const bool opposite = low.candidates(other) > high.candidates(other);
            consistent &= probed.groups.join(probed.number(cell), probed.number(other), opposite);
        });
    }
    return consistent;
}

template class Prober<Board>;
template class Prober<SmallBoard>;

}  // namespace nonocsp
