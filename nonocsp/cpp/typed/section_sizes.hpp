// Takes the sizes out of the numbers of typed text, once all sections are there.
#pragma once

#include "typed/sections.hpp"

namespace nonocsp {

// Drops empty sections, finds sizes among their numbers, and ranks how strongly the numbers are separated.
void complete(Sections& sections, const Assumptions& assumed);

}  // namespace nonocsp
