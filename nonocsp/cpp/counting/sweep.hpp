// Counts the solutions of a component by a sweep over its cells (the frontier method of Knuth's Simpath, The
// Art of Computer Programming 4A, 7.1.4). After some cells the only thing that matters about them is the
// state of every chain that is begun and not ended: the frontier. So a layer is a map from frontiers to the
// number of ways to get there, and each cell makes the next layer out of the last one.
//
// A layer can be cut to its most promising states, which makes it a restricted decision diagram (Bergman,
// Cire, van Hoeve & Hooker, Decision Diagrams for Optimization, 2016): every path that is left is a solution,
// so the count is a proved lower bound. Without a cut it is exact.
// Cost: two look-ups a state and cell. Memory: two layers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/coordinates.hpp"
#include "base/natural.hpp"
#include "base/watch.hpp"
#include "counting/chains.hpp"
#include "counting/frontier_states.hpp"

namespace nonocsp {

// The chains of all lines, read in one direction.
struct ChainsOfGrid {
    ChainsOfGrid(const Board& board, const PuzzleClues& clues, bool reversed, Watch& watch);

    struct Place {
        std::uint32_t chain = kDead, position = 0;
    };

    std::array<std::vector<Chain>, 2> chains;    // [axis]
    std::array<std::vector<Place>, 2> place_of;  // [axis][cell] of open cells
    bool reversed;
};

struct SweepResult {
    Natural count;
    bool exact = true;
    bool out_of_memory = false;  // a layer was cut because of the memory
    double excess = 0;           // how much too wide the layers were: the sum of log2(states / kept)
    std::uint64_t states = 0;    // of all layers
    std::uint64_t widest = 0;
};

class FrontierSweep {
  public:
    // Takes the cells line by line of an axis, from the start or, with reversed chains, from the end. `cells`
    // are those of a component, in increasing order; `columns` is the grid's width.
    FrontierSweep(const ChainsOfGrid& grid, Axis along, std::span<const std::uint32_t> cells,
                  std::size_t columns);

    // Cuts layers to `width` states, or to fewer that fit into `memory` bytes.
    SweepResult run(std::size_t width, std::size_t memory, Watch& watch);

  private:
    // Where a frontier's key holds the state of a chain; no bits for a chain of one cell, whose state is 0.
    struct Field {
        std::size_t word = 0, shift = 0;
        Word mask = 0;

        std::uint32_t read(std::span<const Word> key) const {
            return static_cast<std::uint32_t>(key[word] >> shift & mask);
        }
        void write(std::span<Word> key, std::uint32_t state) const {
            key[word] = (key[word] & ~(mask << shift)) | Word{state} << shift;
        }
    };
    struct Part {
        const Chain* chain;
        std::size_t position;  // of the cell in the chain
        Field field;

        const ChainState& state(std::span<const Word> key) const {
            return chain->states[chain->offset[position] + field.read(key)];
        }
    };
    using Step = std::array<Part, 2>;  // [axis]

    Field allocate(std::size_t bits);
    void advance(const Step& step, Watch& watch);
    void pass(const Step& step);
    void cut(std::size_t kept, Watch& watch);

    std::vector<Step> steps_;
    std::vector<Word> used_;  // bits of the key
    FrontierStates layer_, next_;
    std::vector<Word> key_;
    std::vector<Part> frontier_;  // the chains that are begun, each at its next cell
};

}  // namespace nonocsp
