// Backend `mdd`: line solving, then a diagram of all solutions of each independent part. The parts are joined
// by their lines: two lines belong together if they cross in an open cell. Solutions are the combinations of
// one path through each diagram; their number is the product of the diagrams' counts.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "grid/board.hpp"
#include "mdd/diagram.hpp"
#include "search/search.hpp"

namespace nonocsp {

class MddSearch final : public Search {
  public:
    // The diagrams together take at most about `max_bytes`.
    MddSearch(const PuzzleClues& clues, std::size_t max_bytes) : Search(clues), max_bytes_(max_bytes) {}

    MddSearch(const MddSearch&) = delete;
    MddSearch& operator=(const MddSearch&) = delete;

    // The first call makes all diagrams. Throws TooManyStates, too.
    bool next(Watch& watch, std::span<Word> cells) override;

    // The number of all solutions. Throws Interrupted and TooManyStates; what was proved until then is in
    // `at_least`.
    Natural count(Watch& watch);

    // A lower bound of the number of solutions. `solvable`: the caller knows one.
    Natural at_least(bool solvable) const;

    Statistics statistics() const override;

  private:
    // The diagram of some lines, and the path of the current solution through it.
    struct Part {
        Axis outer;
        std::unique_ptr<Diagram> diagram;
        std::vector<Diagram::NodeId> path;
        std::vector<bool> takes_block;
    };

    void build(Watch& watch);
    void split(const Board& board, Watch& watch);
    static void descend(Part& part, Diagram::NodeId node);
    static bool advance(Part& part);

    std::size_t max_bytes_;
    bool is_built_ = false, is_split_ = false, is_unsat_ = false, is_started_ = false;
    std::vector<std::vector<LineDiagram>> lines_;  // [axis]
    std::vector<Part> parts_;
    std::vector<Word> cells_;  // of the fixpoint
};

}  // namespace nonocsp
