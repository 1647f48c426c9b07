// Depth-first search over lines that maintains generalised arc consistency. Branching is two-way: a placement
// of a line, or any other one. So a refuted placement narrows the rest (Hwang & Mitchell 2005), a level of
// the search is a fixed line, and a large domain needs no list of branches.
#pragma once

#include <cstdint>
#include <memory>

#include "search/search.hpp"

namespace nonocsp {

// Which line to branch on. kDomain: the one with the smallest domain. kDomWdeg: the smallest domain over
// weight (Boussemart, Hemery, Lecoutre & Sais 2004): a line weighs one, and one more for every domain that a
// crossing at one of its open cells emptied. The paper also counts the crossings themselves; here the domain
// tells how many cells are open. kFirst: the first line. Ties go to the first line, rows before columns.
enum class VariableOrder : std::uint8_t { kDomain, kDomWdeg, kFirst };

// Which placement of the line to try first. kFirst: the first in lexicographic order. kSupport: the one that
// the largest shares of the crossing lines' domains agree with, summed over the cells. kRandom: any.
enum class ValueOrder : std::uint8_t { kFirst, kSupport, kRandom };

struct GacOptions {
    VariableOrder variable_order;
    ValueOrder value_order;
    bool settle;  // before the placements are listed
    std::uint64_t max_placements;
    std::uint64_t seed;
};

std::unique_ptr<Search> make_gac_search(const PuzzleClues& clues, const GacOptions& options);

}  // namespace nonocsp
