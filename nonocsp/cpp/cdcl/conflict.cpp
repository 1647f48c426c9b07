#include "cdcl/conflict.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace nonocsp {

// The literals, all false, of the clause that implied one, without it.
template <class Visit>
void ConflictAnalysis::for_each_other(Lit implied, Visit visit) {
    const Reason reason = trail_.reason(variable_of(implied));
    if (reason.is_line())
        return lines_.explain(static_cast<std::size_t>(reason.first), implied, trail_, visit);
    if (reason.is_clause()) {
        for (const Lit lit : learnt_[reason.first])
            if (lit != implied) visit(lit);
        return;
    }
    visit(reason.first);
    if (reason.second >= 0) visit(reason.second);
}

template <class Visit>
void ConflictAnalysis::for_each_of(const Conflict& conflict, Visit visit) {
    const Reason reason = conflict.reason;
    if (reason.is_line())
        return lines_.explain(static_cast<std::size_t>(reason.first), std::nullopt, trail_, visit);
    if (reason.is_clause()) {
        for (const Lit lit : learnt_[reason.first]) visit(lit);
        return;
    }
    visit(conflict.last);
    visit(reason.first);
    if (reason.second >= 0) visit(reason.second);
}

void ConflictAnalysis::visit(Lit lit) {
    const Variable variable = variable_of(lit);
    if (mark(variable) != 0 || trail_.level(variable) == 0) return;
    mark(variable) = 1;
    marked_.push_back(variable);
    if (trail_.level(variable) == trail_.level())
        ++open_;
    else
        clause_.push_back(lit);
}

void ConflictAnalysis::analyse(const Conflict& conflict) {
    clause_.assign(1, kNoLit);
    marked_.clear();
    open_ = 0;
    const auto note = [this](Lit lit) { visit(lit); };
    for_each_of(conflict, note);
    for (std::size_t place = trail_.size();;) {
        do --place;
        while (mark(variable_of(trail_[place])) == 0);
        const Lit implied = trail_[place];
        if (--open_ == 0) {
            clause_[0] = negation(implied);
            break;
        }
        for_each_other(implied, note);
    }
    involved_ = marked_.size();
    minimise();
    for (const Variable variable : marked_) mark(variable) = 0;
    put_second();
    count_levels();
}

std::int32_t ConflictAnalysis::back_level() const { return clause_.size() > 1 ? level(clause_[1]) : 0; }

void ConflictAnalysis::minimise() {
    ++now_;
    for (const Lit lit : std::span(clause_).subspan(1)) stamp(level(lit)) = now_;
    const auto first = clause_.begin() + 1;
    clause_.erase(std::remove_if(first, clause_.end(), [this](Lit lit) { return is_implied(lit); }),
                  clause_.end());
}

// Whether it is worth asking for the reason: decisions have none, those of lines are dear, and on a level of
// which the clause has no literal something must be missing.
bool ConflictAnalysis::can_expand(Variable variable) const {
    const Reason reason = trail_.reason(variable);
    return !reason.is_none() && !reason.is_line() &&
           stamp_[static_cast<std::size_t>(trail_.level(variable))] == now_;
}

// Whether the other literals of the clause imply that this one is false.
bool ConflictAnalysis::is_implied(Lit lit) {
    if (!can_expand(variable_of(lit))) return false;
    const std::size_t before = marked_.size();
    stack_.assign(1, variable_of(lit));
    bool implied = true;
    while (implied && !stack_.empty()) {
        const Variable variable = stack_.back();
        stack_.pop_back();
        for_each_other(trail_.true_literal(variable), [&](Lit other) {
            const Variable next = variable_of(other);
            if (!implied || mark(next) != 0 || trail_.level(next) == 0) return;
            if (!can_expand(next)) {
                implied = false;
                return;
            }
            mark(next) = 1;
            marked_.push_back(next);
            stack_.push_back(next);
        });
    }
    if (implied) return true;
    for (std::size_t i = before; i < marked_.size(); ++i) mark(marked_[i]) = 0;
    marked_.resize(before);
    return false;
}

void ConflictAnalysis::put_second() {
    if (clause_.size() < 2) return;
    const auto second = clause_.begin() + 1;
    std::iter_swap(second, std::max_element(second, clause_.end(),
                                            [this](Lit a, Lit b) { return level(a) < level(b); }));
}

void ConflictAnalysis::count_levels() {
    ++now_;
    lbd_ = 0;
    for (const Lit lit : clause_)
        if (std::exchange(stamp(level(lit)), now_) != now_) ++lbd_;
}

}  // namespace nonocsp
