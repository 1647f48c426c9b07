#include "probing/prober.hpp"

#include <algorithm>
#include <utility>

#include "search/search.hpp"

namespace nonocsp {

template <PartialGrid Grid>
Prober<Grid>::Prober(const PuzzleClues& clues, ProbingLevel level, bool groups, BoardProof* proof)
    : level_(level),
      collect_groups_(groups),
      proof_(proof),
      propagator_(clues),
      sides_(clues.colours, {Grid(clues.rows.size(), clues.columns.size(), clues.colours),
                             LineSet<Grid>(clues.rows.size(), clues.columns.size())}),
      seen_(clues.rows.size(), clues.columns.size()),
      common_(seen_),
      lost_(seen_),
      copies_all_(std::max(clues.rows.size(), clues.columns.size()) <= kWordBits) {
    propagator_.remember();
}

template <PartialGrid Grid>
bool Prober<Grid>::start(ProbedBoard<Grid>& probed, Watch& watch) {
    Grid& board = probed.board;
    propagator_.touch_all();
    const bool fits = settle(board, sides_[0].trail, watch, [](LineId) {});
    if (proof_ != nullptr) proof_->settle(sides_[0].trail);
    if (!fits) return false;
    if (board.open_cells() == 0) return true;
    probed.pending = {board.lines(Axis::kRow), board.lines(Axis::kColumn)};
    probed.dependents = {board.lines(Axis::kRow), board.lines(Axis::kColumn)};
    probed.gains.assign(probed.cells() * board.colours(), 0);
    board.for_each_open([&](Cell cell) { probed.pending.add(cell); });
    if (collect_groups_) probed.groups = Groups(probed.cells());
    if constexpr (!kIsSmall<Grid>)
        if (level_ != ProbingLevel::kFp1)
            probed.implications = Implications(board, level_ == ProbingLevel::kFp3);
    return true;
}

template <PartialGrid Grid>
bool Prober<Grid>::narrow(ProbedBoard<Grid>& probed, std::span<const Narrowing> narrowings, Watch& watch) {
    assert(!narrowings.empty());
    Side& side = sides_[0];
    side.is_stale = true;
    reset(side, probed.board);
    for (const Narrowing& narrowing : narrowings)
        propagator_.narrow_cell(side.board, narrowing.cell, narrowing.candidates);
    const bool fits = settle(side, watch);
    if (proof_ != nullptr) proof_->settle(side.trail);
    survivors_ = 1;
    if (fits) narrow_to_union(probed);
    return fits;
}

template <PartialGrid Grid>
bool Prober<Grid>::to_fixpoint(ProbedBoard<Grid>& probed, std::vector<Grid>* found, Watch& watch) {
    assert(found == nullptr || found->empty());
    for (Side& side : sides_) side.is_stale = true;
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
    assert(probed.board.candidate_count() >= probed.cells());  // every cell has a candidate
    const std::size_t missing = probed.board.candidate_count() - probed.cells();
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
    const std::size_t candidates = probed.board.candidate_count();
    probed.dependents.clear(cell);
    seen_.clear();
    for_each_cell(probed.board.candidates(cell), 0, [&](std::size_t colour) {
        Side& side = sides_[survivors_];
        side.colour = colour;
        const bool fits = try_candidate(probed, cell, side, watch);
        seen_.add(side.changed);
        const std::size_t left_of_side = side.board.candidate_count();
        const bool is_solution = fits && found != nullptr && left_of_side == probed.cells();
        assert(!fits || left_of_side < probed.board.candidate_count());
        if (is_solution) found->push_back(side.board);
        if (fits && !is_solution)
            ++survivors_;
        else if (proof_ != nullptr)
            proof_->refute(cell, colour, side.trail);
    });
    if (survivors_ == 0) return false;
    adopt_union(probed, cell);
    if (survivors_ > 1) probed.dependents.add(seen_, cell);
    if (proof_ != nullptr && candidates != probed.board.candidate_count()) prove_union(probed.board, cell);
    return !collect_groups_ || join_groups(probed, cell);
}

template <PartialGrid Grid>
void Prober<Grid>::reset(Side& side, const Grid& board) {
    if constexpr (!kIsSmall<Grid>) {
        if (!std::exchange(side.is_stale, copies_all_)) {
            side.changed.for_each([&](LineId id) { side.board.copy_line(board, id); });
            side.changed.clear();
            assert(side.board.planes_agree());
            return;
        }
    }
    side.changed.clear();
    side.board = board;
}

template <PartialGrid Grid>
bool Prober<Grid>::try_candidate(ProbedBoard<Grid>& probed, Cell cell, Side& side, Watch& watch) {
    reset(side, probed.board);
    propagator_.narrow_cell(side.board, cell, Word{1} << side.colour);
    return level_ == ProbingLevel::kFp1 ? settle(side, watch)
                                        : settle_with_implications(probed, cell, side, watch);
}

template <PartialGrid Grid>
bool Prober<Grid>::settle_with_implications(ProbedBoard<Grid>& probed, Cell cell, Side& side, Watch& watch) {
    if constexpr (!kIsSmall<Grid>) {
        const auto narrow = [&](Cell other, Word candidates) {
            propagator_.narrow_cell(side.board, other, candidates);
        };
        probed.implications.apply(cell, side.colour, side.board, narrow);
        do {
            if (!settle(side, watch)) return false;
        } while (probed.implications.inherit(probed.board, side.board, narrow));
        probed.implications.learn(cell, side.colour, probed.board, side.board,
                                  [&](Cell other) { probed.pending.add(other); });
    }
    return true;
}

template <PartialGrid Grid>
bool Prober<Grid>::settle(Side& side, Watch& watch) {
    return settle(side.board, side.trail, watch, [&](LineId id) { side.changed.add(id); });
}

template <PartialGrid Grid>
template <class Seen>
bool Prober<Grid>::settle(Grid& board, SettleTrail& trail, Watch& watch, Seen seen) {
    return proof_ == nullptr ? !propagator_.to_fixpoint(board, watch, seen)
                             : settle_for_proof(board, trail, watch, seen);
}

template <PartialGrid Grid>
template <class Seen>
bool Prober<Grid>::settle_for_proof(Grid& board, SettleTrail& trail, Watch& watch, Seen seen) {
    return trail.record([&](auto settled) { return propagator_.to_fixpoint(board, watch, seen, settled); });
}

template <PartialGrid Grid>
void Prober<Grid>::prove_union(const Grid& board, Cell cell) {
    if (survivors_ == 1) return proof_->settle(sides_[0].trail);
    for (std::size_t i = 0; i < survivors_; ++i)
        proof_->suppose(cell, sides_[i].colour, sides_[i].trail, board);
    proof_->agree();
}

template <PartialGrid Grid>
void Prober<Grid>::adopt_union(ProbedBoard<Grid>& probed, Cell cell) {
    narrow_to_union(probed);
    for (std::size_t i = 0; i < survivors_; ++i)
        probed.gains[probed.number(cell) * probed.board.colours() + sides_[i].colour] =
            static_cast<std::uint32_t>(probed.board.candidate_count() - sides_[i].board.candidate_count());
}

template <PartialGrid Grid>
void Prober<Grid>::narrow_to_union(ProbedBoard<Grid>& probed) {
    assert(0 < survivors_ && survivors_ <= sides_.size());
    const std::size_t before = probed.board.candidate_count();
    const auto lose = [&](LineId id) {
        lost_.add(id);
        if (id.axis == Axis::kRow) probed.pending.note_change(id.position);
    };
    if constexpr (kIsSmall<Grid>) {
        probed.board.narrow_to_union(sides_[0].board, sides_[survivors_ - 1].board, lose);
    } else {
        std::array<const Grid*, kWordBits> boards;
        common_ = sides_[0].changed;
        for (std::size_t i = 0; i < survivors_; ++i) {
            boards[i] = &sides_[i].board;
            common_.intersect(sides_[i].changed);
        }
        common_.for_each([&](LineId id) {
            if (id.axis == Axis::kColumn && probed.board.candidate_count() == before) return;
            if (probed.board.narrow_to_union(id, std::span(boards).first(survivors_))) lose(id);
        });
        assert(probed.board.planes_agree());
    }
    if (probed.board.candidate_count() == before) return;
    if (most_probes_)
        *most_probes_ += earned_ * static_cast<std::int64_t>(before - probed.board.candidate_count());
    for (Side& side : sides_) side.changed.add(lost_);
    probed.dependents.take(lost_, probed.board, [&](Cell cell) { probed.pending.add(cell); });
    lost_.clear();
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
