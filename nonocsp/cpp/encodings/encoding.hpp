// The CNF encodings of a puzzle, and their parts: a list of clauses, and the variables of the open cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/literal.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// Clauses as in a DIMACS file: literals one after the other, a 0 ends each clause.
class Clauses {
  public:
    Literal fresh_variable() { return ++variables_; }

    // Leaves out false and repeated literals, and clauses that are always true.
    void add(std::span<const Literal> clause);
    void add(std::initializer_list<Literal> clause) { add({clause.begin(), clause.size()}); }

    std::int32_t variables() const { return variables_; }
    std::int32_t count() const { return count_; }
    std::span<const Literal> literals() const { return literals_; }
    std::vector<Literal> take_literals() { return std::move(literals_); }

  private:
    std::int32_t variables_ = 0;
    std::int32_t count_ = 0;
    std::vector<Literal> literals_;
};

// A choice of one value, with a literal for each. One value takes no variable, two take one, more take one
// each.
class Choice {
  public:
    // Adds the clauses which say that exactly one literal is true.
    Choice(std::size_t values, Clauses& clauses);
    Literal is(std::size_t value) const;

  private:
    std::int32_t values_;
    Literal first_;
};

// The variables of the open cells, numbered before all others. That of a cell with two candidates means the
// higher colour.
class CellVariables {
  public:
    CellVariables(std::span<const Word> candidates, Clauses& clauses);

    Word candidates(std::size_t cell) const { return candidates_[cell]; }
    Literal has_colour(std::size_t cell, std::uint32_t colour) const;
    std::vector<CellVariable> take_list() { return std::move(list_); }

  private:
    std::span<const Word> candidates_;
    std::vector<Choice> choices_;  // [cell] among its candidates
    std::vector<CellVariable> list_;
};

// The variable means that a block of a line starts at `position` or before.
struct ThresholdVariable {
    LineId line;
    std::uint32_t block;
    std::int32_t position;
};

struct Encoding {
    Clauses clauses;
    std::vector<CellVariable> cells;            // [variable - 1]
    std::vector<ThresholdVariable> thresholds;  // [variable - 1 - cells.size()], of the order encoding
};

// Encode the cells that `candidates` leave open: row-major, preferably at the fixpoint of settle. Throw
// std::invalid_argument if no placement fits a line. Each has a file of its own, which describes it.
using Encode = Encoding(const PuzzleClues& clues, std::span<const Word> candidates);
Encode encode_order, encode_direct, encode_automaton;

}  // namespace nonocsp
