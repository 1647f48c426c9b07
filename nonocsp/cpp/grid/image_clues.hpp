// The clues of an image, read from the colours of its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "line/clue.hpp"

namespace nonocsp {

// Adds the clue of a line, read from the colours of its cells.
void append_clue(OwnedClues& clues, std::span<const std::uint8_t> line);

// The clues of an image, given row by row; `colours` counts the background. The image has rows of the same
// length.
PuzzleClues clues_of_image(std::span<const std::uint8_t> image, std::size_t columns, std::size_t colours);

}  // namespace nonocsp
