#include "typed/tokens.hpp"

#include <algorithm>

namespace nonocsp {
namespace {

constexpr char32_t kZeros[] = {
    // the decimal digits of Unicode come in tens
    0x660,  0x6F0,  0x7C0,  0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,  0xCE6,
    0xD66,  0xDE6,  0xE50,  0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946, 0x19D0,
    0x1A80, 0x1A90, 0x1B50, 0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0, 0xA9F0,
    0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6,
};
constexpr std::u32string_view kBlanks = U"\t\u00A0\u1680\u202F\u205F\u3000";
constexpr std::u32string_view kNothing = U"\u00AD\u061C\u180E\u2060\uFE0E\uFE0F\uFEFF";
constexpr std::u32string_view kLineEnds = U"\n\v\f\u0085\u2028\u2029";
constexpr char32_t kSkipped = 0;
constexpr std::size_t kMostWords = 1 << 15;

// The character of ASCII that this one stands for, itself if none does, kSkipped if it means nothing.
char32_t plain(char32_t c) {
    if (c < 0x7F) return c == '\t' ? U' ' : c;
    if (c >= 0xFF01 && c <= 0xFF5E) return c - 0xFEE0;
    for (const char32_t zero : kZeros)
        if (c >= zero && c < zero + 10) return U'0' + (c - zero);
    if (kBlanks.find(c) != kBlanks.npos || (c >= 0x2000 && c <= 0x200A)) return U' ';
    if (kNothing.find(c) != kNothing.npos || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
        (c >= 0x2066 && c <= 0x2069))
        return kSkipped;
    if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0x2500 || c == 0x2501) return U'-';
    if ((c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB) return U'"';
    switch (c) {
        case 0x3001:
            return U',';
        case 0x3002:
        case 0xB7:
            return U'.';
        case 0x2022:
            return U'*';
        case 0xD7:
            return U'x';
        case 0x2550:
            return U'=';
        case 0x2502:
        case 0x2503:
            return U'|';
        case 0x300C:
        case 0x3010:
        case 0x3014:
            return U'[';
        case 0x300D:
        case 0x3011:
        case 0x3015:
            return U']';
        default:
            return c;
    }
}

char32_t decode(std::string_view text, std::size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead < 0x80) return lead;
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t c = lead & (0x3F >> more);
    for (std::size_t i = 0; i < more; ++i, ++at) {
        if (at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) return 0xFFFD;
        c = (c << 6) | (static_cast<unsigned char>(text[at]) & 0x3F);
    }
    return more == 0 ? 0xFFFD : c;
}

void append(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | (c >> 6));
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        text += static_cast<char>(0xE0 | (c >> 12));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | (c >> 18));
        text += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Scripts have symbols between letters; what is no letter in them makes an unknown word, which is as good.
bool is_letter(char32_t c) { return is_ascii_letter(c) || c == '_' || (c >= 0xAA && c != 0xFFFD); }
bool is_one_of(char32_t c, std::u32string_view set) { return set.find(c) != set.npos; }

// The lines of a text in plain characters, with the column of each.
class PlainLines {
  public:
    explicit PlainLines(std::string_view text, bool spreads_tabs = false)
        : text_(text), spreads_tabs_(spreads_tabs) {}

    bool next() {
        if (at_ >= text_.size()) return false;
        line_.clear();
        columns_.clear();
        const std::size_t start = at_;
        std::size_t end = at_;
        std::int32_t column = 0;
        while (at_ < text_.size()) {
            const char32_t c = decode(text_, at_);
            if (c >= ' ' && c < 0x7F) {
                end = at_;
                line_ += c;
                columns_.push_back(++column);
                continue;
            }
            if (c == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
            if (c == '\r' || is_one_of(c, kLineEnds)) break;
            end = at_;
            ++column;
            if (c == 0x1B) {
                skip_escape(column);
            } else if (c == '\t' && spreads_tabs_) {
                line_.resize(line_.size() / 8 * 8 + 8, U' ');
            } else if (const char32_t own = plain(c); own != kSkipped) {
                line_ += own;
                columns_.push_back(column);
                if (c != 0xFF0C && c != 0x3001) continue;
                line_ += ' ';  // a wide comma has its blank inside
                columns_.push_back(column);
            }
        }
        source_ = text_.substr(start, end - start);
        return true;
    }

  protected:
    std::u32string line_;
    std::vector<std::int32_t> columns_;
    std::string_view source_;

  private:
    // The colours of a terminal.
    void skip_escape(std::int32_t& column) {
        while (at_ < text_.size() && text_[at_] != '\n') {
            ++column;
            if (is_ascii_letter(static_cast<unsigned char>(text_[at_++]))) break;
        }
    }

    std::string_view text_;
    bool spreads_tabs_;  // to columns of eight, without the columns in the text
    std::size_t at_ = 0;
};
class Tokens : private PlainLines {
  public:
    Tokens(std::string_view text, bool letters) : PlainLines(text), letters_(letters) {}

    TypedText take() {
        while (next()) {
            if (out_.words.size() > kMostWords) return {};
            ++number_;
            out_.lines.push_back(source_);
            cut_line();
        }
        return std::move(out_);
    }

  private:
    void cut_line() {
        leave_out_comments();
        std::size_t i = 0;
        bool is_loose = true;
        if (is_divider()) {
            add(TokenKind::kDivider, 0, true);
            i = line_.size();
        }
        while (i < line_.size()) {
            if (line_[i] == ' ') {
                is_loose = true;
                ++i;
                continue;
            }
            i = cut_token(i, is_loose);
            is_loose = false;
        }
        out_.tokens.push_back({TokenKind::kLineEnd, 0, true, 0, {number_, std::int32_t(line_.size()) + 1}});
    }

    // A line such as --- or ***; a single hyphen may be an empty clue.
    bool is_divider() const {
        std::size_t marks = 0;
        for (const char32_t c : line_) {
            if (c == ' ') continue;
            if (!is_one_of(c, U"-=*#&~_+%/;|@")) return false;
            ++marks;
        }
        return marks > 1 || (marks == 1 && !line_.ends_with(U'-') && line_.find(U'-') == line_.npos);
    }

    std::size_t cut_token(std::size_t i, bool is_loose) {
        const char32_t c = line_[i];
        if (is_digit(c)) return cut_number(i, is_loose);
        if (c == '"' || c == '\'' || c == '`') return cut_string(i, is_loose);
        if (is_letter(c)) return cut_word(i, is_loose);
        const bool is_open = is_one_of(c, U"[({");
        const auto kind = is_open                ? TokenKind::kOpen
                          : is_one_of(c, U"])}") ? TokenKind::kClose
                                                 : TokenKind::kMark;
        add(kind, i, is_loose, c < 0x7F ? static_cast<char>(c) : '\1');
        return i + 1;
    }

    std::size_t cut_number(std::size_t i, bool is_loose) {
        const std::size_t first = i;
        std::int64_t value = 0;
        for (; i < line_.size() && is_digit(line_[i]); ++i)
            value = std::min<std::int64_t>(kHugeNumber, value * 10 + (line_[i] - U'0'));
        add(TokenKind::kNumber, first, is_loose, 0, static_cast<std::int32_t>(value));
        return cut_times(i);
    }

    // The x of 3x4, 3 x 4 and 3*4.
    std::size_t cut_times(std::size_t i) {
        const auto skip = [&](std::size_t from) {
            while (from < line_.size() && line_[from] == ' ') ++from;
            return from;
        };
        const std::size_t mark = skip(i), next = skip(mark + 1);
        if (next >= line_.size() || !is_one_of(line_[mark], U"xX*") || !is_digit(line_[next])) return i;
        add(TokenKind::kMark, mark, false, 'x');
        return mark + 1;
    }

    // Quotes around numbers are brackets; around anything else they make a word.
    std::size_t cut_string(std::size_t i, bool is_loose) {
        const std::size_t end = line_.find(line_[i], i + 1);
        if (end == line_.npos) {
            add(TokenKind::kMark, i, is_loose, '"');
            return i + 1;
        }
        const std::u32string_view inside = std::u32string_view(line_).substr(i + 1, end - i - 1);
        if (std::ranges::all_of(inside, [](char32_t c) { return is_digit(c) || is_one_of(c, U" ,.;/-|"); })) {
            add(TokenKind::kOpen, i, is_loose, '"');
            bool loose = false;
            for (std::size_t k = i + 1; k < end;) {
                const bool is_blank = line_[k] == ' ';
                k = is_blank ? k + 1 : cut_token(k, loose);
                loose = is_blank;
            }
            add(TokenKind::kClose, end, false, '"');
            return end + 1;
        }
        add_word(i, is_loose, inside);
        return end + 1;
    }

    std::size_t cut_word(std::size_t i, bool is_loose) {
        const std::size_t first = i;
        const auto goes_on = [&](std::size_t k) {
            const bool has_next = k + 1 < line_.size() && is_letter(line_[k + 1]);
            return is_letter(line_[k]) || is_digit(line_[k]) ||
                   (has_next && (line_[k] == '-' || line_[k] == '\''));
        };
        while (i < line_.size() && goes_on(i)) ++i;
        std::size_t end = i;
        while (is_digit(line_[end - 1])) --end;
        const std::u32string_view word = std::u32string_view(line_).substr(first, end - first);
        if (letters_ && !is_label_here(word, i)) {
            for (std::size_t k = first; k < i; ++k)
                if (is_ascii_letter(line_[k]))
                    add(TokenKind::kNumber, k, is_loose && k == first, 0, (line_[k] & 0x1F));
            return i;
        }
        if (end < i && !is_axis(word_of(utf8_of(word)).meaning)) end = i;
        add_word(first, is_loose, std::u32string_view(line_).substr(first, end - first));
        return end;
    }

    // In a text of letters, "c" and "row" are clues unless a colon or = follows.
    bool is_label_here(std::u32string_view word, std::size_t behind) const {
        while (behind < line_.size() && line_[behind] == ' ') ++behind;
        const bool is_alone = behind == line_.size() && line_.find_first_not_of(U' ') + word.size() == behind;
        const bool is_told = behind < line_.size() && (line_[behind] == ':' || line_[behind] == '=');
        const WordMeaning meaning = word_of(utf8_of(word)).meaning;
        const bool is_label = meaning != WordMeaning::kUnknown && meaning != WordMeaning::kNoise;
        return is_label && word.size() > 2 && (is_told || is_alone);
    }

    // What # // -- and % start, if it has words, and what stands in /* */ and {- -}.
    void leave_out_comments() {
        letters_end_ = line_.size();
        while (letters_end_ > 0 && !is_letter(line_[letters_end_ - 1])) --letters_end_;
        for (std::size_t i = 0; i < line_.size(); ++i) {
            if (!block_end_.empty()) {
                const std::size_t end = line_.find(block_end_, i);
                const std::size_t stop = end == line_.npos ? line_.size() : end + 2;
                std::fill(line_.begin() + std::ptrdiff_t(i), line_.begin() + std::ptrdiff_t(stop), U' ');
                if (end == line_.npos) return;
                block_end_.clear();
                i = stop - 1;
                continue;
            }
            const std::u32string_view rest = std::u32string_view(line_).substr(i);
            if (is_one_of(line_[i], U"\"'")) {
                i = std::min(line_.find(line_[i], i + 1), line_.size());
            } else if (rest.starts_with(U"/*") || rest.starts_with(U"{-")) {
                block_end_ = line_[i] == '/' ? U"*/" : U"-}";
                --i;
            } else if (starts_comment(rest, i)) {
                leave_out_rest(i);
                return;
            }
        }
    }

    bool starts_comment(std::u32string_view rest, std::size_t i) const {
        const bool is_marked =
            rest[0] == '#' || rest[0] == '%' || rest.starts_with(U"//") || rest.starts_with(U"--");
        if (!is_marked || (i > 0 && !is_one_of(line_[i - 1], U" ,;])}."))) return false;
        return i < letters_end_;
    }

    // A comment at the start of a line that is a label, such as "# Rows", counts; its marks do not.
    void leave_out_rest(std::size_t i) {
        const std::size_t first = line_.find_first_not_of(U"#/-% ", i);
        const bool is_first = line_.find_first_not_of(U' ') == i;
        std::u32string rest = line_.substr(std::min(first, line_.size()));
        while (!rest.empty() && is_one_of(rest.back(), U"#-=*: ")) rest.pop_back();
        if (is_first && (is_label(rest))) {
            std::fill(line_.begin() + std::ptrdiff_t(i), line_.begin() + std::ptrdiff_t(first), U' ');
        } else {
            line_.resize(i);
            columns_.resize(i);
        }
    }

    // Words of labels and a number at most.
    static bool is_label(std::u32string_view text) {
        bool has_axis = false;
        std::size_t i = 0;
        while (i < text.size()) {
            const std::size_t end = std::min(text.find(U' ', i), text.size());
            std::u32string_view word = text.substr(i, end - i);
            while (!word.empty() && is_digit(word.back())) word.remove_suffix(1);
            const WordMeaning meaning = word_of(utf8_of(word)).meaning;
            if (!word.empty() && meaning == WordMeaning::kUnknown) return false;
            has_axis = has_axis || is_axis(meaning);
            i = end + 1;
        }
        return has_axis;
    }

    void add(TokenKind kind, std::size_t i, bool is_loose, char mark = 0, std::int32_t value = 0) {
        const std::int32_t column = i < columns_.size() ? columns_[i] : 1;
        out_.tokens.push_back({kind, mark, is_loose, value, {number_, column}});
    }

    void add_word(std::size_t i, bool is_loose, std::u32string_view word) {
        add(TokenKind::kWord, i, is_loose, 0, static_cast<std::int32_t>(out_.words.size()));
        out_.words.push_back(utf8_of(word));
        out_.meanings.push_back(word_of(out_.words.back()));
    }

    bool letters_;
    std::int32_t number_ = 0;
    std::size_t letters_end_ = 0;  // of the line: no letters follow
    std::u32string block_end_;
    TypedText out_;
};

class PlainText : private PlainLines {
  public:
    using PlainLines::PlainLines;

    std::vector<std::u32string> take() {
        std::vector<std::u32string> lines;
        while (next()) lines.push_back(line_);
        return lines;
    }
};

}  // namespace

std::vector<std::u32string> plain_lines(std::string_view text) { return PlainText(text, true).take(); }

std::string utf8_of(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) append(out, c);
    return out;
}

TypedText tokens_of(std::string_view text, bool letters) { return Tokens(text, letters).take(); }

bool may_be_letters(const TypedText& text) {
    const auto is_number = [](const TypedToken& token) { return token.kind == TokenKind::kNumber; };
    if (std::ranges::any_of(text.tokens, is_number)) return false;
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
