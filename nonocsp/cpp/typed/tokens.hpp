// Cuts typed text into numbers, words, marks and brackets, and tells what stands at a place of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reading/clue_text.hpp"
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

// Each line ends with kLineEnd. 3x4, 3 by 4 and 3*4 have the mark x between;
class TypedText {
  public:
    std::vector<TypedToken> tokens;
    std::vector<std::string> words;  // in UTF-8
    std::vector<Word> meanings;      // of the words
    bool is_prose = false;           // far too many unknown words: the tokens end there

    // Places beyond the end have no token.
    const TypedToken& token(std::size_t i) const { return tokens[i]; }
    bool is(std::size_t i, TokenKind kind) const { return i < tokens.size() && tokens[i].kind == kind; }
    bool is_mark(std::size_t i, std::string_view marks) const {
        return is(i, TokenKind::kMark) && marks.find(tokens[i].mark) != marks.npos;
    }
    bool is_open(std::size_t i, char mark) const { return is(i, TokenKind::kOpen) && tokens[i].mark == mark; }
    const std::string& name(std::size_t i) const { return words[std::size_t(tokens[i].value)]; }
    Word word(std::size_t i) const {
        return is(i, TokenKind::kWord) ? meanings[std::size_t(tokens[i].value)] : Word{};
    }

    // The place behind tokens that follow a pattern; 0 if others stand there. Each character is a token: # a
    // number, A a word of an axis, S one of a single line, U any word, N one that says nothing, $ the end of
    // the line, = a colon or =, ! what may end a label; others are marks and brackets. Behind one, ? means
    // that it may be missing, * any number of them; before one, ' that it touches the token before.
    std::size_t match(std::size_t i, std::string_view pattern) const;

    // A token as messages show it.
    std::string shown(std::size_t i) const;

    // Whether all lines that have numbers, but for the first ones, start with 1. or 1) or 1: and so on.
    bool all_lines_have_numbers() const;
    bool is_number_label(std::size_t i) const;

    // Whether each line of numbers starts with a word or a bullet, and two at least with a bullet.
    bool all_lines_have_bullets() const;

  private:
    bool is_like(std::size_t i, char wanted) const;
};

constexpr std::int32_t kHugeNumber = 999'999'999;  // of ten digits and more

// With `letters`, a word is a row of numbers, A = 1, unless it is a label. Comments of programs are left out
// unless they are labels.
TypedText tokens_of(std::span<const PlainLine> lines, bool letters);

// Whether the text has no digits, and its words, labels left out, are letters A to Z of one case.
bool may_be_letters(const TypedText& text);

}  // namespace nonocsp
