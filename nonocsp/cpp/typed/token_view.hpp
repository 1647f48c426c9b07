// What stands at a place of typed text, and how its lines begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "typed/tokens.hpp"

namespace nonocsp {

// How strongly a number is separated from the one before: the higher, the more.
using Rank = std::int64_t;

// How strongly a mark separates two numbers of one line. Tight ones join numbers of a clue where blanks or
// other marks separate clues; a comma or hyphen followed by a blank separates more than a blank.
Rank strength(char mark, bool is_loose);

inline bool is_strong(char mark) { return mark == ',' || mark == ';' || mark == '/' || mark == '|'; }

// Whether the lines of a text are numbered, and the number that should not be there.
struct LineNumbers {
    bool are_there = false;
    std::optional<TextPlace> broken;
};

// Places beyond the end have no token. The text must outlive the view.
class TokenView {
  public:
    explicit TokenView(const TypedText& text) : text_(text) {}

    const TypedToken& token(std::size_t i) const { return text_.tokens[i]; }
    bool is(std::size_t i, TokenKind kind) const { return i < text_.tokens.size() && token(i).kind == kind; }
    bool is_mark(std::size_t i, std::string_view marks) const {
        return is(i, TokenKind::kMark) && marks.find(token(i).mark) != marks.npos;
    }
    const std::string& name(std::size_t i) const { return text_.words[std::size_t(token(i).value)]; }
    Word word(std::size_t i) const {
        return is(i, TokenKind::kWord) ? text_.meanings[std::size_t(token(i).value)] : Word{};
    }

    // A token as messages show it.
    std::string shown(std::size_t i) const;

    // Numbered lines: all lines that have numbers start with 1. or 1) or 1: and count, perhaps twice from the
    // start; a line or two with a size may come before. A line that breaks the numbering is a fault: its
    // number would pass for a clue.
    LineNumbers line_numbers() const;
    bool is_number_label(std::size_t i) const;

    // Whether each line of numbers starts with a word or a bullet, and two at least with a bullet.
    bool all_lines_have_bullets() const;

  protected:
    const TypedText& text_;
};

}  // namespace nonocsp
