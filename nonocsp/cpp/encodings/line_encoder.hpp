// Encodes a puzzle line by line, rows first, from the possible starts of each block. An encoding derives from
// LineEncoder and says what it adds for a line; decided lines are left out.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "encodings/encoding.hpp"
#include "line/clue.hpp"
#include "line/start_lists.hpp"

namespace nonocsp {

// A line of the puzzle: its blocks, and where its cells lie in the grid.
struct EncodedLine {
    LineId id;
    std::span<const Block> clue;
    std::size_t first_cell;
    std::size_t stride;
    std::int32_t cells;  // the number of them

    std::size_t blocks() const { return clue.size(); }
    std::size_t cell(std::int32_t position) const {
        assert(0 <= position && position < cells);
        return first_cell + static_cast<std::size_t>(position) * stride;
    }
    std::uint32_t colour(std::size_t j) const { return clue[j].colour; }
    std::int32_t length(std::size_t j) const { return static_cast<std::int32_t>(clue[j].length()); }
    // Whether block j may follow the one before it without a gap.
    bool touches(std::size_t j) const { return 0 < j && j < blocks() && colour(j - 1) != colour(j); }
    // The latest start of block j - 1 if block j starts at `start`.
    std::int32_t latest_before(std::size_t j, std::int32_t start) const {
        assert(j > 0);
        return start - length(j - 1) - (touches(j) ? 0 : 1);
    }
};

// The literals that give the cells of a line their colours. A support implies its colour, and a colour
// implies one of its supports.
class CellSupports {
  public:
    void assign(std::int32_t cells);
    void add(std::int32_t position, std::uint32_t colour, Literal support) {
        supports_[static_cast<std::size_t>(position)].push_back({colour, support});
    }
    // Colours below `first_colour` have no supports of their own.
    void add_clauses(const EncodedLine& line, std::uint32_t first_colour, const CellVariables& cells,
                     Clauses& clauses);

  private:
    struct Support {
        std::uint32_t colour;
        Literal literal;
    };

    std::vector<std::vector<Support>> supports_;  // [position]
    std::vector<Literal> clause_;
};

class LineEncoder {
  public:
    explicit LineEncoder(std::span<const Word> candidates) : cells_(candidates, clauses_) {}
    virtual ~LineEncoder() = default;

    // Encodes a line that has an open cell; `starts` holds the starts that occur in a placement.
    virtual void add_line(const EncodedLine& line, const BlockStarts& starts) = 0;

    Encoding take() { return {std::move(clauses_), cells_.take_list(), std::move(thresholds_)}; }

  protected:
    Clauses clauses_;
    CellVariables cells_;
    std::vector<ThresholdVariable> thresholds_;
};

// Calls add_line for every line that is not decided.
void add_open_lines(LineEncoder& encoder, const PuzzleClues& clues, std::span<const Word> candidates);

// What the encoder of one encoding makes of a puzzle.
template <std::derived_from<LineEncoder> Encoder>
Encoding encode_by(const PuzzleClues& clues, std::span<const Word> candidates) {
    Encoder encoder(candidates);
    add_open_lines(encoder, clues, candidates);
    return encoder.take();
}

}  // namespace nonocsp
