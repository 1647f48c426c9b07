// Counts all solutions of a puzzle without enumerating them: line solving, then a sweep of each independent
// component. Two cells belong together if a chain of a line has both; the number of solutions is the product
// over the components.
//
// Each component is swept with layers of ever more states, first in four orders, then in the best of them,
// until no layer has to be cut. What the cut sweeps find is a lower bound, which grows from pass to pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "counting/sweep.hpp"
#include "search/search.hpp"

namespace nonocsp {

class SolutionCounter {
  public:
    // `clues` must outlive the counter; a layer is cut where two of them would take more than `memory` bytes.
    SolutionCounter(const PuzzleClues& clues, std::size_t memory) : clues_(clues), memory_(memory) {}

    SolutionCounter(const SolutionCounter&) = delete;
    SolutionCounter& operator=(const SolutionCounter&) = delete;

    // The number of solutions. Throws Interrupted, and TooManyStates if the memory does not suffice; what was
    // proved until then is in `at_least`.
    Natural count(Watch& watch);

    // A lower bound. `solvable`: the caller knows a solution.
    Natural at_least(bool solvable) const;

    Statistics statistics() const;

  private:
    struct Component {
        std::vector<std::uint32_t> cells;
        std::vector<FrontierSweep> sweeps;  // the orders that are left, the best first
        Natural at_least;
        bool is_exact = false;
    };

    // Whether the lines have a solution each.
    bool start(Watch& watch);
    void find_components();
    void sweep(Component& component, std::size_t width, std::size_t orders, Watch& watch);
    bool is_exact() const;

    const PuzzleClues& clues_;
    std::size_t memory_;
    bool is_unsat_ = false, is_split_ = false;
    std::vector<std::unique_ptr<ChainsOfGrid>> grids_;  // [reversed]
    std::vector<Component> components_;
    std::int64_t open_cells_ = 0, passes_ = 0, states_ = 0, widest_ = 0;
};

}  // namespace nonocsp
