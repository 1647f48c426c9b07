// The assignment of the learning search: literals in the order in which they became true, in decision levels,
// each with its reason (Marques-Silva & Sakallah 1996, GRASP; laid out as in MiniSat, Eén & Sörensson 2003).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdcl/types.hpp"

namespace nonocsp {

class Trail {
  public:
    explicit Trail(std::size_t variables) : values_(2 * variables), facts_(variables) {
        lits_.reserve(variables);
    }

    std::size_t variables() const { return facts_.size(); }

    // Memory in bytes of one variable.
    static constexpr std::size_t kBytes =
        2 * sizeof(std::int8_t) + sizeof(std::int32_t) + 4 * sizeof(std::int32_t);

    // 1 true, -1 false, 0 unassigned.
    std::int8_t value(Lit lit) const { return values_[static_cast<std::size_t>(lit)]; }
    const std::int8_t* values() const { return values_.data(); }
    bool is_assigned(Variable variable) const { return value(literal_of(variable, true)) != 0; }
    Lit true_literal(Variable variable) const {
        assert(is_assigned(variable));
        return literal_of(variable, value(literal_of(variable, true)) > 0);
    }

    // Of an assigned variable.
    std::int32_t level(Variable variable) const { return of(variable).level; }
    std::int32_t position(Variable variable) const { return of(variable).position; }
    Reason reason(Variable variable) const { return of(variable).reason; }
    // Replaces the reason of an implied variable by another one, or by the same one in other words.
    void set_reason(Variable variable, Reason reason) {
        assert(is_assigned(variable) && !this->reason(variable).is_none());
        facts_[static_cast<std::size_t>(variable)].reason = reason;
    }

    std::size_t size() const { return lits_.size(); }
    Lit operator[](std::size_t position) const {
        assert(position < lits_.size());
        return lits_[position];
    }

    // The current decision level; 0 is the root.
    std::int32_t level() const { return static_cast<std::int32_t>(starts_.size()); }
    // Where a level, from 1 on, begins on the trail.
    std::size_t start(std::int32_t level) const {
        assert(0 < level && level <= this->level());
        return starts_[static_cast<std::size_t>(level) - 1];
    }
    Lit decision(std::int32_t level) const { return lits_[start(level)]; }

    // Begins a level; the next literal assigned is its decision.
    void new_level() { starts_.push_back(lits_.size()); }

    void assign(Lit lit, Reason reason) {
        assert(0 <= lit && static_cast<std::size_t>(lit) < values_.size());
        assert(value(lit) == 0 && value(negation(lit)) == 0);
        assert(starts_.empty() || lits_.size() > starts_.back() || reason.is_none());  // a level's decision
        const auto variable = static_cast<std::size_t>(variable_of(lit));
        values_[static_cast<std::size_t>(lit)] = 1;
        values_[static_cast<std::size_t>(negation(lit))] = -1;
        facts_[variable] = {level(), static_cast<std::int32_t>(lits_.size()), reason};
        lits_.push_back(lit);
    }

    // Unassigns everything above a level, the last literal first; calls unassigned(lit) for each.
    template <class Unassigned>
    void backtrack(std::int32_t level, Unassigned unassigned) {
        assert(0 <= level && level < this->level());
        const std::size_t begin = start(level + 1);
        for (std::size_t i = lits_.size(); i-- > begin;) {
            const Lit lit = lits_[i];
            assert(value(lit) > 0 && this->level(variable_of(lit)) > level);
            values_[static_cast<std::size_t>(lit)] = values_[static_cast<std::size_t>(negation(lit))] = 0;
            unassigned(lit);
        }
        lits_.resize(begin);
        starts_.resize(static_cast<std::size_t>(level));
    }

    // Forgets the reasons of the root level, which no conflict asks for, so that their clauses may be
    // deleted.
    void clear_root_reasons() {
        assert(level() == 0);
        for (const Lit lit : lits_)
            facts_[static_cast<std::size_t>(variable_of(lit))].reason = Reason::none();
    }

  private:
    // Of an assigned variable; together, since conflict analysis asks for all three.
    struct Fact {
        std::int32_t level, position;
        Reason reason;
    };
    const Fact& of(Variable variable) const { return facts_[static_cast<std::size_t>(variable)]; }

    std::vector<std::int8_t> values_;  // [lit]
    std::vector<Fact> facts_;          // [variable]
    std::vector<Lit> lits_;
    std::vector<std::size_t> starts_;  // [level - 1]
};

}  // namespace nonocsp
