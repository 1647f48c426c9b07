// Verifies a grid against the clues of its puzzle by reading the runs of each line off the cells. It includes
// nothing of the solvers, so that no fault of theirs can hide here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nonocsp::verification {

// The clues of one axis as the puzzle states them: line i has the blocks offsets[i]..offsets[i + 1].
struct StatedClues {
    std::span<const std::int32_t> offsets, lengths, colours;

    std::size_t lines() const { return offsets.size() - 1; }
};

struct WrongLine {
    bool is_column;
    std::size_t position;
};

// The lines whose runs are not their clue, rows first; empty if the grid solves the puzzle. A cell is a set
// of candidates, bit c for colour c, row by row; a cell without exactly one candidate is in no run of any
// clue. Throws std::invalid_argument for another number of cells than rows x columns, and for offsets that do
// not index the blocks.
std::vector<WrongLine> wrong_lines(const StatedClues& rows, const StatedClues& columns,
                                   std::span<const std::uint64_t> cells);

}  // namespace nonocsp::verification
