// Chains: the parts of a line that its clue ties together. At the fixpoint of line solving a line is a word
// of a regular language (Pesant 2004), and the states of its minimal deterministic automaton say all that the
// cells so far mean for those to come. Decided cells need no states: a chain has open cells only. Where just
// one state is possible, the line falls apart into two chains that know nothing of each other.
// Cost: cells times states of the clue. Memory: the states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

inline constexpr std::uint32_t kDead = 0xffffffff;

// A state before a cell, and the states after it: with background, and with the colour of the only block that
// the cell can belong to.
struct ChainState {
    std::uint32_t background = kDead;
    std::uint32_t block = kDead;
    std::uint32_t colour = 0;
    double log2_completions = 0;  // of the ways to go on to the end of the chain
};

// Before the first cell and after the last one there is one state: 0.
struct Chain {
    std::vector<std::uint32_t> cells;   // row * columns + column
    std::vector<std::uint32_t> offset;  // [cell] its first state; one more entry: the number of states
    std::vector<ChainState> states;

    std::size_t width(std::size_t cell) const { return offset[cell + 1] - offset[cell]; }
    std::size_t widest() const;
};

// The chains of a line in the order of its cells, or in the reverse order with each chain reversed too. The
// board is at the fixpoint of line solving.
std::vector<Chain> chains_of(const Board& board, LineId line, const Clue& clue, bool reversed);

}  // namespace nonocsp
