// The learnt clauses, one after the other in one array, and for each literal the clauses that watch it
// (Chaff, 2001), with a blocking literal that often spares the look at the clause itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdcl/order_model.hpp"
#include "cdcl/trail.hpp"

namespace nonocsp {

class LearntClauses {
  public:
    // Where a clause begins in the array.
    using Ref = std::int32_t;

    // How good a clause is: the number of levels its literals came from when it was learnt (LBD of Audemard &
    // Simon, 2009), the fewer the better. Those for ever are never given up, glue only for want of memory.
    static constexpr std::int32_t kForEver = 0, kGlue = 2;

    explicit LearntClauses(std::size_t literals) : watches_(literals) {}

    std::size_t count() const { return refs_.size(); }
    std::span<const Lit> operator[](Ref ref) const {
        const auto at = static_cast<std::size_t>(ref);
        return {&array_[at + kHeader], static_cast<std::size_t>(array_[at])};
    }
    // Of memory, but for what vectors have in reserve.
    std::size_t bytes() const { return array_.size() * sizeof(Lit) + refs_.size() * kWatchBytes; }

    // Two literals or more; the first two are watched, so none of them may become false before the others.
    Ref add(std::span<const Lit> clause, std::int32_t lbd) {
        const auto ref = static_cast<Ref>(array_.size());
        refs_.push_back(ref);
        array_.push_back(static_cast<Lit>(clause.size()));
        array_.push_back(lbd);
        array_.insert(array_.end(), clause.begin(), clause.end());
        watch(clause[0], {ref, clause[1]});
        watch(clause[1], {ref, clause[0]});
        return ref;
    }

    // Visits the clauses that watch a literal that has become false: implied(lit, ref) for a clause whose
    // other literals are all false now. Returns a clause of which every literal is false, or -1.
    template <class Implied>
    Ref propagate(Lit falsified, const std::int8_t* values, Implied implied);

    // Keeps the best `share` of the clauses, and all whose LBD is at most `kept_lbd`; of those kept, leaves
    // out the literals that are false for good, and the whole clause if one is true for good. At level 0,
    // where nothing is left to propagate and no clause is a reason.
    void reduce(double share, std::int32_t kept_lbd, const Trail& trail);

  private:
    static constexpr std::size_t kHeader = 2;  // size, LBD
    static constexpr std::size_t kWatchBytes = 4 * sizeof(std::int32_t) + sizeof(Ref);

    struct Watch {
        Ref clause;
        Lit blocker;  // another literal of the clause: if it is true, so is the clause
    };

    void watch(Lit lit, Watch watch) { watches_[static_cast<std::size_t>(lit)].push_back(watch); }

    std::vector<Lit> array_;
    std::vector<Ref> refs_;
    std::vector<std::vector<Watch>> watches_;  // [lit]
};

template <class Implied>
LearntClauses::Ref LearntClauses::propagate(Lit falsified, const std::int8_t* values, Implied implied) {
    const auto is_true = [&](Lit lit) { return values[lit] > 0; };
    const auto is_false = [&](Lit lit) { return values[lit] < 0; };
    std::vector<Watch>& watches = watches_[static_cast<std::size_t>(falsified)];
    Watch *kept = watches.data(), *const end = kept + watches.size();
    Ref conflict = -1;
    for (const Watch* next = kept; next != end;) {
        const Watch watched = *kept++ = *next++;
        if (is_true(watched.blocker)) continue;
        Lit* const clause = &array_[static_cast<std::size_t>(watched.clause) + kHeader];
        const Lit other = clause[0] ^ clause[1] ^ falsified;
        if (is_true(other)) {
            kept[-1].blocker = other;
            continue;
        }
        const Lit size = clause[-static_cast<int>(kHeader)];
        Lit i = 2;
        while (i < size && is_false(clause[i])) ++i;
        if (i < size) {
            const Lit replacement = clause[i];
            clause[i] = falsified;
            clause[0] = other;
            clause[1] = replacement;
            watch(replacement, {watched.clause, other});
            --kept;
        } else if (is_false(other)) {
            conflict = watched.clause;
            kept = std::copy(next, static_cast<const Watch*>(end), kept);
            break;
        } else {
            implied(other, watched.clause);
        }
    }
    watches.resize(static_cast<std::size_t>(kept - watches.data()));
    return conflict;
}

inline void LearntClauses::reduce(double share, std::int32_t kept_lbd, const Trail& trail) {
    std::vector<Ref> refs;
    refs.swap(refs_);
    std::vector<Lit> old;
    old.swap(array_);
    for (auto& watches : watches_) watches.clear();
    const auto lbd = [&](Ref ref) { return old[static_cast<std::size_t>(ref) + 1]; };
    std::ranges::stable_sort(refs, {}, lbd);
    const auto best = static_cast<std::size_t>(share * static_cast<double>(refs.size()));
    std::vector<Lit> clause;
    for (std::size_t i = 0; i < refs.size(); ++i) {
        if (i >= best && lbd(refs[i]) > kept_lbd) break;
        const Lit* lits = &old[static_cast<std::size_t>(refs[i])] + kHeader;
        bool is_satisfied = false;
        clause.clear();
        for (const Lit lit : std::span(lits, static_cast<std::size_t>(lits[-static_cast<int>(kHeader)]))) {
            if (trail.value(lit) > 0) is_satisfied = true;
            if (trail.value(lit) == 0) clause.push_back(lit);
        }
        if (!is_satisfied) add(clause, lbd(refs[i]));
    }
}

}  // namespace nonocsp
