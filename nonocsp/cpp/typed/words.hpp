// The lines of typed clues, and what their words mean: labels of rows and columns, sizes, titles, and words
// of programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// The lines of a text in the characters of ASCII that stand for what is written, as far as there are such.
struct PlainLine {
    std::u32string text;                // tabs are blanks up to the next column of eight
    std::vector<std::int32_t> columns;  // of its characters in the text, from 1
    std::string_view source;
};

std::vector<PlainLine> plain_lines(std::string_view text);

std::string utf8_of(std::u32string_view text);

inline bool is_one_of(char32_t c, std::u32string_view set) { return set.find(c) != set.npos; }
inline bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

}  // namespace nonocsp
