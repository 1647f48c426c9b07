// Search by messages between pixels and segments, and what the messages alone tell of a line.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "line/clue.hpp"
#include "search/search.hpp"

namespace nonocsp {

// Which open pixel is given a colour when all objects are silent.
enum class PixelChoice : std::uint8_t {
    kFewest,  // the one whose coloured segments, those that possibly cover it, have the fewest starts
    kFirst,   // the first, row by row
};

// Eliminates; where that leaves pixels open, tries the colours of one of them, depth first. Its category of
// the puzzle is what it has proved so far.
std::unique_ptr<Search> search_by_segments(const PuzzleClues& clues, PixelChoice choice);

// What elimination leaves of lines of one clue: `cells` and `eliminated` hold one candidate set a cell, line
// after line. The cells of a line that nothing fits become zero.
void eliminate_lines(const Clues& clue, std::size_t colours, std::span<const Word> cells,
                     std::span<Word> eliminated);

}  // namespace nonocsp
