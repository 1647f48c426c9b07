// The second relaxation of Batenburg & Kosters (Solving Nonograms by combining relaxations, 2009): all
// clauses of two literals that the placements of one line imply.
//
// A literal says that a cell has a colour, or does not have it. Settling the line under the assumption of a
// literal shows all that it implies there: candidates that vanish, and cells with a single one left. A cell
// of two candidates has one variable, other cells have one a candidate. The clauses say that a cell has at
// most one colour; that it has some colour takes a clause of more than two literals, which the relaxation
// drops.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "encodings/encoding.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"
#include "twosat/two_sat.hpp"

namespace nonocsp {

// The literals of the open cells of a board, for all boards within it.
class CellLiterals {
  public:
    explicit CellLiterals(const Board& board);

    std::size_t variables() const { return variables_.size(); }

    // The literal "the cell has the colour". The cell was open, with this candidate.
    Literal has_colour(Cell cell, std::size_t colour) const {
        assert(literals_[at(cell) * colours_ + colour] != 0);
        return literals_[at(cell) * colours_ + colour];
    }

    // Whether the cell had two candidates, so that one variable tells both.
    bool is_two_valued(Cell cell) const { return is_two_valued_[at(cell)] != 0; }

    // The cell of a literal, and the candidates that the literal leaves it.
    Cell cell(Literal literal) const;
    Word candidates(Literal literal) const;

  private:
    std::size_t at(Cell cell) const { return cell.row * columns_ + cell.column; }

    std::size_t columns_, colours_;
    std::vector<CellVariable> variables_;      // [variable - 1]
    std::vector<Literal> literals_;            // [cell][colour]
    std::vector<std::uint8_t> is_two_valued_;  // [cell]
};

// Derives the clauses of lines, and keeps a few results a line for when it is in the same state again.
class LineClauses {
  public:
    LineClauses(const PuzzleClues& clues, const Board& board);

    const CellLiterals& literals() const { return literals_; }

    // The clauses of one line of a board at the fixpoint of settle, valid until the next call, each once. The
    // clauses within a cell come with its row.
    std::span<const BinaryClause> of(const Board& board, LineId id, Watch& watch);

    std::int64_t settles() const { return settles_; }

  private:
    struct Entry {
        std::vector<Word> line;
        std::vector<BinaryClause> clauses;
    };
    static constexpr std::size_t kEntries = 8;  // a line

    void derive(LineId id, std::span<const Word> line, std::vector<BinaryClause>& clauses, Watch& watch);
    void assume(LineId id, std::span<const Word> line, std::size_t position, Literal literal);
    void append_implied(LineId id, std::span<const Word> line, Literal assumed,
                        std::vector<BinaryClause>& clauses) const;

    const PuzzleClues& clues_;
    CellLiterals literals_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::array<std::vector<Entry>, 2> entries_;  // by axis: [line][kEntries]
    std::vector<Word> assumed_, settled_;
    std::int64_t settles_ = 0;
};

}  // namespace nonocsp
