// Steps, hints, efforts and mends as JSON for pages. Rows, columns and cells count from 0; candidates are
// lists of colours; a number that may be beyond 2^53 is a string.
#pragma once

#include <string>

#include "grading/effort.hpp"
#include "grading/hint.hpp"
#include "grading/walk.hpp"
#include "judging/mend.hpp"

namespace nonocsp {

std::string record_of(const WalkStep& step);
std::string record_of(const Hint& hint);
std::string record_of(const Effort& effort);
std::string record_of(const Mender& mender);

}  // namespace nonocsp
