// How much the head of a file speaks for each dialect.
#include <algorithm>
#include <array>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

enum Sureness : std::int32_t { kNo, kWeak, kStrong, kCertain };

// Clues with their count that agree by chance in a file without counts: hardly ever so many.
constexpr std::size_t kEnoughCounts = 8;

std::string at_line(std::int32_t line, const std::string& what) {
    return "line " + std::to_string(line) + what;
}

// The lines that say something, without blanks around them.
std::vector<TextLine> said_lines(std::string_view head, std::string_view comments) {
    std::vector<TextLine> lines;
    TextLines all(head);
    for (TextLine line; all.next(line);) {
        line.text = trimmed(line.text);
        if (!line.text.empty() && !starts_with_any(line.text, comments)) lines.push_back(line);
    }
    return lines;
}

bool is_clue(std::string_view text) {
    if (trimmed(text) == "[]") return true;
    std::size_t at = 0;
    while (const std::optional<Token> token = next_token(text, at))
        if (token->text != "?" && token->text.find_first_not_of("0123456789") != std::string_view::npos)
            return false;
    return true;
}

// A head as a text: a clue that is not told counts as an empty one, so that the reader can refuse it by name.
struct Head {
    Head(std::string_view text, bool is_cut) : text(text), is_cut(is_cut) {}

    ListReading read(const ListDialect& dialect) const {
        return read_list(dialect, text, {1, !is_cut, 0, 0});
    }

    std::string text;
    bool is_cut;
};

// Whether the file is an .mk file, which has a line with # below its row clues; nothing else tells it from a
// .nin file.
bool is_mk(const Head& head) {
    const ListReading found = head.read(list_dialect("mk"));
    return found.has_middle || (found.reading.puzzles.size() == 1);
}

ListEvidence unlike(const Reading& reading, Sureness sureness) {
    const ReadFault& fault = *reading.fault;
    const std::int32_t line = fault.place.line;
    return {sureness, line > 0 ? at_line(line, ": " + fault.message) : fault.message, std::max(line, 1)};
}

ListEvidence sized_evidence(const ListDialect& dialect, const Head& head) {
    const ListReading found = head.read(dialect);
    const Reading& reading = found.reading;
    const bool is_divided = dialect.between != ListBreak::kNothing;
    if (reading.fault && !found.has_head && dialect.head != ListHead::kHeightThenWidth)
        return {kNo,
                dialect.head == ListHead::kWidthHeight ? "no line WIDTH HEIGHT comes first"
                                                       : "no line HEIGHT WIDTH comes first",
                1};
    if (reading.fault)
        return unlike(reading, found.has_head && (!is_divided || found.has_middle) ? kWeak : kNo);
    if (!is_divided && is_mk(head)) return {kNo, "a line with # stands between the clues, as in mk", 2};
    for (const ReadNote& note : reading.notes)
        if (note.message.starts_with("ignored")) {
            const ReadPuzzle& puzzle = reading.puzzles[0];
            const std::string count = std::to_string(puzzle.rows.size() + puzzle.columns.size());
            return {kWeak, at_line(note.place.line, " follows the last of " + count + " clues"),
                    note.place.line};
        }
    const bool is_short = head.is_cut && dialect.between == ListBreak::kBlankLine && !found.has_middle;
    return {is_short ? kWeak : kStrong, "a size and as many clues as it says"};
}

bool fits(const ListReading& found) {
    return found.reading.puzzles.size() == 1 &&
           clues_fit(found.reading.puzzles[0].rows, found.reading.puzzles[0].columns);
}

// Only where no .nin file is possible.
ListEvidence height_first_evidence(const ListDialect& dialect, const Head& head) {
    const ListEvidence found = sized_evidence(dialect, head);
    if (found.sureness < kStrong) return {kNo, found.why, 1};
    if (!head.is_cut && fits(head.read(dialect)) && !fits(head.read(list_dialect("nin"))))
        return {kStrong, "a size, height first, and as many clues as it says"};
    return {kNo, "the clues do not need the height first", 1};
}

ListEvidence parted_evidence(const ListDialect& dialect, const Head& head, bool is_unknown) {
    const ListReading found = head.read(dialect);
    if (found.reading.fault) return unlike(found.reading, kNo);
    if (head.is_cut) return {kWeak, "nothing but clues, with at most one empty line"};
    if (!is_unknown && !fits(found))
        return {kWeak, "the two sections of clues do not fit each other",
                found.reading.puzzles[0].columns.back().place.line};
    return {kStrong, "two sections of clues that fit each other"};
}

ListEvidence counted_evidence(const ListDialect& dialect, const Head& head) {
    const ListReading found = head.read(dialect);
    if (found.reading.fault) return unlike(found.reading, kNo);
    constexpr auto* kWhy = "each clue starts with the number of its lengths";
    if (head.is_cut) return {kStrong, kWhy};
    if (!fits(found)) return {kNo, "the clues behind their counts do not fit each other", 1};
    const ReadPuzzle& puzzle = found.reading.puzzles[0];
    std::vector<std::vector<std::int32_t>> told;
    for (const ReadClues* clues : {&puzzle.rows, &puzzle.columns})
        for (const ReadClue& clue : *clues)
            if (!clue.lengths.empty()) told.push_back(clue.lengths);
    if (told.empty()) return {kNo, "no clue has a length", 1};
    const bool is_varied = std::ranges::any_of(told, [&](const auto& lengths) { return lengths != told[0]; });
    return {told.size() >= kEnoughCounts && is_varied ? kCertain : kStrong, kWhy};
}

ListEvidence numbered_evidence(std::string_view head) {
    const std::vector<TextLine> lines = said_lines(head, "");
    if (lines.empty() || lines[0].text[0] != '$') return {kNo, "the first line is no header such as $1", 1};
    std::vector<TextLine> below;
    std::ranges::copy_if(lines, std::back_inserter(below),
                         [](const TextLine& line) { return line.text[0] != '$'; });
    const auto wrong = std::ranges::find_if_not(below, is_clue, &TextLine::text);
    const std::string_view number = trimmed(lines[0].text.substr(1));
    const bool is_numbered =
        !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    if (wrong != below.end() && !(is_numbered && wrong != below.begin()))
        return {kWeak, at_line(wrong->number, " is " + quoted(wrong->text) + ", no clue"), wrong->number};
    if (wrong != below.end() || below.empty()) return {kStrong, at_line(lines[0].number, " is a header")};
    return {is_numbered ? kCertain : kStrong, "headers such as $1, and clues"};
}

ListEvidence grid_evidence(std::string_view head) {
    const std::vector<TextLine> lines = said_lines(head, "#%");
    constexpr std::array<const char*, 3> kExpected{"GRID", "ROWS or COLUMNS", "["};
    for (std::int32_t i = 0; i < 3; ++i) {
        const std::string expected = kExpected[std::size_t(i)];
        if (std::size_t(i) == lines.size()) return {i, expected + " does not follow", i + 1};
        const TextLine& line = lines[std::size_t(i)];
        const std::string_view word = first_word(line.text).text;
        const bool agrees = i == 1   ? word == "ROWS" || word == "COLUMNS"
                            : i == 0 ? word == expected
                                     : word[0] == '[';
        if (!agrees)
            return {i, at_line(line.number, " is " + quoted(line.text) + ", not " + expected),
                    i > 0 ? line.number : 1};
    }
    return {kCertain, "GRID, a section and a clue in brackets"};
}

bool is_coloured_clue(std::string_view text) {
    std::size_t at = 0;
    while (const std::optional<Token> token = next_token(text, at)) {
        const std::size_t digits = std::min(token->text.find_first_not_of("0123456789"), token->text.size());
        const std::string_view letter = token->text.substr(digits);
        if (digits == 0 || digits > 9 || (!letter.empty() && character_at(letter, 0) != letter.size()))
            return false;
    }
    return true;
}

ListEvidence colon_evidence(std::string_view head) {
    const std::vector<TextLine> lines = said_lines(head, "");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const TextLine& line = lines[i];
        const std::span<const TextLine> below = std::span(lines).subspan(i + 1);
        const std::string_view next = below.empty() ? std::string_view{} : below[0].text;
        const auto follows = [&](std::string_view start) {
            return std::ranges::any_of(below,
                                       [&](const TextLine& own) { return own.text.starts_with(start); });
        };
        const char mark =
            line.text[0] == '#' && line.text.size() > 1 ? char(line.text[1] | 32) : line.text[0];
        if (mark == 't' && line.text[0] == '#')
            return {follows(":") || follows("#d") || follows("#D") ? kStrong : kNo,
                    at_line(line.number, " starts triddlers"), line.number};
        if (mark == 'd' && line.text[0] == '#' && is_colour_line(next))
            return {kCertain, at_line(line.number, " is #d, and a colour follows")};
        if (mark != ':') continue;
        if ((next.starts_with(':') || is_coloured_clue(next)) && follows(":"))
            return {kStrong, at_line(line.number, " starts with : and clues follow")};
        return {kNo, "no two lines that start with : with clues between them", line.number};
    }
    return {kNo, "no line starts with : or #d", 1};
}

ListEvidence keyed_evidence(std::string_view head) {
    const std::vector<TextLine> lines = said_lines(head, "#%");
    if (!lines.empty() && lines[0].text.starts_with("number_of_rows:"))
        return {kCertain, "the first line is number_of_rows:"};
    return {kNo, "the first line is not number_of_rows:", 1};
}

}  // namespace

ListEvidence list_evidence(const ListDialect& dialect, std::string_view text, bool is_cut) {
    if (is_cut) text = text.substr(0, text.find_last_of("\r\n") + 1);
    Head head(text, is_cut);
    switch (dialect.head) {
        case ListHead::kNumber:
            return numbered_evidence(text);
        case ListHead::kGrid:
            return grid_evidence(text);
        case ListHead::kColons:
            return colon_evidence(text);
        case ListHead::kKeys:
            return keyed_evidence(text);
        default:
            break;
    }
    const bool is_unknown = text.find('?') != std::string_view::npos;
    std::ranges::replace(head.text, '?', '0');
    if (dialect.head == ListHead::kNothing) return parted_evidence(dialect, head, is_unknown);
    if (dialect.head == ListHead::kAnySize) return counted_evidence(dialect, head);
    if (dialect.name == "height-first") return height_first_evidence(dialect, head);
    return sized_evidence(dialect, head);
}

}  // namespace nonocsp
