// The techniques of one line. All placements of the line agree on every finding, because techniques count
// cells or reason with windows and owners, which hold every start of a block and every block of a run. Linear
// in cells times blocks, but for settle.
//
// A new technique needs its name and grade in `catalogue.hpp`, its function and a place in the table of
// `findings` in techniques.cpp, its chapter in `grading/explain/catalogue.py` and its sentences in
// `grading/explain/texts.json`.
#pragma once

#include <vector>

#include "grading/line_state.hpp"

namespace nonocsp {

// What a technique of one line finds, possibly nothing; always nothing for kColours and kProbe.
std::vector<LineFinding> findings(Technique technique, const LineState& line);

}  // namespace nonocsp
