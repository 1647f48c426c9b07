// Lists with nothing but numbers and marks between them: nin, mk, cwd, keen and their relatives.
#include <algorithm>
#include <array>
#include <numeric>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

using Lines = std::vector<TextLine>;

// Of a file with one puzzle: far more than its clues and comments need.
constexpr std::size_t kMostRead = 8 * kMostTextLines;

// The lines from the first one on that says something, without comments.
Lines said_lines(const ListText& list) {
    TextLines all = list.lines();
    Lines lines;
    for (TextLine line; lines.size() < kMostRead && all.next(line);) {
        const bool is_first = lines.empty();
        if (is_first && is_blank(line.text)) continue;
        if ((is_first || list.dialect.may_be_inside) && list.is_comment(line.text)) continue;
        if (list.dialect.comments_inside) line.text = line.text.substr(0, line.text.find('#'));
        lines.push_back(line);
    }
    if (lines.empty()) throw ReadFault{"nothing but comments", "a puzzle", {}};
    return lines;
}

bool is_number(std::string_view word) { return number_of(word).has_value(); }

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while (const std::optional<Token> token = next_token(text, at)) words.push_back(token->text);
    return words;
}

// The size in one line, and which of its numbers is which.
ListSize size_in_line(const TextLine& line, bool height_first) {
    const std::vector<std::string_view> words = words_of(line.text);
    const auto is_digits = [](std::string_view word) {
        return word.size() <= 1000 && word.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (words.size() != 2 || line.text.find(',') != std::string_view::npos ||
        !std::ranges::all_of(words, is_digits))
        throw ReadFault{"no size",
                        height_first ? "HEIGHT WIDTH, two numbers, height first"
                                     : "WIDTH HEIGHT, two numbers, width first",
                        {line.number, 0}};
    const std::size_t first = read_size(line, words[0], height_first ? "height" : "width");
    const std::size_t second = read_size(line, words[1], height_first ? "width" : "height");
    return height_first ? ListSize{first, second} : ListSize{second, first};
}

// A file with a size: its head, and the lines below.
struct SizedText {
    ListSize size;
    std::int32_t head_line;
    Lines lines;
};

SizedText sized_text(const ListText& list) {
    Lines lines = said_lines(list);
    SizedText text{{}, lines[0].number, {}};
    std::size_t used = 1;
    if (list.dialect.head == ListHead::kHeightThenWidth) {
        text.size.rows = read_size(lines[0], trimmed(lines[0].text), "height");
        if (lines.size() < 2)
            throw ReadFault{"no width", "the width in the second line", {lines[0].number, 0}};
        text.size.columns = read_size(lines[1], trimmed(lines[1].text), "width");
        used = 2;
    } else {
        text.size = size_in_line(lines[0], list.dialect.head == ListHead::kHeightWidth);
    }
    text.lines.assign(lines.begin() + static_cast<std::ptrdiff_t>(used), lines.end());
    return text;
}

// The line between the clues of both axes, with # or empty; nothing if it may follow in the rest of the file.
std::optional<std::size_t> middle_of(const ListText& list, const SizedText& text) {
    const auto [rows, columns] = text.size;
    const Lines& lines = text.lines;
    const auto is_empty = [&](std::size_t at) { return at < lines.size() && is_blank(lines[at].text); };
    const bool has_hash = list.dialect.between == ListBreak::kHashLine;
    const auto hash =
        std::ranges::find_if(lines, [](const TextLine& line) { return starts_with_any(line.text, "#"); });
    if (has_hash && hash != lines.end()) return hash - lines.begin();
    if (!has_hash && is_empty(rows)) return rows;
    const std::size_t expected = rows + 1 + columns;
    if (!has_hash && is_empty(columns) && without_spare_blanks(lines, expected).size() == expected)
        return columns;
    if (!list.request.is_whole && lines.size() <= rows) return std::nullopt;
    if (has_hash)
        throw ReadFault{
            "no line with # below the row clues", count_of(rows, "row clues, #, column clues"), {}};
    throw ReadFault{"rows and columns are not separated",
                    "an empty line behind " + count_of(rows, "row clues, as the height says"),
                    {lines.empty() ? text.head_line : lines[std::min(rows, lines.size() - 1)].number, 0}};
}

[[noreturn]] void refuse_count(const Lines& lines, std::size_t wanted, const std::string& what,
                               TextPlace end) {
    if (!lines.empty()) end = {lines[std::min(wanted, lines.size() - 1)].number, 0};
    throw ReadFault{count_of(lines.size(), what),
                    std::to_string(wanted) + ", as the size says (height first)", end};
}

void read_sections(const ListText& list, const SizedText& text) {
    const auto [rows, columns] = text.size;
    const std::optional<std::size_t> middle = middle_of(list, text);
    if (!middle) return void(read_clues(text.lines));
    const auto at = text.lines.begin() + static_cast<std::ptrdiff_t>(*middle);
    const Lines above = without_spare_blanks({text.lines.begin(), at}, rows);
    const bool has_hash = list.dialect.between == ListBreak::kHashLine;
    const Lines below =
        without_spare_blanks({at + 1, text.lines.end()}, has_hash ? columns : rows + columns - *middle);
    const TextPlace end{text.lines.back().number, 0};
    const bool are_turned = rows != columns && above.size() == columns && below.size() == rows;
    // Of an .mk file whose sizes are turned, the .nin reader makes sense: # starts a comment there.
    list.found.has_middle = above.size() == rows || (!has_hash && are_turned);
    const std::string advice = are_turned ? "; it fits if the first number is the width" : "";
    if (above.size() != rows) refuse_count(above, rows, "row clues" + advice, end);
    ReadClues clues = read_clues(above);
    std::ranges::move(read_clues(std::span(below).first(std::min(columns, below.size()))),
                      std::back_inserter(clues));
    if (!list.request.is_whole && clues.size() < rows + columns) return;
    restore_lost_clue(clues, rows + columns, rows);
    if (clues.size() != rows + columns || below.size() > columns)
        refuse_count(below, columns, "column clues", end);
    list.add(puzzle_of(list, std::move(clues), rows));
}

// What might be meant by clues that do not fit the size: counts before the lengths, or the sizes the other
// way round.
std::string advice_for(const ListText& list, const ReadClues& clues, const ListSize& size) {
    const std::string order = list.dialect.head == ListHead::kWidthHeight ? "height" : "width";
    const std::string format = list.dialect.head == ListHead::kWidthHeight ? "height-first" : "nin";
    if (size.rows != size.columns && fits_at(clues, size.columns))
        return "it fits if the first number is the " + order + " (--from " + format +
               ", and --columns-first if the clues of the columns come first)";
    const ReadClues meant = without_counts(clues);
    if (!meant.empty() && (fits_at(meant, size.rows) || fits_at(meant, size.columns)))
        return "it fits if the first number of each clue is the number of lengths behind it (--from counted)";
    return "";
}

void read_undivided(const ListText& list, const SizedText& text) {
    const auto [rows, columns] = text.size;
    const std::size_t expected = rows + columns;
    const std::span<const TextLine> lines = text.lines;
    ReadClues clues = read_clues(lines.first(std::min(expected, lines.size())));
    if (!list.request.is_whole && clues.size() < expected) return;
    restore_lost_clue(clues, expected, rows);
    if (clues.size() != expected)
        throw ReadFault{count_of(clues.size(), "clue lines"),
                        count_of(rows, "row clues and ") + count_of(columns, "column clues, as line ") +
                            std::to_string(text.head_line) +
                            (list.dialect.head == ListHead::kWidthHeight ? " says (width first)"
                                                                         : " says (height first)"),
                        {lines.empty() ? text.head_line : lines.back().number, 0}};
    std::string advice = fits_at(clues, rows) ? "" : advice_for(list, clues, text.size);
    if (list.dialect.head == ListHead::kHeightWidth)
        list.note(
            "the first number is read as the height; if the clues of the columns come first, add "
            "--columns-first",
            {text.head_line, 0});
    list.add(puzzle_of(list, std::move(clues), rows));
    list.found.reading.puzzles.back().advice = std::move(advice);
    for (std::size_t i = expected; i < lines.size(); ++i) {
        const std::vector<std::string_view> words = words_of(lines[i].text);
        if (words.empty() || !std::ranges::all_of(words, is_number)) continue;
        list.note("ignored from here on: line " + std::to_string(text.head_line) + " says " +
                      count_of(expected, "clues"),
                  {lines[i].number, 0});
        break;
    }
}

bool is_part_mark(std::string_view text) {
    const std::string_view said = trimmed(text);
    return said == "&" || (said.size() > 1 && said.find_first_not_of('-') == std::string_view::npos);
}

// The lines between separators; in a file with marks, only these separate.
std::vector<Lines> parts_of(const Lines& lines) {
    const bool has_mark = std::ranges::any_of(lines, is_part_mark, &TextLine::text);
    std::vector<Lines> parts(1);
    for (const TextLine& line : lines) {
        const bool is_mark = is_part_mark(line.text);
        if (!is_mark && !is_blank(line.text))
            parts.back().push_back(line);
        else if (!parts.back().empty() && is_mark == has_mark)
            parts.emplace_back();
    }
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

// Drops the zeros that end the lines, if each line has one behind lengths.
void drop_end_zeros(std::span<ReadClue> clues) {
    const auto has_zero = [](const ReadClue& clue) {
        return clue.lengths.empty() || clue.lengths.back() == 0;
    };
    if (!std::ranges::all_of(clues, has_zero)) return;
    for (ReadClue& clue : clues)
        if (!clue.lengths.empty()) {
            clue.lengths.pop_back();
            clue.colours.pop_back();
        }
}

ReadClues clues_of(std::span<const Lines> parts) {
    ReadClues clues;
    for (const Lines& part : parts) std::ranges::move(read_clues(part), std::back_inserter(clues));
    return clues;
}

// A file with the count before each clue, before the counts are dropped. How many clues are of the rows: as
// sizes are usually written, and the other way round.
struct CountedText {
    ReadClues clues;
    std::size_t usual = 0, other = 0;
    bool is_in_two_lines = false;  // the size
};

CountedText counted_text(const ListText& list) {
    const Lines lines = said_lines(list);
    const std::vector<Lines> parts = parts_of(lines);
    ReadClues clues = clues_of(parts);
    for (const std::size_t heads : {1U, 2U}) {
        const std::size_t numbers = 3 - heads;
        if (clues.size() < heads || clues[0].lengths.size() != numbers ||
            clues[heads - 1].lengths.size() != numbers)
            continue;
        const auto first = static_cast<std::size_t>(clues[0].lengths.front());
        const auto second = static_cast<std::size_t>(clues[heads - 1].lengths.back());
        const std::size_t below = clues.size() - heads;
        if (std::min(first, second) < 1 ||
            (list.request.is_whole ? below != first + second : below > first + second))
            continue;
        clues.erase(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(heads));
        return heads == 2 ? CountedText{std::move(clues), first, second, true}
                          : CountedText{std::move(clues), second, first};
    }
    const std::size_t middle = parts.empty() ? 0 : parts[0].size();
    if (parts.size() == 2 || (!list.request.is_whole && parts.size() == 1))
        return {std::move(clues), middle, middle};
    throw ReadFault{count_of(clues.size(), "lines of numbers"),
                    "a size and as many clues as it says, or an empty line between row and column clues",
                    {lines.front().number, 0}};
}

// How many clues are of the rows: the usual number, or the other one if only that fits.
std::size_t counted_middle(const ListText& list, const CountedText& text) {
    const auto told = static_cast<std::size_t>(list.request.rows);
    const auto fits = [&](std::size_t middle) {
        return told == middle || (told == 0 && fits_at(text.clues, middle));
    };
    if (text.usual == text.other || !fits(text.other)) return text.usual;
    const TextPlace size{text.clues.front().place.line - 1, 0};
    if (fits(text.usual))
        throw ReadFault{"the size fits as WIDTH HEIGHT and as HEIGHT WIDTH", "the size: --size ROWSxCOLUMNS",
                        size};
    const std::string what = text.is_in_two_lines ? "width" : "height";
    if (told == 0)
        list.note("the first number is read as the " + what +
                      "; if the clues of the columns come first, add --columns-first",
                  size);
    return text.other;
}

}  // namespace

void read_sized_list(const ListText& list) {
    const SizedText text = sized_text(list);
    list.found.has_head = true;
    list.dialect.between == ListBreak::kNothing ? read_undivided(list, text) : read_sections(list, text);
}

void read_parted_list(const ListText& list) {
    const Lines lines = said_lines(list);
    const std::vector<Lines> parts = parts_of(lines);
    ReadClues clues = clues_of(parts);
    if (!list.request.is_whole && parts.size() <= 2) return;
    if (parts.size() != 2)
        throw ReadFault{count_of(parts.size(), "sections of clues"),
                        "two: row clues, an empty line or &, column clues, with 0 for an empty clue",
                        {parts.size() > 2 ? parts[2][0].number : lines.back().number, 0}};
    drop_end_zeros(clues);
    list.add(puzzle_of(list, std::move(clues), parts[0].size()));
}

void read_counted_list(const ListText& list) {
    CountedText text = counted_text(list);
    for (const ReadClue& clue : text.clues)
        if (!have_counts(std::span(&clue, 1)) && !clue.lengths.empty())
            throw ReadFault{count_of(clue.lengths.size() - 1, "lengths behind the count ") +
                                std::to_string(clue.lengths[0]),
                            "as many lengths as the first number of the clue says", clue.place};
    if (!list.request.is_whole) return;
    const TextPlace first = text.clues.front().place;
    drop_counts(text.clues);
    const std::size_t middle = counted_middle(list, text);
    list.note("the first number of each clue is read as the number of lengths behind it", first);
    list.add(split_clues(std::move(text.clues), middle, false));
}

}  // namespace nonocsp
