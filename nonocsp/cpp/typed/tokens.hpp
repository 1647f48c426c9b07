// Cuts typed text into numbers, words, marks and brackets, whatever Unicode spells them with.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reading/reading.hpp"
#include "typed/words.hpp"

namespace nonocsp {

enum class TokenKind : std::uint8_t { kNumber, kWord, kMark, kOpen, kClose, kDivider, kLineEnd };

struct TypedToken {
    TokenKind kind;
    char mark = 0;           // of a mark or bracket, in ASCII; '\1' for a character that has no meaning here
    bool is_loose = false;   // a blank or the start of the line stands before it
    std::int32_t value = 0;  // of a number; of a word, its index in `words`
    TextPlace place;
};

struct TypedText {
    std::vector<TypedToken> tokens;       // each line ends with kLineEnd
    std::vector<std::string> words;       // in UTF-8
    std::vector<Word> meanings;           // of the words
    std::vector<std::string_view> lines;  // as they are in the text
};

constexpr std::int32_t kHugeNumber = 999'999'999;  // of ten digits and more

// With `letters`, a word is a row of numbers, A = 1, unless it is a label that a colon or = follows. Comments
// of programs are left out unless they are labels. The text must outlive the result.
TypedText tokens_of(std::string_view text, bool letters);

// Whether the text has no digits, and its words, labels left out, are letters A to Z of one case.
bool may_be_letters(const TypedText& text);

// The lines of a text in the characters of ASCII that stand for what is written, as far as there are such.
std::vector<std::u32string> plain_lines(std::string_view text);

std::string utf8_of(std::u32string_view text);

}  // namespace nonocsp
