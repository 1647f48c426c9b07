// Depth-first search with Solver0 or Solver1 at every node. It branches on the cell whose values imply most,
// by the product over the values, so that each of them matters. The value that implies least comes first,
// since it is likelier to hold.
#pragma once

#include <memory>

#include "search/search.hpp"

namespace nonocsp {

struct TwoSatOptions {
    bool looks_ahead;  // Solver1 instead of Solver0
    bool complete;     // otherwise the only "solution" is the narrowed root
};

std::unique_ptr<Search> make_two_sat_search(const PuzzleClues& clues, const TwoSatOptions& options);

}  // namespace nonocsp
