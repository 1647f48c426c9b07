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
    if (reason.is_line()) {
        reason = lines_.explain(static_cast<std::size_t>(reason.first), implied, trail_);
        if (implied) trail_.set_reason(variable_of(*implied), reason);
    }
    if (reason.is_explanation()) return lines_.for_each_literal(reason, checked);
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
    mark(variable, kImplied);
    if (trail_.level(variable) == trail_.level())
        ++open_;
    else
        clause_.push_back(lit);
}

void ConflictAnalysis::use(Reason reason) {
    if (!reason.is_clause()) return;
    clauses_.bump(reason.first);
    const std::int32_t glue = clauses_.glue(reason.first);
    if (glue > clauses_.kCoreGlue) clauses_.lower_glue(reason.first, count_levels(clauses_[reason.first]));
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
    use(conflict.reason);
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
        use(trail_.reason(variable_of(implied)));
        for_each_antecedent(implied, note);
    }
    involved_ = marked_.size();
    const std::size_t before = clause_.size();
    minimize();
    shrink();
    minimized_literals_ += static_cast<std::int64_t>(before - clause_.size());
    for (const Variable variable : marked_) seen(variable) = 0;
    move_backjump_literal_second();
    glue_ = count_levels(clause_);
}

void ConflictAnalysis::explain_all() {
    for (auto at = trail_.level() > 0 ? trail_.start(1) : trail_.size(); at < trail_.size(); ++at)
        if (trail_.reason(variable_of(trail_[at])).is_line()) for_each_antecedent(trail_[at], [](Lit) {});
}

void ConflictAnalysis::minimize() {
    ++now_;
    for (const Lit lit : std::span(clause_).subspan(1)) stamp(level(lit)) = now_;
    const auto first = clause_.begin() + 1;
    clause_.erase(std::remove_if(first, clause_.end(), [this](Lit lit) { return is_redundant(lit); }),
                  clause_.end());
}

// Whether to ask for the reason of a variable. Decisions have none, and on a level that has no literal of the
// clause the answer would be no.
bool ConflictAnalysis::can_expand(Variable variable) const {
    return !trail_.reason(variable).is_none() &&
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
            mark(next, kImplied);
            stack_.push_back(next);
        });
    }
    if (redundant) return true;
    for (std::size_t i = before; i < marked_.size(); ++i) seen(marked_[i]) = 0;
    marked_.resize(before);
    return false;
}

// Takes the literals of each level together: if one literal of the level, with the clause's literals of lower
// levels, implies them all, it replaces them.
void ConflictAnalysis::shrink() {
    if (clause_.size() < 3) return;
    std::sort(clause_.begin() + 1, clause_.end(), [this](Lit a, Lit b) { return position(a) > position(b); });
    std::size_t kept = 1;
    for (std::size_t begin = 1, end; begin < clause_.size(); begin = end) {
        for (end = begin + 1; end < clause_.size() && level(clause_[end]) == level(clause_[begin]);) ++end;
        const std::span<const Lit> block = std::span(clause_).subspan(begin, end - begin);
        const Lit one = block.size() > 1 ? shrink_block(block) : kNoLit;
        if (one == kNoLit) {
            for (std::size_t i = begin; i < end; ++i) clause_[kept++] = clause_[i];
        } else {
            mark(variable_of(one), kImplied);
            clause_[kept++] = one;
        }
    }
    clause_.resize(kept);
}

Lit ConflictAnalysis::shrink_block(std::span<const Lit> block) {
    const std::int32_t of = level(block[0]);
    block_.clear();
    std::size_t open = 0;
    const auto add = [&](Lit lit) {
        mark(variable_of(lit), kInBlock);
        block_.push_back(variable_of(lit));
        ++open;
    };
    for (const Lit lit : block) add(lit);
    bool fails = false;
    Lit found = kNoLit;
    for (auto at = static_cast<std::size_t>(position(block[0])) + 1; !fails;) {
        do --at;
        while ((seen(variable_of(trail_[at])) & kInBlock) == 0);
        if (open == 1) {
            found = negation(trail_[at]);
            break;
        }
        for_each_antecedent(trail_[at], [&](Lit lit) {
            const Variable variable = variable_of(lit);
            if (fails || trail_.level(variable) == 0) return;
            if (trail_.level(variable) == of) {
                if ((seen(variable) & kInBlock) == 0) add(lit);
            } else if ((seen(variable) & kImplied) == 0) {
                fails = !is_redundant(lit);
                if (!fails) mark(variable, kImplied);
            }
        });
        --open;
    }
    for (const Variable variable : block_) seen(variable) &= static_cast<std::uint8_t>(~kInBlock);
    return found;
}

// The second watch must be of the level to jump back to.
void ConflictAnalysis::move_backjump_literal_second() {
    if (clause_.size() < 2) return;
    const auto second = clause_.begin() + 1;
    std::iter_swap(second, std::max_element(second, clause_.end(),
                                            [this](Lit a, Lit b) { return level(a) < level(b); }));
}

std::int32_t ConflictAnalysis::count_levels(std::span<const Lit> lits) {
    ++now_;
    std::int32_t levels = 0;
    for (const Lit lit : lits)
        if (std::exchange(stamp(level(lit)), now_) != now_) ++levels;
    return levels;
}

}  // namespace nonocsp
