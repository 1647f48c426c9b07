// Wrong clues and texts of clues as JSON for pages. Of texts: sureness, why and line as of
// `nonocsp.formats.base.Evidence`; puzzles, whose clues are [line, length, colour, length, colour, ...];
// notes [message, line]; and the fault [message, expected, line, column] or null.
#pragma once

#include <string>

#include "judging/mend.hpp"
#include "reading/lists.hpp"
#include "typed/typed.hpp"

namespace nonocsp {

std::string record_of(const Mender& mender);
std::string record_of(const ListEvidence& evidence, const Reading& reading);

// Typed clues speak strongly for themselves, weakly if only their labels do.
std::string record_of(const TypedReading& typed);

}  // namespace nonocsp
