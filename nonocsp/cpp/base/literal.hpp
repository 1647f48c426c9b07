// The literals of a formula, and what a variable says about a cell.
#pragma once

#include <cstdint>

namespace nonocsp {

// A variable (1, 2, …) or its negation, as in a DIMACS file; the constants negate each other too.
using Literal = std::int32_t;
inline constexpr Literal kTrue = INT32_MAX;
inline constexpr Literal kFalse = -kTrue;

// A cell variable: if true, the cell (row-major) has the colour; if false, a cell of two candidates has the
// other one.
struct CellVariable {
    std::int32_t cell;
    std::int32_t colour;
};

}  // namespace nonocsp
