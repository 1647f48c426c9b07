// The clues of a puzzle, compiled for settling: the blocks of each line in order, the distinct kinds (colour,
// length) among them, and the doubling steps that turn a colour's cells into the runs of every kind.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/coordinates.hpp"

namespace nonocsp {

// A block of a line, with its cells in the placement that has every block as far left as it goes. A gap is
// open if it may be empty: at the borders, and between blocks of different colours.
struct Block {
    std::uint16_t kind;
    std::uint16_t colour;
    std::uint16_t earliest;       // first cell
    std::uint16_t earliest_last;  // last cell
    std::uint16_t gap_before;     // the first cell of the gap, or the line's last cell if the gap has no room
    std::uint16_t gap_after;
    bool open_before;
    bool open_after;

    std::size_t length() const { return earliest_last - earliest + std::size_t{1}; }
};

// Makes runs of length L into runs of length L + shift, where shift <= L. After the last step of a kind they
// have its length.
struct Step {
    std::uint16_t shift;
    std::uint16_t kind;
};

// One colour of a line and its part of the line's steps, from single cells to its longest kind.
struct ColourSteps {
    std::uint16_t colour;
    std::uint16_t first;
    std::uint16_t count;
};

// The clue of one line, a view into Clues.
struct Clue {
    std::size_t length;  // of the line
    bool fits;           // whether the blocks and the gaps between them fit into an empty line
    bool touching;       // whether two neighbouring blocks have different colours
    std::size_t slack;   // how far every block can move in an empty line
    std::span<const Block> blocks;
    std::span<const ColourSteps> colours;
    const Step* steps;
    bool is_free = false;  // fits every line: what is known without this clue

    std::span<const Step> steps_of(const ColourSteps& colour) const {
        return {steps + colour.first, colour.count};
    }
};

// Clues in flat arrays: line i has the blocks offsets[i]..offsets[i + 1].
struct FlatClues {
    std::span<const std::int32_t> offsets;
    std::span<const std::int32_t> lengths;
    std::span<const std::int32_t> colours;
};

// The same arrays, owned: they grow block by block and line by line.
struct OwnedClues {
    std::vector<std::int32_t> offsets{0}, lengths, colours;

    void add_block(std::int32_t length, std::int32_t colour) {
        lengths.push_back(length);
        colours.push_back(colour);
    }
    void end_line() { offsets.push_back(static_cast<std::int32_t>(lengths.size())); }
    FlatClues view() const { return {offsets, lengths, colours}; }
};

// The clues of all lines of one axis.
class Clues {
  public:
    // Throws std::invalid_argument for a block without cells or with a colour outside 1..63, and for offsets
    // that do not index the blocks.
    Clues(std::size_t line_length, const FlatClues& flat);
    Clues(const Clues&) = delete;
    Clues& operator=(const Clues&) = delete;
    Clues(Clues&&) = default;
    Clues& operator=(Clues&&) = default;

    std::size_t size() const { return lines_.size(); }
    std::size_t line_length() const { return line_length_; }
    const Clue& operator[](std::size_t line) const { return lines_[line]; }

    // Puts another clue in the place of one, which it returns; what a clue views must outlive its stay.
    Clue replace(std::size_t line, const Clue& clue) {
        assert(clue.length == line_length_);
        return std::exchange(lines_[line], clue);
    }

  private:
    // The numbers of parts that a line has.
    struct Parts {
        std::size_t blocks, colours, steps;
    };

    using Kind = std::pair<std::int32_t, std::int32_t>;  // colour, length

    // Adds a line with these blocks, these kinds among them, and the kind of each block.
    Parts append(const std::vector<Kind>& blocks, const std::vector<Kind>& kinds,
                 const std::vector<std::uint16_t>& kind_of);
    void point_lines_at(const std::vector<Parts>& parts);

    std::size_t line_length_;
    std::vector<Clue> lines_;  // views of what follows
    std::vector<Block> blocks_;
    std::vector<ColourSteps> colours_;
    std::vector<Step> steps_;
};

// The clues of a puzzle. Immutable; threads share it and bring their own Propagator.
struct PuzzleClues {
    PuzzleClues(const FlatClues& row_clues, const FlatClues& column_clues, std::size_t colour_count);

    const Clues& of(Axis axis) const { return axis == Axis::kRow ? rows : columns; }
    const Clue& operator[](LineId id) const { return of(id.axis)[id.position]; }
    Clue replace(LineId id, const Clue& clue) {
        return (id.axis == Axis::kRow ? rows : columns).replace(id.position, clue);
    }

    Clues rows, columns;
    std::size_t colours;  // the background included
};

}  // namespace nonocsp
