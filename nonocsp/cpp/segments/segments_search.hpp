// Search by messages between pixels and segments, and elimination on single lines by the messages alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "line/clue.hpp"
#include "search/search.hpp"

namespace nonocsp {

// Which open pixel to branch on when all objects are silent.
enum class PixelChoice : std::uint8_t {
    kFewest,  // the one whose possibly covering coloured segments have the fewest starts
    kFirst,   // the first, row by row
};

// Eliminates; where that leaves pixels open, tries the colours of one of them, depth first.
std::unique_ptr<Search> make_segments_search(const PuzzleClues& clues, PixelChoice choice);

// Eliminates on lines of one clue: `cells` and `eliminated` hold one candidate set a cell, line after line.
// The cells of a contradictory line become 0.
void eliminate_lines(const Clues& clue, std::size_t colours, std::span<const Word> cells,
                     std::span<Word> eliminated);

}  // namespace nonocsp
