// Which line a search over lines branches on, and which of its placements it tries first.
#pragma once

#include <cstdint>
#include <random>

#include "gac/gac.hpp"

namespace nonocsp {

// kDomain: the smallest domain. kDomWdeg: the smallest domain over weight (Boussemart, Hemery, Lecoutre &
// Sais 2004): a line weighs one, and one more for every domain that a crossing at one of its open cells
// emptied. The paper also counts the crossings themselves; that is how many cells are open, of which the
// domain tells enough. kFirst: as in the file. Ties are broken as in the file, rows first.
enum class VariableOrder : std::uint8_t { kDomain, kDomWdeg, kFirst };

// kFirst: lexicographically. kSupport: where the crossing lines have the most placements that agree, added up
// over the cells as shares of their domains. kRandom: any.
enum class ValueOrder : std::uint8_t { kFirst, kSupport, kRandom };

// A line with several placements; there must be one.
LineId choose_line(const Gac& gac, const GacNode& node, VariableOrder order);

std::size_t choose_placement(const Gac& gac, const GacNode& node, LineId id, ValueOrder order,
                             std::mt19937_64& random);

}  // namespace nonocsp
