#include "typed/token_view.hpp"

#include "reading/clue_text.hpp"

namespace nonocsp {

using enum TokenKind;

Rank strength(char mark, bool is_loose) {
    switch (mark) {
        case '-':
            return is_loose ? 6 : 1;
        case '.':
            return is_loose ? 6 : 2;
        case ',':
            return is_loose ? 5 : 3;
        case ' ':
            return 4;
        case ':':
            return 7;
        case ';':
            return 8;
        case '/':
            return 9;
        case '|':
            return 10;
        case '&':
        case '#':
            return 11;
        default:
            return 0;
    }
}

std::string TokenView::shown(std::size_t i) const {
    if (is(i, kWord)) return quoted(name(i));
    const char mark = token(i).mark;
    return std::string("'") + (mark == '\1' ? '?' : mark) + "'";
}

LineNumbers TokenView::line_numbers() const {
    std::int32_t first = -1, last = -1, count = 0, before = 0;
    std::optional<TextPlace> broken;
    TextPlace start;
    bool starts_line = true, has_number = false;
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
        const TypedToken& it = token(i);
        if (it.kind == kNumber && !has_number) {
            const bool is_label = starts_line && is_number_label(i);
            const bool goes_on = is_label && (first < 0 || it.value == first || it.value == last + 1);
            if (!goes_on && count > 0 && !broken) broken = it.place;
            if (is_label && first < 0) {
                first = it.value;
                start = it.place;
            }
            if (is_label) last = it.value;
            count += is_label;
            before += count == 0;
            has_number = true;
        }
        starts_line = it.kind == kLineEnd;
        has_number = has_number && !starts_line;
    }
    if (count < 3 || before > 2) return {};
    if (first > 1 && !broken) broken = start;
    return {!broken, broken};
}

bool TokenView::is_number_label(std::size_t i) const {
    const bool is_told = is(i, kNumber) && is_mark(i + 1, ".):") && !token(i + 1).is_loose;
    const bool is_closed = is(i, kNumber) && is(i + 1, kClose) && token(i + 1).mark == ')';
    if (!is_told && !is_closed) return false;
    if (is_axis(word(i + 2).meaning)) return false;
    return is(i + 2, kLineEnd) || is(i + 2, kOpen) || token(i + 2).is_loose;
}

bool TokenView::all_lines_have_bullets() const {
    std::size_t first = 0, count = 0;
    for (std::size_t i = 0; i < text_.tokens.size(); ++i) {
        if (!is(i, kLineEnd)) continue;
        const bool has_bullet = is_mark(first, "-*+") && token(first + 1).is_loose;
        count += has_bullet;
        if (first < i && !has_bullet && !is(first, kWord) && !is(first, kDivider)) return false;
        first = i + 1;
    }
    return count > 1;
}

}  // namespace nonocsp
