// The open part of a puzzle as a learning search sees it. A model of cells has variables for the open cells
// alone, and no clauses but those which give a cell of many colours exactly one. A model with starts has
// variables for "block j has started at s or before" as well (encode_order), and their clauses, which have
// two or three literals. Those are implication tables, read once a literal and never changed, so that only
// learnt clauses need watching. Cells have the same variables in both, so that clauses over cells can be
// shared. Memory: 4 bytes a literal of a binary clause, 24 a ternary one, 20 a variable.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "cdcl/types.hpp"
#include "encodings/encoding.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A candidate of a cell that a literal, once true, removes from the board.
struct Removal {
    static constexpr std::uint16_t kNothing = UINT16_MAX;
    std::uint16_t row, column, colour;
    bool is_nothing() const { return colour == kNothing; }
    Cell cell() const { return {row, column}; }
};

enum class Variables : std::uint8_t { kCells, kCellsAndStarts };

class Model {
  public:
    // `root` at the fixpoint of settle, with an open cell.
    Model(const PuzzleClues& clues, const Board& root, Variables variables);

    std::size_t variables() const { return variables_; }
    bool has_starts() const { return !thresholds_.empty(); }
    // Memory in bytes, without what vectors have in reserve.
    std::size_t bytes() const;
    // Whether any clause is in the tables.
    bool has_short_clauses() const { return !binaries_.empty() || !ternaries_.empty(); }
    std::size_t cell_variables() const { return cells_.size(); }
    std::size_t columns() const { return columns_; }
    const CellVariable& cell_of(Variable variable) const {
        return cells_[static_cast<std::size_t>(variable)];
    }
    const ThresholdVariable& threshold_of(Variable variable) const {
        return thresholds_[static_cast<std::size_t>(variable) - cells_.size()];
    }

    // The other two literals of a ternary clause.
    struct Ternary {
        Lit first, second;
    };

    // The clauses of two and three literals that have the negation of a literal: once it is true, it implies
    // each of `binaries`, and one of each pair of `ternaries`.
    std::span<const Lit> binaries(Lit lit) const { return slice(binaries_, binaries_from_, lit); }
    std::span<const Ternary> ternaries(Lit lit) const { return slice(ternaries_, ternaries_from_, lit); }
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
        assert(i + 1 < from.size() && from[i] <= from[i + 1]);
        return {all.data() + from[i], from[i + 1] - from[i]};
    }
    void list_cells(const Board& root);
    void list_clauses(std::span<const Literal> clauses);

    std::size_t variables_, columns_, colours_;
    std::vector<CellVariable> cells_;
    std::vector<ThresholdVariable> thresholds_;
    std::vector<std::uint32_t> binaries_from_, ternaries_from_;  // [lit], [lit + 1]
    std::vector<Lit> binaries_;
    std::vector<Ternary> ternaries_;
    std::vector<std::vector<Lit>> long_clauses_;
    std::vector<Lit> units_;
    std::vector<Removal> removals_;       // [lit]
    std::vector<Lit> removers_, givers_;  // [cell][colour]
};

}  // namespace nonocsp
