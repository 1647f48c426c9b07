// Checks a proof with hints (LRAT, Cruz-Filipe, Heule, Hunt, Kaufmann & Schneider-Kamp, Efficient certified
// RAT verification, 2017), in time linear in the hints. It includes nothing of the solvers and nothing of
// what finds the hints: whoever believes a verdict about a formula has to believe this class alone.
//
// A lemma is accepted if the clauses that its hints name, one after the other, lead from its negation to a
// contradiction: all but one of a clause's literals are false, so that one is true. A lemma without hints is
// accepted if it is blocked on its first literal (Kullmann 1999; Järvisalo, Biere & Heule 2010): every clause
// with the negation of that literal has another one whose negation is in the lemma. Both kinds keep a
// formula satisfiable if it is, and so do deletions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nonocsp::verification {

// A variable (1, 2, …) or its negation. The number of a clause: those of the formula, then lemmas, from 1.
using Literal = std::int32_t;
using ClauseId = std::uint32_t;

class LratChecker {
  public:
    // The clauses are numbered in the order in which they come; so are the lemmas that are accepted.
    void add_clause(std::span<const Literal> clause) { store(clause); }
    // Whether a lemma follows by its hints; then it is a clause like the others.
    bool add_lemma(std::span<const Literal> lemma, std::span<const ClauseId> hints);
    void erase(ClauseId id);

    // Whether the clauses have no model, because the empty one is among them.
    bool is_refuted() const { return is_refuted_; }
    ClauseId clauses() const { return static_cast<ClauseId>(places_.size()); }

  private:
    struct Place {
        std::size_t begin = 0;
        std::uint32_t size = 0;
        bool is_deleted = true;
    };

    static std::size_t index(Literal literal) {
        return 2 * static_cast<std::size_t>(literal < 0 ? -literal : literal) + (literal < 0);
    }
    std::span<const Literal> clause(const Place& place) const {
        return {arena_.data() + place.begin, place.size};
    }
    void reserve(Literal literal);
    void store(std::span<const Literal> clause);
    void assume_negation(std::span<const Literal> lemma);
    bool refutes(std::span<const ClauseId> hints);
    bool is_blocked(std::span<const Literal> lemma);
    bool is_false(Literal literal) const { return falsified_[index(literal)] == now_; }
    void compact();

    std::vector<Literal> arena_;
    std::vector<Place> places_;               // [id - 1]
    std::vector<std::uint64_t> falsified_;    // [literal] the last lemma for which it was false
    std::vector<std::uint32_t> occurrences_;  // [literal] in how many clauses
    std::uint64_t now_ = 0;                   // lemmas so far
    std::size_t deleted_ = 0;                 // literals of the arena
    bool is_refuted_ = false;
};

}  // namespace nonocsp::verification
