// From a conflict to a clause that forbids it: the first unique implication point (Marques-Silva & Sakallah,
// GRASP, 1999), with the literals left out that others of the clause imply (Sörensson & Biere, 2009).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cdcl/learnt_clauses.hpp"
#include "cdcl/line_reasons.hpp"
#include "cdcl/order_model.hpp"
#include "cdcl/trail.hpp"

namespace nonocsp {

// A clause whose literals are all false: those of the reason, and one more if the reason is not a whole
// clause or line.
struct Conflict {
    Reason reason;
    Lit last = kNoLit;
};

class ConflictAnalysis {
  public:
    // All of these must outlive it.
    ConflictAnalysis(const Trail& trail, const LearntClauses& learnt, LineReasons& lines,
                     std::size_t variables)
        : trail_(trail), learnt_(learnt), lines_(lines), mark_(variables), stamp_(variables + 1) {}

    // Finds a clause, false now, that has one literal of this level, which comes first, and, second, one of
    // the next level below. Not at level 0.
    void analyse(const Conflict& conflict);

    std::span<const Lit> clause() const { return clause_; }
    // Of the clause without its first literal.
    std::int32_t back_level() const;
    // The number of levels in the clause.
    std::int32_t lbd() const { return lbd_; }
    // What the conflict rests on.
    std::span<const Variable> involved() const { return std::span(marked_).first(involved_); }

  private:
    template <class Visit>
    void for_each_other(Lit implied, Visit visit);
    template <class Visit>
    void for_each_of(const Conflict& conflict, Visit visit);
    void visit(Lit lit);
    void minimise();
    bool can_expand(Variable variable) const;
    bool is_implied(Lit lit);
    void put_second();
    void count_levels();
    std::int32_t level(Lit lit) const { return trail_.level(variable_of(lit)); }
    std::uint8_t& mark(Variable variable) { return mark_[static_cast<std::size_t>(variable)]; }
    std::uint32_t& stamp(std::int32_t level) { return stamp_[static_cast<std::size_t>(level)]; }

    const Trail& trail_;
    const LearntClauses& learnt_;
    LineReasons& lines_;
    std::vector<Lit> clause_;
    std::vector<std::uint8_t> mark_;  // [variable] seen
    std::vector<Variable> marked_, stack_;
    std::size_t involved_ = 0, open_ = 0;
    std::vector<std::uint32_t> stamp_;  // [level] the last clause that has it
    std::uint32_t now_ = 0;
    std::int32_t lbd_ = 0;
};

}  // namespace nonocsp
