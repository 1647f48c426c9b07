#include "typed/tokens.hpp"

#include <algorithm>

#include "reading/clue_text.hpp"

namespace nonocsp {
namespace {

using enum TokenKind;

constexpr std::size_t kMostWords = 1 << 15;
constexpr std::size_t kMostUnknown = 400;  // words of prose, of which a text of clues has few
constexpr std::size_t kNone = std::u32string_view::npos;

bool is_ascii_letter(char32_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
// Scripts have symbols between letters; what is no letter in them makes an unknown word, which is as good.
bool is_letter(char32_t c) { return is_ascii_letter(c) || c == '_' || (c >= 0xAA && c != 0xFFFD); }

bool is_label(WordMeaning meaning) {
    return meaning != WordMeaning::kUnknown && meaning != WordMeaning::kNoise;
}

// A line such as --- or ***; a single hyphen may be an empty clue.
bool is_divider(std::u32string_view line) {
    std::size_t marks = 0;
    for (const char32_t c : line) {
        if (c == ' ') continue;
        if (!is_one_of(c, U"-=*#&~_+%/;|@")) return false;
        ++marks;
    }
    return marks > 1 || (marks == 1 && line.find(U'-') == kNone);
}

class Tokens {
  public:
    explicit Tokens(bool letters) : letters_(letters) {}

    TypedText take(std::span<const PlainLine> lines) {
        for (const PlainLine& line : lines) {
            ++number_;
            columns_ = line.columns;
            line_ = line.text;
            cut_line();
            if (is_prose()) return std::move(out_);
        }
        return std::move(out_);
    }

  private:
    bool is_prose() {
        const bool may_be_letters = !has_digits_ && has_upper_ != has_lower_;
        out_.is_prose = out_.words.size() > kMostWords || (unknown_ > kMostUnknown && !may_be_letters);
        return out_.is_prose;
    }

    void cut_line() {
        leave_out_block_comments();
        quote_end_ = kNone;
        std::size_t i = is_divider(line_) ? line_.size() : 0;
        if (i > 0) add(kDivider, 0, true);
        const std::size_t letters_end =
            line_.size() -
            std::size_t(std::ranges::find_if(line_.rbegin(), line_.rend(), is_letter) - line_.rbegin());
        for (bool is_loose = true; i < line_.size();) {
            if (starts_comment(i, letters_end)) return cut_comment(i);
            const bool is_blank = line_[i] == ' ';
            i = is_blank ? i + 1 : cut_token(i, is_loose);
            is_loose = is_blank;
        }
        end_line();
    }

    void end_line() {
        out_.tokens.push_back({kLineEnd, 0, true, 0, {number_, std::int32_t(line_.size()) + 1}});
    }

    void leave_out_block_comments() {
        for (std::size_t i = 0; i < line_.size();) {
            const std::size_t start = is_in_block_ ? i : line_.find(U"/*", i);
            if (start == kNone) return;
            const std::size_t end = line_.find(U"*/", is_in_block_ ? i : start + 2);
            is_in_block_ = end == kNone;
            i = is_in_block_ ? line_.size() : end + 2;
            std::fill(line_.begin() + std::ptrdiff_t(start), line_.begin() + std::ptrdiff_t(i), U' ');
        }
    }

    // What # // -- and % start, if it has words.
    bool starts_comment(std::size_t i, std::size_t letters_end) const {
        const std::u32string_view rest = std::u32string_view(line_).substr(i);
        const bool is_marked =
            is_one_of(rest[0], U"#%") || rest.starts_with(U"//") || rest.starts_with(U"--");
        return is_marked && i < letters_end && (i == 0 || is_one_of(line_[i - 1], U" ,;])}."));
    }

    // A comment at the start of a line that is a label, such as "# Rows", counts; its marks do not.
    void cut_comment(std::size_t i) {
        const std::size_t tokens = out_.tokens.size(), words = out_.words.size();
        const bool is_first = line_.find_first_not_of(U' ') == i;
        std::size_t unknown = unknown_;
        line_.replace(0, i, i, U' ');
        line_.resize(line_.find_last_not_of(U"#-=*: ") + 1);
        while (i < line_.size() && is_one_of(line_[i], U"#/-% ")) line_[i++] = U' ';
        for (bool is_loose = true; is_first && i < line_.size(); is_loose = line_[i - 1] == ' ')
            i = line_[i] == ' ' ? i + 1 : cut_token(i, is_loose);
        if (!is_first || !is_label_from(tokens)) {
            out_.tokens.resize(tokens);
            out_.words.resize(words);
            out_.meanings.resize(words);
        }
        unknown_ = unknown;
        end_line();
    }

    bool is_label_from(std::size_t first) const {
        bool has_axis = false;
        for (std::size_t i = first; i < out_.tokens.size(); ++i) {
            const WordMeaning meaning = out_.word(i).meaning;
            if (!out_.is(i, kNumber) && meaning == WordMeaning::kUnknown) return false;
            has_axis = has_axis || is_axis(meaning);
        }
        return has_axis;
    }

    std::size_t cut_token(std::size_t i, bool is_loose) {
        const char32_t c = line_[i];
        if (i == quote_end_) {
            quote_end_ = kNone;
            add(kClose, i, false, '"');
        } else if (is_digit(c)) {
            return cut_number(i, is_loose);
        } else if (is_one_of(c, U"\"'`")) {
            return cut_string(i, is_loose);
        } else if (is_letter(c)) {
            return cut_word(i, is_loose);
        } else {
            const auto kind = is_one_of(c, U"[({") ? kOpen : is_one_of(c, U"])}") ? kClose : kMark;
            add(kind, i, is_loose, c < 0x7F ? static_cast<char>(c) : '\1');
        }
        return i + 1;
    }

    std::size_t cut_number(std::size_t i, bool is_loose) {
        const std::size_t first = i;
        std::int64_t value = 0;
        for (; i < line_.size() && is_digit(line_[i]); ++i)
            value = std::min<std::int64_t>(kHugeNumber, value * 10 + (line_[i] - U'0'));
        add(kNumber, first, is_loose, 0, static_cast<std::int32_t>(value));
        has_digits_ = true;
        return cut_times(i);
    }

    std::size_t cut_times(std::size_t i) {
        const auto skip = [&](std::size_t from) {
            return std::min(line_.find_first_not_of(U' ', from), line_.size());
        };
        const std::size_t mark = skip(i);
        const bool is_word = line_.compare(mark, 3, U"by ") == 0;
        const std::size_t behind = mark + (is_word ? 2 : 1),
                          next = behind < line_.size() ? skip(behind) : kNone;
        if (next >= line_.size() || !(is_word || is_one_of(line_[mark], U"xX*")) || !is_digit(line_[next]))
            return i;
        add(kMark, mark, false, 'x');
        return behind;
    }

    // Quotes around numbers are brackets; around anything else they make a word.
    std::size_t cut_string(std::size_t i, bool is_loose) {
        const std::size_t end = line_.find(line_[i], i + 1);
        if (end == kNone) {
            add(kMark, i, is_loose, '"');
            return i + 1;
        }
        const std::u32string_view inside = std::u32string_view(line_).substr(i + 1, end - i - 1);
        if (inside.find_first_not_of(U"0123456789 ,.;/-|") != kNone) {
            add_word(i, is_loose, inside);
            return end + 1;
        }
        add(kOpen, i, is_loose, '"');
        quote_end_ = end;
        return i + 1;
    }

    std::size_t cut_word(std::size_t i, bool is_loose) {
        const std::size_t first = i;
        const auto goes_on = [&](std::size_t k) {
            const bool has_next = k + 1 < line_.size() && is_letter(line_[k + 1]);
            return is_letter(line_[k]) || is_digit(line_[k]) || (has_next && is_one_of(line_[k], U"-'"));
        };
        while (i < line_.size() && goes_on(i)) ++i;
        std::size_t end = i;
        while (is_digit(line_[end - 1])) --end;
        const std::u32string_view word = std::u32string_view(line_).substr(first, end - first);
        const bool is_named = word.size() > 2 && is_label(word_of(utf8_of(word)).meaning);
        if (letters_ && !is_named) {
            for (std::size_t k = first; k < i; ++k)
                if (is_ascii_letter(line_[k]))
                    add(kNumber, k, is_loose && k == first, 0, std::int32_t(line_[k] & 0x1F));
            return i;
        }
        if (end < i && !is_axis(word_of(utf8_of(word)).meaning)) end = i;
        add_word(first, is_loose, std::u32string_view(line_).substr(first, end - first));
        return end;
    }

    void add(TokenKind kind, std::size_t i, bool is_loose, char mark = 0, std::int32_t value = 0) {
        const std::int32_t column = i < columns_.size() ? columns_[i] : 1;
        out_.tokens.push_back({kind, mark, is_loose, value, {number_, column}});
    }

    void add_word(std::size_t i, bool is_loose, std::u32string_view word) {
        add(kWord, i, is_loose, 0, static_cast<std::int32_t>(out_.words.size()));
        out_.words.push_back(utf8_of(word));
        out_.meanings.push_back(word_of(out_.words.back()));
        unknown_ += out_.meanings.back().meaning == WordMeaning::kUnknown;
        for (const char32_t c : word)
            if (is_ascii_letter(c)) (c < 'a' ? has_upper_ : has_lower_) = true;
    }

    const bool letters_;
    bool has_digits_ = false, has_upper_ = false, has_lower_ = false, is_in_block_ = false;
    std::size_t unknown_ = 0, quote_end_ = kNone;  // of the string of numbers that is open
    std::int32_t number_ = 0;                      // of the line
    std::u32string line_;
    std::span<const std::int32_t> columns_;
    TypedText out_;
};

}  // namespace

bool TypedText::is_like(std::size_t i, char wanted) const {
    const Word own = word(i);
    switch (wanted) {
        case '#':
            return is(i, kNumber);
        case 'A':
            return is_axis(own.meaning);
        case 'S':
            return is_axis(own.meaning) && own.is_one;
        case 'N':
            return own.meaning == WordMeaning::kNoise;
        case 'U':
            return is(i, kWord);
        case '$':
            return is(i, kLineEnd);
        case '=':
            return is_mark(i, ":=");
        case '!':
            return is_mark(i, ":=).>") || (is_mark(i, "-") && tokens[i].is_loose && is(i + 1, kNumber));
        default:
            return (is_mark(i, {&wanted, 1}) || is_open(i, wanted) ||
                    (is(i, kClose) && tokens[i].mark == wanted));
    }
}

std::size_t TypedText::match(std::size_t i, std::string_view pattern) const {
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        const bool touches = pattern[k] == '\'';
        k += touches;
        const char behind = k + 1 < pattern.size() ? pattern[k + 1] : ' ';
        const auto fits = [&] { return is_like(i, pattern[k]) && !(touches && tokens[i].is_loose); };
        if (behind == '*')
            while (fits()) ++i;
        else if (fits())
            ++i;
        else if (behind != '?')
            return 0;
        k += behind == '*' || behind == '?';
    }
    return i;
}

std::string TypedText::shown(std::size_t i) const {
    if (is(i, kWord)) return quoted(name(i));
    return std::string("'") + (tokens[i].mark == '\1' ? '?' : tokens[i].mark) + "'";
}

bool TypedText::all_lines_have_numbers() const {
    std::int32_t count = 0;
    bool has_number = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is(i, kNumber) && !has_number) {
            const bool is_label = (i == 0 || is(i - 1, kLineEnd)) && is_number_label(i);
            if (!is_label && count > 0) return false;
            count += is_label;
        }
        has_number = !is(i, kLineEnd) && (has_number || is(i, kNumber));
    }
    return count > 2;
}

bool TypedText::is_number_label(std::size_t i) const {
    if (!match(i, "#'.") && !match(i, "#':") && !match(i, "#)")) return false;
    return is(i + 2, kLineEnd) || is(i + 2, kOpen) || token(i + 2).is_loose;
}

bool TypedText::all_lines_have_bullets() const {
    std::size_t first = 0, count = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!is(i, kLineEnd)) continue;
        const bool has_bullet = is_mark(first, "-*+") && token(first + 1).is_loose;
        count += has_bullet;
        if (first < i && !has_bullet && !is(first, kWord) && !is(first, kDivider)) return false;
        first = i + 1;
    }
    return count > 1;
}

TypedText tokens_of(std::span<const PlainLine> lines, bool letters) { return Tokens(letters).take(lines); }

bool may_be_letters(const TypedText& text) {
    if (std::ranges::count(text.tokens, kNumber, &TypedToken::kind) > 0) return false;
    bool has_upper = false, has_lower = false;
    for (const std::string& word : text.words) {
        if (word.size() > 2 && word_of(word).meaning != WordMeaning::kUnknown) continue;
        for (const char letter : word) {
            if (!is_ascii_letter(static_cast<unsigned char>(letter))) return false;
            (letter < 'a' ? has_upper : has_lower) = true;
        }
    }
    return has_upper != has_lower;
}

}  // namespace nonocsp
