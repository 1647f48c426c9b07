// Independent parts of a puzzle, as puzzles of their own. At the fixpoint of settle, two neighbouring blocks
// of a line whose ranges do not meet know nothing of each other, so a line falls apart into runs of blocks
// that depend on each other. Cells that such a run has in common belong to one component. A component becomes
// the smallest rectangle around its open cells; components whose rectangles contain cells of each other stay
// together. The solutions of the puzzle are the products of the solutions of its components.
// Cost: the possible starts of all blocks once, then a few passes over the rectangles.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct Component {
    std::unique_ptr<PuzzleClues> clues;
    Board board;
    Cell first;  // of the rectangle, in the whole puzzle
    std::size_t open_cells;
    std::array<std::vector<std::size_t>, 2> first_blocks;  // [axis][line] in the whole puzzle

    // The number, row by row, that a cell of the rectangle has in a puzzle of so many columns.
    std::size_t number(std::size_t cell, std::size_t columns) const {
        const std::size_t width = board.lines(Axis::kColumn);
        return (first.row + cell / width) * columns + first.column + cell % width;
    }
};

// The components of a board at the fixpoint of settle, those with few open cells first.
std::vector<Component> components_of(const PuzzleClues& clues, const Board& board);

// The cells of a component's rectangle on a board of the whole puzzle.
Board cut_out(const Board& board, const Component& component);

}  // namespace nonocsp
