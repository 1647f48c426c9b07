// What a person who solves a puzzle can use next: the cells that some line decides by itself, and the cells
// that are wrong.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coordinates.hpp"
#include "grid/board.hpp"
#include "judging/ambiguity.hpp"
#include "line/clue.hpp"

namespace nonocsp {

struct DecidedCell {
    Cell cell;
    std::uint8_t colour;
    LineId line;  // which decides it
};

struct Hint {
    std::vector<DecidedCell> next;  // each cell once, those of rows first
    std::vector<LineId> broken;     // no placement fits
    std::vector<Cell> wrong;        // has a colour that no solution has there, as far as is known
};

// Settles every line of a grid that somebody has filled in part, each by itself. `judged` is the search of
// the same puzzle; cells are wrong if line solving contradicts them, or all solutions do.
Hint hint(const PuzzleClues& clues, const Board& grid, const AmbiguitySearch& judged);

}  // namespace nonocsp
