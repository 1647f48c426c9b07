// The lines of a text in the characters of ASCII that stand for what is written, as far as there are such.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nonocsp {

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
