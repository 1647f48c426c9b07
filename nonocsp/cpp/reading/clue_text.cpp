#include "reading/clue_text.hpp"

#include <algorithm>
#include <map>

namespace nonocsp {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Bytes of the blank or comma there, 0 if it is something else.
std::size_t separator_at(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (c == ' ' || c == ',' || c == '\t') return 1;
    return c > ' ' && c < 0x7f ? 0 : blank_at(text, at);
}

// Characters that a terminal or a page would not show, or that turn what follows around.
bool is_hidden(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa1) || code == 0xad ||
           (code >= 0x200b && code < 0x2010) || (code >= 0x2028 && code < 0x2030) ||
           (code >= 0x205f && code < 0x2070) || code == 0xfeff;
}

std::string escaped(std::uint32_t code) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text = code < 0x100 ? "\\x" : "\\u";
    for (int shift = code < 0x100 ? 4 : 12; shift >= 0; shift -= 4) text += kDigits[code >> shift & 15];
    return text;
}

std::int64_t least_length(const ReadClue& clue) {
    std::int64_t length = 0;
    for (std::size_t i = 0; i < clue.lengths.size(); ++i)
        length += clue.lengths[i] + (i > 0 && clue.colours[i] == clue.colours[i - 1]);
    return length;
}

bool each_fits(std::span<const ReadClue> clues, std::size_t cells) {
    return std::ranges::all_of(clues, [&](const ReadClue& clue) {
        return least_length(clue) <= static_cast<std::int64_t>(cells) &&
               std::ranges::all_of(clue.lengths, [](std::int32_t length) { return length > 0; });
    });
}

std::map<std::int32_t, std::int64_t> sums_of(std::span<const ReadClue> clues) {
    std::map<std::int32_t, std::int64_t> sums;
    for (const ReadClue& clue : clues)
        for (std::size_t i = 0; i < clue.lengths.size(); ++i) sums[clue.colours[i]] += clue.lengths[i];
    return sums;
}

ReadFault not_a_length(const TextLine& line, const Token& token) {
    const TextPlace place = place_of(line, token.at);
    if (token.text == "?")
        return {"an unknown clue (?), which is not supported yet", "a number for every block of every line",
                place};
    return {quoted(token.text) + " is no block length", "a clue such as 3 1 2, or 0 for an empty line",
            place};
}

}  // namespace

TextLines::TextLines(std::string_view text, std::int32_t first) : text_(text), number_(first) {
    if (first == 1 && text.starts_with("\xef\xbb\xbf")) at_ = 3;
}

bool TextLines::next(TextLine& line) {
    if (at_ >= text_.size()) return false;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') ++end;
    line = {text_.substr(at_, end - at_), number_++, at_};
    std::size_t behind = end;
    while (behind < text_.size() && text_[behind] == '\r') ++behind;
    const bool is_lf = behind < text_.size() && text_[behind] == '\n';
    at_ = is_lf ? behind + 1 : end + 1;
    return true;
}

std::size_t blank_at(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80)
        return first == ' ' || (first >= '\t' && first <= '\r') || (first >= 0x1c && first < 0x20);
    if (first < 0xc2 || first > 0xe3) return 0;  // callers ask inside of characters, too
    const std::string_view character = text.substr(at, character_at(text, at));
    const std::uint32_t code = code_point(character);
    const bool is_wide = code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
                         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
    return is_wide || code == 0x85 || code == 0xa0 ? character.size() : 0;
}

std::size_t character_at(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && end < at + 4 && is_continuation(text[end])) ++end;
    return end - at;
}

std::uint32_t code_point(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    std::uint32_t code = character.size() == 1 ? first : first & (0xffU >> (character.size() + 1));
    for (const char c : character.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
    return code;
}

std::string_view trimmed(std::string_view text) {
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t size = blank_at(text, start);
        if (size == 0) break;
        start += size;
    }
    text.remove_prefix(start);
    while (!text.empty()) {
        std::size_t last = text.size() - 1;
        while (last > 0 && is_continuation(text[last])) --last;
        if (blank_at(text, last) != text.size() - last) break;
        text.remove_suffix(text.size() - last);
    }
    return text;
}

bool starts_with_any(std::string_view text, std::string_view characters) {
    std::size_t at = 0;
    while (at < text.size() && blank_at(text, at) != 0) at += blank_at(text, at);
    return at < text.size() && characters.find(text[at]) != characters.npos;
}

std::optional<Token> next_token(std::string_view text, std::size_t& at) {
    while (at < text.size() && separator_at(text, at) != 0) at += separator_at(text, at);
    if (at >= text.size()) return std::nullopt;
    const std::size_t start = at;
    while (at < text.size() && separator_at(text, at) == 0) ++at;
    return Token{text.substr(start, at - start), start};
}

Token first_word(std::string_view text) {
    std::size_t at = 0;
    return next_token(text, at).value_or(Token{{}, text.size()});
}

std::string_view behind(const Token& word, std::string_view text) {
    return trimmed(text.substr(word.at + word.text.size()));
}

std::optional<std::int32_t> number_of(std::string_view word) {
    if (word.empty() || word.size() > 9) return std::nullopt;
    std::int32_t number = 0;
    for (const char c : word) {
        if (c < '0' || c > '9') return std::nullopt;
        number = 10 * number + (c - '0');
    }
    return number;
}

TextPlace place_of(const TextLine& line, std::size_t at) {
    const std::string_view before = line.text.substr(0, at);
    return {line.number, 1 + static_cast<std::int32_t>(
                                 std::ranges::count_if(before, [](char c) { return !is_continuation(c); }))};
}

std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 30, kKept = 27;
    std::string shown = "'";
    std::size_t count = 0, kept = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
        if (count == kMost) return shown.substr(0, kept) + "...'";
        if (count == kKept) kept = shown.size();
        const std::string_view character = text.substr(at, character_at(text, at));
        const std::uint32_t code = code_point(character);
        shown += is_hidden(code) ? escaped(code) : std::string(character);
        at += character.size();
    }
    return shown + "'";
}

ReadClue read_lengths(const TextLine& line, std::size_t from) {
    ReadClue clue;
    clue.reserve(line.text.size() - from);
    std::optional<Token> wrong;
    std::size_t count = 0;
    while (const std::optional<Token> token = next_token(line.text, from)) {
        if (++count == 1) clue.place = place_of(line, token->at);
        const std::optional<std::int32_t> length = number_of(token->text);
        if (!length && !wrong) wrong = token;
        if (count <= kMostTextLines) clue.lengths.push_back(length.value_or(0));
    }
    if (count > kMostTextLines)
        throw ReadFault{std::to_string(count) + " blocks", "at most 4096 in a line", {line.number, 0}};
    if (wrong && (count > 1 || wrong->text != "[]")) throw not_a_length(line, *wrong);
    if (count == 0) clue.place = {line.number, 1};
    if (count == 1 && clue.lengths[0] == 0) clue.lengths.clear();
    clue.colours.assign(clue.lengths.size(), 1);
    return clue;
}

bool clues_fit(std::span<const ReadClue> rows, std::span<const ReadClue> columns) {
    return !rows.empty() && !columns.empty() && each_fits(rows, columns.size()) &&
           each_fits(columns, rows.size()) && sums_of(rows) == sums_of(columns);
}

bool has_count(const ReadClue& clue) {
    return clue.lengths.empty() || static_cast<std::size_t>(clue.lengths[0]) == clue.lengths.size() - 1;
}

ReadClues without_counts(const ReadClues& clues) {
    if (!std::ranges::all_of(clues, has_count) || cells_of(clues) == 0) return {};
    ReadClues meant = clues;
    for (ReadClue& clue : meant)
        if (!clue.lengths.empty()) {
            clue.lengths.erase(clue.lengths.begin());
            clue.colours.pop_back();
        }
    return meant;
}

std::int64_t cells_of(std::span<const ReadClue> clues) {
    std::int64_t cells = 0;
    for (const ReadClue& clue : clues)
        for (const std::int32_t length : clue.lengths) cells += length;
    return cells;
}

}  // namespace nonocsp
