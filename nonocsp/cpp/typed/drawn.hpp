// Reads puzzles drawn as text: the numbers of the columns above a grid, those of the rows to its left, as
// ``nonocsp solve`` prints them. The grid may be left out where the numbers stand one below the other.
#pragma once

#include <span>

#include "reading/clue_text.hpp"
#include "typed/words.hpp"

namespace nonocsp {

// The puzzles of a text that says nothing else; none if it is not drawn. A full grid is the goal if
// it has the clues. The text must be sound: rows and columns with as many cells, clues that fit.
Reading read_drawn(std::span<const PlainLine> lines);

}  // namespace nonocsp
