#include "cdcl/analyze.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace nonocsp {

template <class Visit>
void ConflictAnalysis::for_each_literal(Reason reason, std::optional<Lit> implied, Visit visit) {
    assert(!reason.is_none());
    const auto checked = [&](Lit lit) {
        assert(trail_.value(lit) < 0);
        visit(lit);
    };
    if (reason.is_line())
        return lines_.explain(static_cast<std::size_t>(reason.first), implied, trail_, checked);
    if (reason.is_clause()) {
        for (const Lit lit : clauses_[reason.first])
            if (lit != implied) checked(lit);
        return;
    }
    checked(reason.first);
    if (reason.second >= 0) checked(reason.second);
}

template <class Visit>
void ConflictAnalysis::for_each_antecedent(Lit implied, Visit visit) {
    for_each_literal(trail_.reason(variable_of(implied)), implied, [&](Lit lit) {
        assert(trail_.position(variable_of(lit)) < trail_.position(variable_of(implied)));
        assert(level(lit) <= level(implied));
        visit(lit);
    });
}

// Takes a literal into the clause, or counts it if it is of the current level and thus resolved on later.
void ConflictAnalysis::resolve(Lit lit) {
    const Variable variable = variable_of(lit);
    if (seen(variable) != 0 || trail_.level(variable) == 0) return;
    seen(variable) = 1;
    marked_.push_back(variable);
    if (trail_.level(variable) == trail_.level())
        ++open_;
    else
        clause_.push_back(lit);
}

void ConflictAnalysis::analyze(const Conflict& conflict) {
    assert(trail_.level() > 0);
    clause_.assign(1, kNoLit);
    marked_.clear();
    open_ = 0;
    const auto note = [this](Lit lit) { resolve(lit); };
    if (conflict.last != kNoLit) {
        assert(trail_.value(conflict.last) < 0);
        resolve(conflict.last);
    }
    for_each_literal(conflict.reason, std::nullopt, note);
    assert(open_ > 0);  // else the conflict would have been found at a lower level
    for (std::size_t position = trail_.size();;) {
        do --position;
        while (seen(variable_of(trail_[position])) == 0);
        const Lit implied = trail_[position];
        assert(level(implied) == trail_.level());
        if (--open_ == 0) {
            clause_[0] = negation(implied);
            break;
        }
        for_each_antecedent(implied, note);
    }
    involved_ = marked_.size();
    minimize();
    for (const Variable variable : marked_) seen(variable) = 0;
    move_backjump_literal_second();
    count_levels();
    if constexpr (kChecked) check_clause();
}

void ConflictAnalysis::minimize() {
    ++now_;
    for (const Lit lit : std::span(clause_).subspan(1)) stamp(level(lit)) = now_;
    const auto first = clause_.begin() + 1;
    const auto end = std::remove_if(first, clause_.end(), [this](Lit lit) { return is_redundant(lit); });
    minimized_literals_ += clause_.end() - end;
    clause_.erase(end, clause_.end());
}

// Whether to ask for the reason of a variable. Decisions have none, those of lines are dear, and on a level
// that has no literal of the clause the answer would be no.
bool ConflictAnalysis::can_expand(Variable variable) const {
    const Reason reason = trail_.reason(variable);
    return !reason.is_none() && !reason.is_line() &&
           stamps_[static_cast<std::size_t>(trail_.level(variable))] == now_;
}

// Whether the other literals of the clause imply that this one is false.
bool ConflictAnalysis::is_redundant(Lit lit) {
    if (!can_expand(variable_of(lit))) return false;
    const std::size_t before = marked_.size();
    stack_.assign(1, variable_of(lit));
    bool redundant = true;
    while (redundant && !stack_.empty()) {
        const Variable variable = stack_.back();
        stack_.pop_back();
        for_each_antecedent(trail_.true_literal(variable), [&](Lit other) {
            const Variable next = variable_of(other);
            if (!redundant || seen(next) != 0 || trail_.level(next) == 0) return;
            if (!can_expand(next)) {
                redundant = false;
                return;
            }
            seen(next) = 1;
            marked_.push_back(next);
            stack_.push_back(next);
        });
    }
    if (redundant) return true;
    for (std::size_t i = before; i < marked_.size(); ++i) seen(marked_[i]) = 0;
    marked_.resize(before);
    return false;
}

// The second watch must be of the level to jump back to.
void ConflictAnalysis::move_backjump_literal_second() {
    if (clause_.size() < 2) return;
    const auto second = clause_.begin() + 1;
    std::iter_swap(second, std::max_element(second, clause_.end(),
                                            [this](Lit a, Lit b) { return level(a) < level(b); }));
}

void ConflictAnalysis::count_levels() {
    ++now_;
    glue_ = 0;
    for (const Lit lit : clause_)
        if (std::exchange(stamp(level(lit)), now_) != now_) ++glue_;
}

}  // namespace nonocsp
