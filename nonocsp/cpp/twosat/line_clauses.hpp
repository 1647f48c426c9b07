// The second relaxation of Batenburg & Kosters (Solving Nonograms by combining relaxations, 2009): all
// clauses of two literals that the placements of one line imply.
//
// A literal says that a cell has a colour, or has not. Settling the line with the literal assumed shows all
// that it implies there: candidates that are gone, and cells that are left with one. A cell of two candidates
// has one variable, another one a variable a candidate: that it has at most one colour is among the clauses;
// that it has some colour is a clause of more than two literals, and relaxed away.
#pragma once

#include <array>
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

// The literals of the cells of one puzzle, numbered on a board that contains all later ones.
class CellLiterals {
  public:
    explicit CellLiterals(const Board& board);

    std::size_t variables() const { return variables_.size(); }

    // The literal "this cell has this colour"; 0 if that was no question.
    Literal has_colour(Cell cell, std::size_t colour) const {
        return literals_[at(cell) * colours_ + colour];
    }

    // Whether not to have one colour is to have the other, by one variable.
    bool is_two_valued(Cell cell) const { return is_two_valued_[at(cell)] != 0; }

    // The cell of a literal, and the candidates that it leaves there.
    Cell cell(Literal literal) const;
    Word candidates(Literal literal) const;

  private:
    std::size_t at(Cell cell) const { return cell.row * columns_ + cell.column; }

    std::size_t columns_, colours_;
    std::vector<CellVariable> variables_;      // [variable - 1]
    std::vector<Literal> literals_;            // [cell][colour]
    std::vector<std::uint8_t> is_two_valued_;  // [cell]
};

// Derives the clauses of lines, and keeps a few results a line: what did not change, or is again as it was,
// is not derived again.
class LineClauses {
  public:
    LineClauses(const PuzzleClues& clues, const Board& board);

    const CellLiterals& literals() const { return literals_; }

    // The clauses of one line of a board at the fixpoint of settle, valid until the next call. Each clause
    // is there once; those inside a cell come with its row.
    std::span<const BinaryClause> of(const Board& board, LineId id, Watch& watch);

    std::int64_t settles() const { return settles_; }

  private:
    struct Entry {
        std::vector<Word> line;
        std::vector<BinaryClause> clauses;
    };
    static constexpr std::size_t kEntries = 8;  // a line

    Entry& entry_of(LineId id, std::span<const Word> line);
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
