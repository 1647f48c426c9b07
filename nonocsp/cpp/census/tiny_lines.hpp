// All lines of one short length in black and white, each a set of bits, with their clues.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonocsp {

class TinyLines {
  public:
    using Line = std::uint32_t;  // bit p: cell p

    static constexpr std::size_t kMostCells = 18;

    // Throws std::invalid_argument for no cells or too many.
    explicit TinyLines(std::size_t length);

    std::size_t length() const { return length_; }
    std::size_t contents() const { return clue_.size(); }

    // The number of the content's clue, from 0.
    std::size_t clue(std::size_t content) const { return clue_[content]; }
    std::size_t clues() const { return placements_.size(); }
    // The contents that have a clue.
    const std::vector<Line>& placements(std::size_t clue) const { return placements_[clue]; }

    Line mirrored(std::size_t content) const;

  private:
    std::size_t length_;
    std::vector<std::uint16_t> clue_;            // [content]
    std::vector<std::vector<Line>> placements_;  // [clue]
};

}  // namespace nonocsp
