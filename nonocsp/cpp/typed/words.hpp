// What the words of typed clues mean: labels of rows and columns, sizes, titles, and words of programs.
#pragma once

#include <cstdint>
#include <string_view>

namespace nonocsp {

enum class WordMeaning : std::uint8_t {
    kUnknown,
    kNoise,  // says nothing here, such as "clues" or "const"
    kRow,
    kColumn,
    kSize,  // a number of rows and one of columns follow
    kTitle,
    kRemark,  // such as "author": the line says nothing of the clues
    kDivider,
};

constexpr bool is_axis(WordMeaning meaning) {
    return meaning == WordMeaning::kRow || meaning == WordMeaning::kColumn;
}

struct Word {
    WordMeaning meaning = WordMeaning::kUnknown;
    bool is_one = false;     // "row", not "rows": a number that follows may be that of the line
    bool is_number = false;  // "width", "num_rows": a size follows
};

// Case does not matter, and a word may have parts, as in "row_clues" and "columnHints".
Word word_of(std::string_view word);

}  // namespace nonocsp
