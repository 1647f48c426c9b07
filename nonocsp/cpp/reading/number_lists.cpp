// Lists with nothing but numbers and marks between them: nin, mk, cwd, keen and their relatives.
#include <algorithm>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

using Lines = std::vector<TextLine>;

// Of a file with one puzzle: far more than its clues and comments need.
constexpr std::size_t kMostRead = 8 * kMostTextLines;

// Clues with their count that agree by chance in a file without counts: hardly ever so many.
constexpr std::size_t kEnoughCounts = 8;

// The lines from the first one on that says something, without comments.
Lines said_lines(const ListText& list) {
    TextLines all = list.lines();
    Lines lines;
    for (TextLine line; lines.size() < kMostRead && all.next(line);) {
        const bool is_first = lines.empty();
        if (is_first && is_blank(line.text)) continue;
        if ((is_first || list.dialect.has_comments_anywhere) && list.is_comment(line.text)) continue;
        if (list.dialect.has_comments_in_lines) line.text = line.text.substr(0, line.text.find('#'));
        lines.push_back(line);
    }
    if (lines.empty()) throw ReadFault{"nothing but comments", "a puzzle", {}};
    return lines;
}

// The size in one line, and which of its numbers is which.
ListSize size_in_line(const TextLine& line, bool height_first) {
    const Token first = first_word(line.text);
    const std::string_view second = behind(first, line.text);
    if (!is_number(first.text) || !is_number(second) || line.text.find(',') != line.text.npos)
        throw ReadFault{"no size",
                        height_first ? "HEIGHT WIDTH, two numbers, height first"
                                     : "WIDTH HEIGHT, two numbers, width first",
                        {line.number, 0}};
    const std::size_t one = read_size(line, first.text, height_first ? "height" : "width");
    const std::size_t other = read_size(line, second, height_first ? "width" : "height");
    return height_first ? ListSize{one, other} : ListSize{other, one};
}

// The size in the first lines, which are taken away.
ListSize take_size(const ListText& list, Lines& lines) {
    const bool is_in_two_lines = list.dialect.head == ListHead::kHeightThenWidth;
    ListSize size;
    if (is_in_two_lines) {
        size.rows = read_size(lines[0], trimmed(lines[0].text), "height");
        if (lines.size() < 2)
            throw ReadFault{"no width", "the width in the second line", {lines[0].number, 0}};
        size.columns = read_size(lines[1], trimmed(lines[1].text), "width");
    } else {
        size = size_in_line(lines[0], list.dialect.head == ListHead::kHeightWidth);
    }
    lines.erase(lines.begin(), lines.begin() + (is_in_two_lines ? 2 : 1));
    return size;
}

// Takes the line between the clues of both axes away; says whether it is there, as it may follow in the rest
// of the file.
bool take_middle(const ListText& list, std::size_t rows, Lines& lines) {
    const bool has_mark = list.dialect.between == "#";
    const auto middle =
        has_mark ? std::ranges::find_if(lines, [](const auto& own) { return starts_with_any(own.text, "#"); })
                 : lines.begin() + static_cast<std::ptrdiff_t>(std::min(rows, lines.size()));
    const bool is_there = middle != lines.end() && (has_mark || is_blank(middle->text));
    if (!is_there && !list.request.is_whole && lines.size() <= rows) return false;
    if (!is_there && has_mark)
        throw ReadFault{
            "no line with # below the row clues", count_of(rows, "row clues, #, column clues"), {}};
    if (!is_there)
        throw ReadFault{"rows and columns are not separated",
                        "an empty line behind " + count_of(rows, "row clues, as the height says"),
                        {middle == lines.end() ? 0 : middle->number, 0}};
    const Lines above = without_spare_blanks({lines.begin(), middle}, rows);
    if (above.size() != rows)
        throw ReadFault{count_of(above.size(), "row clues"),
                        std::to_string(rows) + ", as the size says (height first)",
                        {above.empty() ? middle->number : above[std::min(rows, above.size() - 1)].number, 0}};
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(rows), middle + 1);
    return true;
}

[[noreturn]] void refuse_count(const ListText& list, const ListSize& size, std::size_t count,
                               std::int32_t head, const Lines& lines) {
    throw ReadFault{
        count_of(count, "clue lines"),
        count_of(size.rows, "row clues and ") + count_of(size.columns, "column clues, as line ") +
            std::to_string(head) +
            (list.dialect.head == ListHead::kWidthHeight ? " says (width first)" : " says (height first)"),
        {lines.empty() ? head : lines.back().number, 0}};
}

// What might be meant by clues that do not fit the size: counts before the lengths, or the sizes the other
// way round.
std::string advice_for(const ListDialect& dialect, const ReadClues& clues, const ListSize& size) {
    if (size.rows != size.columns && fits_at(clues, size.columns))
        return std::string("it fits if the first number is the ") +
               (dialect.head == ListHead::kWidthHeight ? "height (--from height-first"
                                                       : "width (--from nin") +
               ", and --columns-first if the clues of the columns come first)";
    const ReadClues meant = without_counts(clues);
    if (!meant.empty() && (fits_at(meant, size.rows) || fits_at(meant, size.columns)))
        return "it fits if the first number of each clue is the number of lengths behind it (--from counted)";
    return "";
}

// The first line of numbers behind the clues; null if none follows.
const TextLine* spare_line(std::span<const TextLine> lines) {
    for (const TextLine& line : lines) {
        std::size_t at = 0, numbers = 0;
        std::optional<Token> word;
        while ((word = next_token(line.text, at)) && number_of(word->text)) ++numbers;
        if (numbers > 0 && !word) return &line;
    }
    return nullptr;
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

ReadClues clues_of(std::span<const Lines> parts) {
    ReadClues clues;
    for (const Lines& part : parts)
        std::ranges::move(read_clues(part, part.size()), std::back_inserter(clues));
    return clues;
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

// How many clues are of the rows, as sizes are usually written and the other way round. The size, in one line
// or in two, is taken away; without one, the parts say it.
struct Middles {
    std::size_t usual, other;
    const char* first = "";  // what the first number is in the other way
};

Middles take_middles(const ListText& list, const std::vector<Lines>& parts, ReadClues& clues) {
    for (const std::size_t heads : {1U, 2U}) {
        if (clues.size() < heads || clues[0].lengths.size() != 3 - heads ||
            clues[heads - 1].lengths.size() != 3 - heads)
            continue;
        const auto first = static_cast<std::size_t>(clues[0].lengths.front());
        const auto second = static_cast<std::size_t>(clues[heads - 1].lengths.back());
        const std::size_t below = clues.size() - heads;
        const bool fits = list.request.is_whole ? below == first + second : below <= first + second;
        if (std::min(first, second) < 1 || !fits) continue;
        clues.erase(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(heads));
        return heads == 2 ? Middles{first, second, "width"} : Middles{second, first, "height"};
    }
    const std::size_t middle = parts.empty() ? 0 : parts[0].size();
    if (parts.size() == 2 || (!list.request.is_whole && parts.size() == 1)) return {middle, middle};
    throw ReadFault{count_of(clues.size(), "lines of numbers"),
                    "a size and as many clues as it says, or an empty line between row and column clues",
                    {}};
}

// The usual number, or the other one if only that fits.
std::size_t chosen(const ListText& list, const Middles& middles, const ReadClues& clues) {
    const auto told = static_cast<std::size_t>(list.request.rows);
    const auto fits = [&](std::size_t middle) {
        return told == middle || (told == 0 && fits_at(clues, middle));
    };
    if (middles.usual == middles.other || !fits(middles.other)) return middles.usual;
    const TextPlace size{clues.front().place.line - 1, 0};
    if (fits(middles.usual))
        throw ReadFault{"the size fits as WIDTH HEIGHT and as HEIGHT WIDTH", "the size: --size ROWSxCOLUMNS",
                        size};
    list.note(std::string("the first number is read as the ") + middles.first +
                  "; if the clues of the columns come first, add --columns-first",
              size);
    return middles.other;
}

// Whether so many clues agree with their counts that it is no chance.
bool has_enough_counts(const ReadClues& clues) {
    std::vector<const ReadClue*> told;
    for (const ReadClue& clue : clues)
        if (!clue.lengths.empty()) told.push_back(&clue);
    return told.size() >= kEnoughCounts &&
           std::ranges::any_of(told, [&](const auto* own) { return own->lengths != told[0]->lengths; });
}

}  // namespace

void read_sized_list(const ListText& list) {
    Lines lines = said_lines(list);
    const std::int32_t head = lines[0].number;
    const ListSize size = take_size(list, lines);
    const auto [rows, columns] = size;
    const std::size_t expected = rows + columns;
    const bool is_divided = !list.dialect.between.empty();
    const bool has_middle = !is_divided || take_middle(list, rows, lines);
    if (has_middle) list.believe(kWeak);
    ReadClues clues = read_clues(lines, expected);
    if (list.request.is_whole) restore_lost_clue(clues, expected, rows);
    if (is_divided) lines = without_spare_blanks(std::move(lines), expected);
    const std::size_t count = is_divided ? std::max(clues.size(), lines.size()) : clues.size();
    if (count > expected || (list.request.is_whole && count < expected))
        refuse_count(list, size, count, head, lines);
    list.believe(has_middle || list.dialect.between == "#" ? kStrong : kWeak);
    if (count < expected) return;
    std::string advice = fits_at(clues, rows) ? "" : advice_for(list.dialect, clues, size);
    if (list.dialect.name == "height-first")
        list.note(
            "the first number is read as the height; if the clues of the columns come first, add "
            "--columns-first",
            {head, 0});
    list.add(puzzle_of(list, std::move(clues), rows));
    list.found.reading.puzzles.back().advice = std::move(advice);
    const TextLine* spare = spare_line(std::span(lines).subspan(std::min(expected, lines.size())));
    if (!spare) return;
    list.found.sureness = kWeak;
    list.note("ignored from here on: line " + std::to_string(head) + " says " + count_of(expected, "clues"),
              {spare->number, 0});
}

void read_parted_list(const ListText& list) {
    const Lines lines = said_lines(list);
    const std::vector<Lines> parts = parts_of(lines);
    ReadClues clues = clues_of(parts);
    const bool is_open = !list.request.is_whole && parts.size() <= 2;
    if (!is_open && parts.size() != 2)
        throw ReadFault{count_of(parts.size(), "sections of clues"),
                        "two: row clues, an empty line or &, column clues, with 0 for an empty clue",
                        {parts.size() > 2 ? parts[2][0].number : lines.back().number, 0}};
    list.believe(kWeak);
    if (is_open) return;
    drop_end_zeros(clues);
    list.add(puzzle_of(list, std::move(clues), parts[0].size()));
    const ReadPuzzle& puzzle = list.found.reading.puzzles.back();
    if (clues_fit(puzzle.rows, puzzle.columns)) list.believe(kStrong);
}

void read_counted_list(const ListText& list) {
    const std::vector<Lines> parts = parts_of(said_lines(list));
    ReadClues clues = clues_of(parts);
    const Middles middles = take_middles(list, parts, clues);
    const auto wrong = std::ranges::find_if_not(clues, has_count);
    if (wrong != clues.end())
        throw ReadFault{count_of(wrong->lengths.size() - 1, "lengths behind the count ") +
                            std::to_string(wrong->lengths[0]),
                        "as many lengths as the first number of the clue says", wrong->place};
    list.believe(kStrong);
    if (!list.request.is_whole) return;
    ReadClues meant = without_counts(clues);
    if (meant.empty()) meant = clues;
    if (has_enough_counts(meant)) list.believe(kCertain);
    const std::size_t middle = chosen(list, middles, meant);
    list.note("the first number of each clue is read as the number of lengths behind it", clues[0].place);
    list.add(split_clues(std::move(meant), middle));
}

}  // namespace nonocsp
