// What every CNF encoding of a puzzle needs: literals, a list of clauses, and the variables of the open
// cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "bits.hpp"

namespace nonocsp {

// A variable (1, 2, …) or its negation; the two constants negate each other as well.
using Literal = std::int32_t;
inline constexpr Literal kTrue = INT32_MAX;
inline constexpr Literal kFalse = -kTrue;

// Clauses as in a DIMACS file: literals one after the other, a 0 ends each clause.
class Clauses {
  public:
    Literal fresh_variable() { return ++variables_; }

    // Leaves out false and repeated literals; adds nothing if the clause is always true.
    void add(std::span<const Literal> clause);
    void add(std::initializer_list<Literal> clause) { add({clause.begin(), clause.size()}); }

    std::int32_t variables() const { return variables_; }
    std::int32_t count() const { return count_; }
    std::vector<Literal> take_literals() { return std::move(literals_); }

  private:
    std::int32_t variables_ = 0;
    std::int32_t count_ = 0;
    std::vector<Literal> literals_;
};

// A cell variable: if true, the cell (row-major) has the colour; if false, a cell of two candidates has the
// other one.
struct CellVariable {
    std::int32_t cell;
    std::int32_t colour;
};

// The variables of the open cells, numbered first: one for a cell of two candidates, true for the higher
// colour; else one for each candidate, of which exactly one is true.
class CellVariables {
  public:
    CellVariables(std::span<const Word> candidates, Clauses& clauses);

    Word candidates(std::size_t cell) const { return candidates_[cell]; }
    Literal has_colour(std::size_t cell, std::uint32_t colour) const;
    std::vector<CellVariable> take_list() { return std::move(list_); }

  private:
    void number(std::size_t cell, Clauses& clauses);

    std::span<const Word> candidates_;
    std::vector<Literal> first_;  // [cell] its first variable; 0 if it is decided
    std::vector<CellVariable> list_;
};

struct Encoding {
    Clauses clauses;
    std::vector<CellVariable> cells;  // [variable - 1]
};

}  // namespace nonocsp
