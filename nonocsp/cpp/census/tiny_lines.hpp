// All lines of one short length in black and white, each a set of bits, with the result of settling as a
// table. In a census the content of a line is given and its known cells agree with it, so content and known
// cells determine the result. Memory: 2 bytes for every content and set of known cells.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonocsp {

class TinyLines {
  public:
    using Line = std::uint16_t;  // bit p: cell p

    static constexpr std::size_t kMostCells = 10;

    // Throws std::invalid_argument for no cells or too many.
    explicit TinyLines(std::size_t length);

    std::size_t length() const { return length_; }
    std::size_t contents() const { return clue_.size(); }

    // The cells known after settling a line with this content, from these known cells.
    Line settled(std::size_t content, std::size_t known) const {
        assert(content < contents() && known < contents());
        return settled_[content << length_ | known];
    }

    // The number of the content's clue, from 0.
    std::size_t clue(std::size_t content) const { return clue_[content]; }
    std::size_t clues() const { return placements_.size(); }
    // The contents that have a clue.
    const std::vector<Line>& placements(std::size_t clue) const { return placements_[clue]; }

    Line mirrored(std::size_t content) const;

  private:
    void number_clues();
    Line settle(std::size_t content, std::size_t known) const;

    std::size_t length_;
    std::vector<std::uint16_t> clue_;            // [content]
    std::vector<std::vector<Line>> placements_;  // [clue]
    std::vector<Line> settled_;                  // [content][known]
};

}  // namespace nonocsp
