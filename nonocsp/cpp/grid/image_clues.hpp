// The clues of an image, read from the colours of its cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "line/clue.hpp"

namespace nonocsp {

// Clues in flat arrays, read from the colours of lines.
class DraftClues {
  public:
    void append(std::span<const std::uint8_t> line) {
        for (std::size_t i = 0, end = 0; i < line.size(); i = end) {
            end = i + 1;
            while (end < line.size() && line[end] == line[i]) ++end;
            if (line[i] == 0) continue;
            lengths_.push_back(static_cast<std::int32_t>(end - i));
            colours_.push_back(line[i]);
        }
        offsets_.push_back(static_cast<std::int32_t>(lengths_.size()));
    }

    FlatClues view() const { return {offsets_, lengths_, colours_}; }

  private:
    std::vector<std::int32_t> offsets_{0}, lengths_, colours_;
};

// The clues of an image, given row by row; `colours` counts the background. The image has rows of the same
// length.
PuzzleClues clues_of_image(std::span<const std::uint8_t> image, std::size_t columns, std::size_t colours);

}  // namespace nonocsp
