// What people find in a puzzle, as JSON for Python and for pages. Rows, columns and cells count from 0;
// candidates are lists of colours; a number that may be beyond 2^53 is a string.
#pragma once

#include <string>

#include "grading/effort.hpp"
#include "grading/walk.hpp"

namespace nonocsp {

std::string record_of(const StepReason& reason);
std::string record_of(const WalkStep& step);
std::string record_of(const Hint& hint);
std::string record_of(const Effort& effort);

}  // namespace nonocsp
