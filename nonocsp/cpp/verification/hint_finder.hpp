// Finds the hints that a proof without them lacks (DRAT to LRAT): the clauses that lead from a lemma's
// negation to a contradiction by unit propagation, with watched literals (Moskewicz et al. 2001). Nobody has
// to believe it, for what it finds is checked. What follows from the clauses alone becomes a lemma of one
// literal at once, so that clauses can be deleted. What a lemma has in common with the one before it, at its
// beginning, is assumed to be false at levels of its own, which stay: it is propagated once for all lemmas of
// a probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "verification/lrat_checker.hpp"

namespace nonocsp::verification {

class HintFinder {
  public:
    // Hands what it finds to the checker, which must outlive it.
    explicit HintFinder(LratChecker& checker) : checker_(checker) {}

    void add_clause(std::span<const Literal> clause);
    // False if the checker does not accept the lemma.
    bool add_lemma(std::span<const Literal> lemma);
    // Deletes a clause with these literals, if there is one of several literals.
    void erase(std::span<const Literal> clause);

  private:
    using Lit = std::uint32_t;  // twice the variable, plus one if negated
    using Ref = std::uint32_t;  // of a clause in the arena; 0 is none
    struct Watcher {
        Ref clause;
        Lit blocker;
    };

    static Lit lit_of(Literal literal) {
        return 2 * static_cast<Lit>(literal < 0 ? -literal : literal) + (literal < 0);
    }
    static Literal literal_of(Lit lit) {
        const auto variable = static_cast<Literal>(lit >> 1);
        return (lit & 1) != 0 ? -variable : variable;
    }
    // The header of a clause in the arena: its number (0 if deleted), its size, the next one of its bucket.
    static constexpr Ref kHeader = 3;
    std::uint32_t& id(Ref ref) { return arena_[ref]; }
    std::uint32_t& size(Ref ref) { return arena_[ref + 1]; }
    std::uint32_t& next(Ref ref) { return arena_[ref + 2]; }
    std::span<Lit> literals(Ref ref) { return {arena_.data() + ref + kHeader, size(ref)}; }

    void reserve(std::span<const Literal> clause);
    void attach(std::span<const Literal> clause);
    // Assumes that a lemma is false. Returns whether that is a contradiction, and lists its hints.
    bool contradict(std::span<const Literal> lemma);
    std::size_t level() const { return starts_.size(); }
    // Enters a clause of several literals in its bucket and in the lists of those that it watches.
    void link(Ref ref);
    void assign(Lit lit, Ref reason);
    // The clause whose literals are all false; 0 if there is none.
    Ref propagate();
    Ref visit(Lit falsified);
    // Takes back all levels above one.
    void backtrack(std::size_t level);
    // Lists the hints of a contradiction: units, then reasons in the order of the trail, then the clause.
    void explain(Ref conflict);
    void explain_true(Lit lit);
    void mark(Lit lit);
    // Makes lemmas of what has become true without assumptions, from a place of the trail on.
    void settle(std::size_t from);
    Ref& bucket(std::span<const Lit> clause);
    // Leaves out deleted clauses, and makes room for more buckets.
    void compact();

    LratChecker& checker_;
    std::vector<std::uint32_t> arena_ = {0};
    std::vector<Ref> buckets_ = std::vector<Ref>(1024);
    std::size_t live_ = 0, deleted_ = 0;             // clauses, and words of the arena
    std::vector<std::vector<Watcher>> watches_;      // [lit]
    std::vector<std::int8_t> values_;                // [lit] 1 true, -1 false
    std::vector<Ref> reasons_;                       // [variable]
    std::vector<std::uint32_t> levels_, positions_;  // [variable] if assigned: on the trail
    std::vector<ClauseId> units_;                    // [variable] of what is settled
    std::vector<std::uint32_t> marks_;               // [variable]
    std::uint32_t now_ = 0;
    std::vector<Lit> trail_, erased_;
    std::vector<Literal> last_;        // the last lemma
    std::vector<Literal> assumed_;     // [level - 1] to be false; 0 for the rest of a lemma
    std::vector<std::size_t> starts_;  // [level - 1] of the trail
    std::size_t head_ = 0;
    std::vector<ClauseId> hints_;
    std::vector<std::uint32_t> implied_;  // variables whose reasons are hints
};

}  // namespace nonocsp::verification
