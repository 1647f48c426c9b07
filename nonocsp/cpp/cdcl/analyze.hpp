// From a conflict to the clause to learn: the first unique implication point (Marques-Silva & Sakallah 1996,
// GRASP; Zhang et al. 2001), minimized recursively (Sörensson & Biere 2009), then shrunk (Fleury & Biere
// 2021), both through the reasons of lines as well, with its glue, the number of decision levels among its
// literals (LBD, Audemard & Simon 2009).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cdcl/clause_database.hpp"
#include "cdcl/line_propagator.hpp"
#include "cdcl/trail.hpp"
#include "cdcl/types.hpp"

namespace nonocsp {

// A clause whose literals are all false: those of the reason, and `last` if the reason is a binary or a
// ternary clause.
struct Conflict {
    Reason reason;
    Lit last = kNoLit;
};

class ConflictAnalysis {
  public:
    // All of these must outlive it.
    ConflictAnalysis(Trail& trail, ClauseDatabase& clauses, LinePropagator& lines)
        : trail_(trail),
          clauses_(clauses),
          lines_(lines),
          seen_(trail.variables()),
          stamps_(trail.variables() + 1) {}

    // Finds an asserting clause: false now, with exactly one literal of the current level, which comes first;
    // one of the backjump level comes second. Not at level 0.
    void analyze(const Conflict& conflict);
    // Asks every line for the reason of what it implied.
    void explain_all();

    std::span<const Lit> clause() const { return clause_; }
    // The level where the clause implies its first literal.
    std::int32_t backjump_level() const { return clause_.size() > 1 ? level(clause_[1]) : 0; }
    std::int32_t glue() const { return glue_; }
    // The variables of the conflict and of all reasons up to the unique implication point.
    std::span<const Variable> involved() const { return std::span(marked_).first(involved_); }
    // Literals that minimize() and shrink() left out of all clauses so far.
    std::int64_t minimized_literals() const { return minimized_literals_; }

  private:
    // What is known of a variable while a conflict is analyzed, as bits.
    static constexpr std::uint8_t kImplied = 1;  // false if the clause's literals are, or one of them
    static constexpr std::uint8_t kInBlock = 2;  // of the level that shrink() is at, to be resolved

    // Calls visit(lit) for the literals of a reason, all false, without the one that it implied, if any.
    template <class Visit>
    void for_each_literal(Reason reason, std::optional<Lit> implied, Visit visit);
    // Calls visit(lit) for the literals of the reason of an implied one: false, and earlier on the trail. A
    // line is asked once, and keeps its answer.
    template <class Visit>
    void for_each_antecedent(Lit implied, Visit visit);
    void resolve(Lit lit);
    // Tells the database that a conflict needed a clause, and how many levels it has now.
    void use(Reason reason);
    void minimize();
    void shrink();
    // The first unique implication point of the clause's literals of one level, the latest first; kNoLit if
    // resolving them would add a literal of a lower level.
    Lit shrink_block(std::span<const Lit> block);
    void mark(Variable variable, std::uint8_t bit) {
        if (seen(variable) == 0) marked_.push_back(variable);
        seen(variable) |= bit;
    }
    bool can_expand(Variable variable) const;
    bool is_redundant(Lit lit);
    void move_backjump_literal_second();
    std::int32_t count_levels(std::span<const Lit> lits);

    std::int32_t level(Lit lit) const { return trail_.level(variable_of(lit)); }
    std::int32_t position(Lit lit) const { return trail_.position(variable_of(lit)); }
    std::uint8_t& seen(Variable variable) { return seen_[static_cast<std::size_t>(variable)]; }
    std::uint32_t& stamp(std::int32_t level) { return stamps_[static_cast<std::size_t>(level)]; }

    Trail& trail_;  // whose reasons of lines become explanations
    ClauseDatabase& clauses_;
    LinePropagator& lines_;
    std::vector<Lit> clause_;
    std::vector<std::uint8_t> seen_;  // [variable]
    std::vector<Variable> marked_, stack_, block_;
    std::size_t involved_ = 0, open_ = 0;
    std::vector<std::uint32_t> stamps_;  // [level] the last count that met it
    std::uint32_t now_ = 0;
    std::int32_t glue_ = 0;
    std::int64_t minimized_literals_ = 0;
};

}  // namespace nonocsp
