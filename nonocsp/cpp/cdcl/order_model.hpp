// The open part of a puzzle as the learning search sees it: variables for open cells and for "block j has
// started at s or before" (encode_order), and their clauses, which have two or three literals but for cells
// of many colours. Those are implication tables, read once a literal and never changed, so that only learnt
// clauses need watching. Memory: 4 bytes a literal of a binary clause, 24 a ternary one, 20 a variable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encodings/encoding.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A literal of the search: twice its variable (0, 1, …), plus one if negated.
using Lit = std::int32_t;
using Variable = std::int32_t;
inline constexpr Lit kNoLit = -1;

constexpr Lit negation(Lit lit) { return lit ^ 1; }
constexpr Variable variable_of(Lit lit) { return lit >> 1; }
constexpr Lit literal_of(Variable variable, bool value) { return 2 * variable + (value ? 0 : 1); }
constexpr bool is_positive(Lit lit) { return (lit & 1) == 0; }

// A candidate of a cell that a literal, once true, removes from the board.
struct Removal {
    static constexpr std::uint16_t kNothing = UINT16_MAX;
    std::uint16_t row, column, colour;
    bool is_nothing() const { return colour == kNothing; }
    Cell cell() const { return {row, column}; }
};

class OrderModel {
  public:
    // `root` at the fixpoint of settle, with an open cell.
    OrderModel(const PuzzleClues& clues, const Board& root);

    std::size_t variables() const { return variables_; }
    std::size_t cell_variables() const { return cells_.size(); }
    const CellVariable& cell_of(Variable variable) const {
        return cells_[static_cast<std::size_t>(variable)];
    }
    const ThresholdVariable& threshold_of(Variable variable) const {
        return thresholds_[static_cast<std::size_t>(variable) - cells_.size()];
    }

    // Of two literals, one is true.
    struct Either {
        Lit first, second;
    };

    // What a literal, once true, implies.
    std::span<const Lit> implied(Lit lit) const { return slice(implied_, implied_from_, lit); }
    std::span<const Either> eithers(Lit lit) const { return slice(eithers_, eithers_from_, lit); }
    const std::vector<std::vector<Lit>>& long_clauses() const { return long_clauses_; }
    const std::vector<Lit>& units() const { return units_; }

    Removal removal(Lit lit) const { return removals_[static_cast<std::size_t>(lit)]; }
    // The literal that removes a candidate, kNoLit if the root board leaves the cell only this one, or lacks
    // it.
    Lit remover(std::size_t cell, std::size_t colour) const { return removers_[cell * colours_ + colour]; }
    // The literal that gives an open cell a colour.
    Lit giver(std::size_t cell, std::size_t colour) const { return givers_[cell * colours_ + colour]; }

  private:
    template <class T>
    static std::span<const T> slice(const std::vector<T>& all, const std::vector<std::uint32_t>& from,
                                    Lit lit) {
        const auto i = static_cast<std::size_t>(lit);
        return {all.data() + from[i], from[i + 1] - from[i]};
    }
    void list_cells(const Board& root);
    void list_clauses(std::span<const Literal> clauses);

    std::size_t variables_, colours_;
    std::vector<CellVariable> cells_;
    std::vector<ThresholdVariable> thresholds_;
    std::vector<std::uint32_t> implied_from_, eithers_from_;  // [lit], [lit + 1]
    std::vector<Lit> implied_;
    std::vector<Either> eithers_;
    std::vector<std::vector<Lit>> long_clauses_;
    std::vector<Lit> units_;
    std::vector<Removal> removals_;       // [lit]
    std::vector<Lit> removers_, givers_;  // [cell][colour]
};

}  // namespace nonocsp
