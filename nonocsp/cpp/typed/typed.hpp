// Reads clues that people type and paste, however they write them: with labels or without, a clue a line or
// all in one, in the brackets of any language. A text can often be read in several ways. All are tried, and
// only one puzzle may come out whose rows and columns have as many cells and whose clues fit their lines.
#pragma once

#include <string_view>

#include "reading/clue_text.hpp"

namespace nonocsp {

struct TypedReading {
    Reading reading;
    bool has_labels = false;  // of rows or columns, with numbers
};

// The puzzle of a text in UTF-8. Its clues are sound, or labels say what they are. Otherwise a fault, which
// says what was understood; without a message, if the text has no clues at all. Takes time proportional to
// the text.
TypedReading read_typed(std::string_view text);

}  // namespace nonocsp
