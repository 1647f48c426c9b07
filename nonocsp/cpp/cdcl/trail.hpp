// What the learning search assumes and what follows: values of variables in the order in which they were
// assigned, in levels, one a decision, each with the reason that made it true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdcl/order_model.hpp"

namespace nonocsp {

// Why a literal is true: the other literals of a clause are false. Binary and ternary clauses are in the
// reason itself; a learnt clause, and a line that allows nothing else, are named, and looked at only if a
// conflict asks for it.
struct Reason {
    static constexpr std::int32_t kNone = -1, kClause = -2, kLine = -3;

    static constexpr Reason none() { return {kNone, kNone}; }
    static constexpr Reason one(Lit other) { return {other, kNone}; }
    static constexpr Reason two(Lit first, Lit second) { return {first, second}; }
    static constexpr Reason clause(std::int32_t where) { return {where, kClause}; }
    static constexpr Reason line(std::size_t number) { return {static_cast<std::int32_t>(number), kLine}; }

    bool is_none() const { return first == kNone; }
    bool is_clause() const { return second == kClause; }
    bool is_line() const { return second == kLine; }

    std::int32_t first, second;
};

class Trail {
  public:
    explicit Trail(std::size_t variables)
        : values_(2 * variables), level_(variables), place_(variables), reason_(variables) {
        lits_.reserve(variables);
    }

    // 1 true, -1 false, 0 open.
    std::int8_t value(Lit lit) const { return values_[static_cast<std::size_t>(lit)]; }
    const std::int8_t* values() const { return values_.data(); }
    bool is_open(Variable variable) const { return value(literal_of(variable, true)) == 0; }
    Lit true_literal(Variable variable) const {
        return literal_of(variable, value(literal_of(variable, true)) > 0);
    }

    std::int32_t level(Variable variable) const { return level_[static_cast<std::size_t>(variable)]; }
    // How many were assigned before it.
    std::int32_t place(Variable variable) const { return place_[static_cast<std::size_t>(variable)]; }
    Reason reason(Variable variable) const { return reason_[static_cast<std::size_t>(variable)]; }

    std::size_t size() const { return lits_.size(); }
    Lit operator[](std::size_t place) const { return lits_[place]; }

    std::int32_t level() const { return static_cast<std::int32_t>(starts_.size()); }
    // The decision that a level, from 1 on, began with.
    Lit decision(std::int32_t level) const { return lits_[starts_[static_cast<std::size_t>(level) - 1]]; }

    void begin_level() { starts_.push_back(lits_.size()); }

    void assign(Lit lit, Reason reason) {
        const auto variable = static_cast<std::size_t>(variable_of(lit));
        values_[static_cast<std::size_t>(lit)] = 1;
        values_[static_cast<std::size_t>(negation(lit))] = -1;
        level_[variable] = level();
        place_[variable] = static_cast<std::int32_t>(lits_.size());
        reason_[variable] = reason;
        lits_.push_back(lit);
    }

    // Takes back all later levels, the last literal first; calls undone(lit) for each.
    template <class Undone>
    void back_to(std::int32_t level, Undone undone) {
        const std::size_t begin = starts_[static_cast<std::size_t>(level)];
        for (std::size_t i = lits_.size(); i-- > begin;) {
            const Lit lit = lits_[i];
            values_[static_cast<std::size_t>(lit)] = values_[static_cast<std::size_t>(negation(lit))] = 0;
            undone(lit);
        }
        lits_.resize(begin);
        starts_.resize(static_cast<std::size_t>(level));
    }

    // What level 0 holds needs no reasons any more, and the clauses that they name may go.
    void forget_reasons_at_root() {
        for (const Lit lit : lits_) reason_[static_cast<std::size_t>(variable_of(lit))] = Reason::none();
    }

  private:
    std::vector<std::int8_t> values_;  // [lit]
    std::vector<std::int32_t> level_, place_;
    std::vector<Reason> reason_;
    std::vector<Lit> lits_;
    std::vector<std::size_t> starts_;  // of levels, in lits_
};

}  // namespace nonocsp
