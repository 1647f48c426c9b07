// The dear checks of the learning search, which debug and sanitizer builds run and others do not contain.
// Each asserts what a part promises to the others, from the definition, not as the search maintains it.
#include "cdcl/solver.hpp"

#ifndef NDEBUG

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace nonocsp {

void CdclSolver::check(bool is_fixpoint) {
    check_trail();
    const std::int64_t sample = statistics_.propagations / 64;  // the dearest only now and then
    if (sample % 8 == 0) check_reasons();
    if (sample % 16 == 0) check_queue();
    if (sample % 32 == 0) check_board();
    if (sample % 32 == 0) clauses_.check(trail_, is_fixpoint);
    if (!is_fixpoint) return;
    assert(propagated_ == trail_.size() && !lines_.is_dirty());
    if (sample % 32 == 0) check_short_clauses();
    if (sample % 32 == 0 || is_solved()) lines_.check_fixpoint();
}

// Levels begin in the order of the trail, each with a decision, and every literal is of the level it is in.
void CdclSolver::check_trail() const {
    assert(trail_.size() <= trail_.variables());
    assert(propagated_ <= trail_.size());
    std::int32_t level = 0;
    for (std::size_t i = 0; i < trail_.size(); ++i) {
        if (level < trail_.level() && trail_.start(level + 1) == i) ++level;
        const Variable variable = variable_of(trail_[i]);
        assert(trail_.value(trail_[i]) == 1 && trail_.value(negation(trail_[i])) == -1);
        assert(trail_.position(variable) == static_cast<std::int32_t>(i));
        assert(trail_.level(variable) == level);
        const bool is_decision = level > 0 && trail_.start(level) == i;
        assert(level == 0 || trail_.reason(variable).is_none() == is_decision);
    }
    assert(level == trail_.level());  // no two levels begin at one place
}

// A reason that is a clause contains the literal, and its others were false before.
void CdclSolver::check_reasons() const {
    for (std::size_t i = 0; i < trail_.size(); ++i) {
        const Lit implied = trail_[i];
        const Reason reason = trail_.reason(variable_of(implied));
        const auto check_false = [&](Lit lit) {
            assert(trail_.value(lit) < 0);
            assert(trail_.position(variable_of(lit)) < static_cast<std::int32_t>(i));
        };
        if (reason.is_none()) continue;
        if (reason.is_line() || reason.is_explanation()) {
            assert(!model_.removal(implied).is_nothing());
        } else if (reason.is_clause()) {
            const std::span<const Lit> clause = clauses_[reason.first];
            assert(clause[0] == implied || clause[1] == implied);  // watched, so its clause cannot move
            for (const Lit lit : clause)
                if (lit != implied) check_false(lit);
        } else {
            check_false(reason.first);
            if (reason.second >= 0) check_false(reason.second);
        }
    }
}

// The board lacks exactly what the literals of the trail remove from it.
void CdclSolver::check_board() const {
    std::size_t candidates = 0;
    for (std::size_t row = 0; row < board_.lines(Axis::kRow); ++row)
        for (std::size_t column = 0; column < board_.lines(Axis::kColumn); ++column) {
            const Word left = board_.candidates({row, column});
            const std::size_t cell = row * board_.lines(Axis::kColumn) + column;
            for (std::size_t colour = 0; colour < board_.colours(); ++colour) {
                const bool is_left = (left >> colour & 1) != 0;
                candidates += is_left;
                const Lit remover = model_.remover(cell, colour);
                assert(remover == kNoLit || is_left == (trail_.value(remover) <= 0));
            }
        }
    assert(candidates == board_.candidate_count());
}

// No binary or ternary clause is false, or has one open literal and no true one.
void CdclSolver::check_short_clauses() const {
    for (std::size_t i = 0; i < trail_.size(); ++i) {
        for (const Lit implied : model_.binaries(trail_[i])) assert(trail_.value(implied) > 0);
        for (const auto [first, second] : model_.ternaries(trail_[i])) {
            const std::int8_t a = trail_.value(first), b = trail_.value(second);
            assert(a > 0 || b > 0 || (a == 0 && b == 0));
        }
    }
}

// Every unassigned variable waits for its decision, and its phase is one of its two values.
void CdclSolver::check_queue() const {
    assert(vsids_.is_heap());
    for (std::size_t i = 0; i < model_.variables(); ++i) {
        const auto variable = static_cast<Variable>(i);
        assert(trail_.is_assigned(variable) || vsids_.contains(variable));
        assert(variable_of(phases_.pick(variable)) == variable);
    }
}

void ConflictAnalysis::check_clause() const {
    assert(!clause_.empty());
    assert(level(clause_[0]) == trail_.level());
    for (std::size_t i = 0; i < clause_.size(); ++i) {
        assert(trail_.value(clause_[i]) < 0);
        assert(level(clause_[i]) > 0);
        assert(i == 0 || level(clause_[i]) < trail_.level());
        assert(i == 0 || level(clause_[i]) <= level(clause_[1]));
    }
    const std::set<Lit> different(clause_.begin(), clause_.end());
    assert(different.size() == clause_.size());
    assert(0 < glue_ && glue_ <= static_cast<std::int32_t>(clause_.size()));
    assert(std::ranges::all_of(seen_, [](std::uint8_t seen) { return seen == 0; }));
    assert(involved_ <= marked_.size() && clause_.size() <= involved_);
}

void ClauseDatabase::check(const Trail& trail, bool is_fixpoint) const {
    std::vector<ClauseRef> refs;
    for (const auto* kind : {&problem_, &blocking_, &learnt_}) {
        for (const ClauseRef ref : *kind) assert((glue(ref) > 0) == (kind == &learnt_));
        refs.insert(refs.end(), kind->begin(), kind->end());
    }
    std::ranges::sort(refs);
    std::size_t end = 0;
    for (const ClauseRef ref : refs) {
        assert(static_cast<std::size_t>(ref) == end);  // no gaps, no clause twice
        end += kHeader + (*this)[ref].size();
        check_clause(ref, trail, is_fixpoint);
    }
    assert(end == arena_.size());
    assert(bytes() == end * sizeof(Lit) + refs.size() * kWatchBytes);
    assert(learnt_.size() <= most_learnt_);
    std::set<std::pair<ClauseRef, Lit>> watched;
    for (std::size_t i = 0; i < watches_.size(); ++i) {
        const auto lit = static_cast<Lit>(i);
        for (const Watcher& watcher : watches_[i]) {
            const std::span<const Lit> clause = (*this)[watcher.clause];
            assert(clause[0] == lit || clause[1] == lit);
            assert(watcher.blocker != lit && std::ranges::find(clause, watcher.blocker) != clause.end());
            assert(watched.emplace(watcher.clause, lit).second);
        }
    }
    assert(watched.size() == 2 * refs.size());
}

void ClauseDatabase::check_clause(ClauseRef ref, const Trail& trail, bool is_fixpoint) const {
    const std::span<const Lit> clause = (*this)[ref];
    assert(clause.size() >= 2);
    std::set<Variable> variables;
    for (const Lit lit : clause) {
        assert(0 <= lit && static_cast<std::size_t>(lit) < watches_.size());
        assert(variables.insert(variable_of(lit)).second);
    }
    if (!is_fixpoint) return;
    const auto is_true = [&](Lit lit) { return trail.value(lit) > 0; };
    if (std::ranges::none_of(clause, is_true))
        assert(trail.value(clause[0]) == 0 && trail.value(clause[1]) == 0);
}

void LinePropagator::check_fixpoint() {
    for (std::size_t number = 0; number < board_.lines(Axis::kRow) + board_.lines(Axis::kColumn); ++number) {
        const LineId id = number_.line(number);
        const std::span<const Word> line = board_.line(id);
        const std::span<Word> settled(settled_.data(), line.size());
        [[maybe_unused]] const bool fits = settlers_[index(id.axis)]->settle(clues_[id], line, settled);
        assert(fits);
        assert(std::ranges::equal(line, settled));
    }
}

void LinePropagator::check_explanation(LineId id, std::optional<Lit> implied, std::span<const Lit> reason,
                                       const Trail& trail) {
    const auto bit = [&](Lit lit) {
        const Removal removal = model_.removal(lit);
        assert(!removal.is_nothing());
        assert((id.axis == Axis::kRow ? removal.row : removal.column) == id.position);
        return bit_of(id.axis, removal);
    };
    std::ranges::copy(root_->line(id), line_.begin());
    for (std::size_t i = 0, end = trail.level() > 0 ? trail.start(1) : trail.size(); i < end; ++i) {
        const Removal removal = model_.removal(trail[i]);
        if (removal.is_nothing()) continue;
        if ((id.axis == Axis::kRow ? removal.row : removal.column) == id.position) flip(bit(trail[i]));
    }
    for (const Lit lit : reason) flip(bit(negation(lit)));
    if (implied) refute(id, *implied);
    assert(!fits(id));
    for (const Lit lit : reason) {  // none can be left out
        flip(bit(negation(lit)));
        assert(fits(id));
        flip(bit(negation(lit)));
    }
}

}  // namespace nonocsp

#endif
