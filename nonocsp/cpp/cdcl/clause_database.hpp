// The watched clauses: problem clauses (too long for the implication tables), blocking clauses (each forbids
// a solution that was found) and learnt clauses, one after the other in an arena. Two literals of a clause
// are watched (Moskewicz et al. 2001, Chaff), with a blocking literal that often spares the look at the
// clause (Eén & Sörensson 2003, MiniSat 2.1). Reductions keep learnt clauses in three tiers (Oh 2015): those
// of low glue (Audemard & Simon 2009) for good, then those of middling glue, then those that conflicts needed
// lately.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdcl/clause_log.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"

namespace nonocsp {

class ClauseDatabase {
  public:
    explicit ClauseDatabase(std::size_t literals) : watches_(literals) {}

    std::span<const Lit> operator[](ClauseRef ref) const {
        const auto at = static_cast<std::size_t>(ref);
        assert(ref >= 0 && at + kHeader < arena_.size());
        return {&arena_[at + kHeader], static_cast<std::size_t>(arena_[at])};
    }

    // Add a clause of two literals or more. The first two are watched: none of them may become false before
    // the others. Only learnt clauses have a glue, the number of decision levels among their literals.
    ClauseRef add_problem(std::span<const Lit> clause) { return add(clause, 0, problem_); }
    ClauseRef add_blocking(std::span<const Lit> clause) { return add(clause, 0, blocking_); }
    ClauseRef add_learnt(std::span<const Lit> clause, std::int32_t glue) {
        assert(0 < glue && glue <= static_cast<std::int32_t>(clause.size()));
        const ClauseRef ref = add(clause, glue, learnt_);
        most_learnt_ = std::max(most_learnt_, learnt_.size());
        return ref;
    }

    std::int32_t glue(ClauseRef ref) const { return arena_[static_cast<std::size_t>(ref) + 1]; }
    // A clause may get closer together as the search moves on.
    void lower_glue(ClauseRef ref, std::int32_t glue) {
        Lit& old = arena_[static_cast<std::size_t>(ref) + 1];
        if (old > 0) old = std::min(old, glue);
    }
    // Adds the increment to the activity of a clause (Eén & Sörensson 2003).
    void bump(ClauseRef ref) {
        set_activity(ref, activity(ref) + increment_);
        if (activity(ref) > kLargestActivity) rescale();
    }
    // Decays all activities, relative to the bumps to come.
    void decay() { increment_ /= kDecay; }

    std::size_t size() const { return problem_.size() + blocking_.size() + learnt_.size(); }
    std::size_t learnt() const { return learnt_.size(); }
    std::size_t most_learnt() const { return most_learnt_; }
    std::size_t blocking() const { return blocking_.size(); }
    std::size_t problem() const { return problem_.size(); }
    // Memory in bytes, without what vectors have in reserve.
    std::size_t bytes() const { return arena_.size() * sizeof(Lit) + size() * kWatchBytes; }

    // Visits the clauses that watch a literal that has become false: implied(lit, ref) for a clause whose
    // other literals are all false now. Returns a clause of which every literal is false, or kNoClause.
    template <class Implied>
    ClauseRef propagate(Lit falsified, const std::int8_t* values, Implied implied);

    // Clauses of at most this glue are of the first tier (Audemard & Simon 2009), and of the second (Oh
    // 2015).
    static constexpr std::int32_t kCoreGlue = 2, kMiddleGlue = 6;

    // Deletes the worst `fraction` of the clauses, not counting blocking ones, but only learnt ones; those of
    // the first tier only if `is_short_of_memory`. Clauses that level 0 satisfies go too, of any kind; the
    // others lose the literals that are false there. At level 0, with everything propagated and no clause as
    // a reason. Tells a log, if there is one.
    void reduce(double fraction, bool is_short_of_memory, const Trail& trail, ClauseLog* log);

  private:
    static constexpr std::size_t kHeader = 3;  // size, glue, activity
    static constexpr float kDecay = 0.999F, kLargestActivity = 1e20F;
    static constexpr std::size_t kWatchBytes = 4 * sizeof(std::int32_t) + sizeof(ClauseRef);

    // MiniSat's name for an entry of a watch list.
    struct Watcher {
        ClauseRef clause;
        Lit blocker;  // another literal of the clause: if it is true, so is the clause
    };

    float activity(ClauseRef ref) const {
        return std::bit_cast<float>(arena_[static_cast<std::size_t>(ref) + 2]);
    }
    void set_activity(ClauseRef ref, float activity) {
        arena_[static_cast<std::size_t>(ref) + 2] = std::bit_cast<Lit>(activity);
    }
    // Divides all by the same, before a float overflows.
    void rescale();
    // 0 for the clauses that are kept longest.
    int tier(ClauseRef ref) const { return glue(ref) <= kCoreGlue ? 0 : glue(ref) <= kMiddleGlue ? 1 : 2; }
    ClauseRef add(std::span<const Lit> clause, std::int32_t glue, std::vector<ClauseRef>& refs);
    void watch(Lit lit, Watcher watcher) { watches_[static_cast<std::size_t>(lit)].push_back(watcher); }

    std::vector<Lit> arena_;
    std::vector<ClauseRef> problem_, blocking_, learnt_;
    std::vector<std::vector<Watcher>> watches_;  // [lit]
    std::size_t most_learnt_ = 0;
    float increment_ = 1;  // of an activity
};

template <class Implied>
ClauseRef ClauseDatabase::propagate(Lit falsified, const std::int8_t* values, Implied implied) {
    const auto is_true = [&](Lit lit) { return values[lit] > 0; };
    const auto is_false = [&](Lit lit) { return values[lit] < 0; };
    assert(is_false(falsified));
    std::vector<Watcher>& watches = watches_[static_cast<std::size_t>(falsified)];
    Watcher *kept = watches.data(), *const end = kept + watches.size();
    ClauseRef conflict = kNoClause;
    for (const Watcher* next = kept; next != end;) {
        const Watcher watched = *kept++ = *next++;
        if (is_true(watched.blocker)) continue;
        Lit* const clause = &arena_[static_cast<std::size_t>(watched.clause) + kHeader];
        assert(clause[0] == falsified || clause[1] == falsified);
        const Lit other = clause[0] ^ clause[1] ^ falsified;
        if (is_true(other)) {
            kept[-1].blocker = other;
            continue;
        }
        const Lit size = clause[-static_cast<int>(kHeader)];
        assert(size >= 2);
        Lit i = 2;
        while (i < size && is_false(clause[i])) ++i;
        if (i < size) {
            const Lit replacement = clause[i];
            assert(replacement != falsified && replacement != other);
            clause[i] = falsified;
            clause[0] = other;
            clause[1] = replacement;
            watch(replacement, {watched.clause, other});
            --kept;
        } else if (is_false(other)) {
            conflict = watched.clause;
            kept = std::copy(next, static_cast<const Watcher*>(end), kept);
            break;
        } else {
            implied(other, watched.clause);
            assert(is_true(other));
        }
    }
    watches.resize(static_cast<std::size_t>(kept - watches.data()));
    return conflict;
}

}  // namespace nonocsp
