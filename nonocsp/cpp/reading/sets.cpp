// Sets of puzzles, each behind its header: those of tournaments, and the grids of picross-solver.
#include <algorithm>
#include <array>
#include <span>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostClues = 2 * kMostTextLines;
constexpr std::size_t kFirst = 3;  // lines that show what a set is

// A puzzle of a set: its header, and the lines below.
struct Entry {
    TextLine header;
    std::vector<TextLine> lines;

    std::string name() const { return std::string(trimmed(header.text)); }
    TextPlace place() const { return {header.number, 0}; }
};

// Hands the entries of a set to their reader, one after the other. The last one is left if the text goes on.
// `start` sees the first lines of each, to believe in the dialect.
template <class IsHeader, class Start, class Read>
void read_set(const ListText& list, const char* header, IsHeader is_header, Start start, Read read) {
    std::optional<Entry> entry;
    TextLines lines = list.lines();
    list.leave({{}, list.request.first_line, 0});
    for (TextLine line; lines.next(line);) {
        const Token word = first_word(line.text);
        if (is_header(word.text)) {
            if (entry) read(*entry);
            entry = Entry{line, {}};
            list.believe(kWeak);
            list.leave(line);
        } else if (entry && !list.is_comment(line.text)) {
            entry->lines.push_back(line);
            if (entry->lines.size() <= kFirst) start(*entry);
            if (entry->lines.size() > kMostClues + 1)
                throw ReadFault{"too many clue lines", "the next header, such as $2", {line.number, 0}};
        } else if (!entry && !word.text.empty() && !list.is_comment(line.text)) {
            throw ReadFault{quoted(word.text) + " is out of place", header, place_of(line, word.at)};
        } else if (!entry) {
            list.leave({{}, line.number, line.start});
        }
    }
    if (list.request.is_whole && entry) read(*entry);
}

// The square sizes with which columns and rows have the same number of cells: the first two. Blank lines at
// the end may be clues or not.
std::vector<std::size_t> square_sides(const Entry& puzzle, std::span<const ReadClue> clues) {
    const std::size_t filled = without_spare_blanks(puzzle.lines, 0).size();
    const std::size_t most = std::min(puzzle.lines.size() + 1, kMostClues) / 2;
    std::vector<std::int64_t> sums{0};
    for (const ReadClue& clue : clues) sums.push_back(sums.back() + cells_of({&clue, 1}));
    std::vector<std::size_t> sides;
    for (std::size_t side = (std::max<std::size_t>(filled, 2) + 1) / 2; side <= most && sides.size() < 2;
         ++side)
        if (2 * sums[side] == sums.back()) sides.push_back(side);
    return sides;
}

ListSize square_size(const Entry& puzzle) {
    const ReadClues clues = read_clues(puzzle.lines, kMostClues);
    std::vector<std::size_t> sides = square_sides(puzzle, clues);
    if (const ReadClues meant = without_counts(clues); sides.empty() && !meant.empty())
        sides = square_sides(puzzle, meant);
    if (sides.size() == 1) return {sides[0], sides[0]};
    const std::string found =
        sides.empty() ? "no square puzzle" : "more than one size fits puzzle " + puzzle.name();
    throw ReadFault{found + ": " + count_of(puzzle.lines.size(), "clue lines"),
                    "as many column clues as row clues, or the size: --size ROWSxCOLUMNS", puzzle.place()};
}

// The clues of the columns come first, unless only the other order fits.
ReadPuzzle divided(const ListText& list, const ListSize& size, ReadClues clues, TextPlace place) {
    if (size.rows == size.columns || fits_at(clues, size.columns) || !fits_at(clues, size.rows))
        return puzzle_of(list, std::move(clues), size.columns, true);
    list.note("the clues of the rows are read first, as only that fits the size", place);
    return split_clues(std::move(clues), size.rows);
}

void read_numbered(const ListText& list, const ListSize& size, const Entry& entry) {
    const std::size_t expected = size.rows + size.columns;
    const std::vector<TextLine> lines = without_spare_blanks(entry.lines, expected);
    ReadClues clues = read_clues(lines, expected);
    restore_lost_clue(clues, expected, size.columns);
    if (lines.size() > expected || clues.size() != expected)
        throw ReadFault{"puzzle " + entry.name() + " has " + count_of(lines.size(), "clue lines"),
                        count_of(size.columns, "column clues and ") +
                            count_of(size.rows, "row clues (--size ROWSxCOLUMNS says otherwise)"),
                        entry.place()};
    ReadPuzzle puzzle = divided(list, size, std::move(clues), entry.place());
    puzzle.title = trimmed(trimmed(entry.header.text).substr(1));
    list.add(std::move(puzzle));
}

constexpr std::array<std::string_view, 2> kSections{"ROWS", "COLUMNS"};

ReadClue bracketed_clue(const TextLine& line, std::size_t start) {
    const std::size_t end = start + trimmed(line.text).size();
    if (line.text[end - 1] != ']')
        throw ReadFault{"a clue without ]", "a clue such as [ 1 2 ]", place_of(line, end)};
    return read_lengths({line.text.substr(0, end - 1), line.number, line.start}, start + 1);
}

// What stands in the way behind a whole grid does not take the grid away.
void read_grid(const ListText& list, const Entry& entry) {
    std::array<std::optional<ReadClues>, 2> clues;
    std::optional<ReadFault> fault;
    ReadClues* section = nullptr;
    for (const TextLine& line : entry.lines) {
        const Token word = first_word(line.text);
        const auto at = std::size_t(std::ranges::find(kSections, word.text) - kSections.begin());
        if (word.text.empty()) continue;
        if (at < kSections.size()) {
            if (clues[at])
                throw ReadFault{
                    std::string(word.text) + " a second time", "GRID before the next grid", {line.number, 0}};
            section = &clues[at].emplace();
        } else if (section && word.text[0] == '[') {
            section->push_back(bracketed_clue(line, word.at));
            if (section->size() > kMostTextLines)
                throw ReadFault{"too many clues", "at most 4096 of rows or columns", {line.number, 0}};
        } else {
            fault = ReadFault{
                quoted(word.text) + " is out of place",
                section ? "a clue such as [ 1 2 ], ROWS, COLUMNS or GRID" : "ROWS or COLUMNS below GRID",
                place_of(line, word.at)};
            break;
        }
    }
    const std::string title(behind(first_word(entry.header.text), entry.header.text));
    const auto lacking = std::ranges::find_if(clues, [](const auto& own) { return !own || own->empty(); });
    if (lacking == clues.end()) list.add({std::move(*clues[0]), std::move(*clues[1]), title, {}, {}, {}});
    if (fault) throw *fault;
    if (lacking == clues.end()) return;
    const std::string lacks(kSections[std::size_t(lacking - clues.begin())]);
    throw ReadFault{"the grid " + quoted(title) + " has no " + lacks,
                    lacks + " and a clue such as [ 1 2 ] a line", entry.place()};
}

}  // namespace

void read_numbered_lists(const ListText& list) {
    ListSize size{static_cast<std::size_t>(list.request.rows),
                  static_cast<std::size_t>(list.request.columns)};
    read_set(
        list, "a header such as $1", [](std::string_view word) { return word.starts_with('$'); },
        [&](const Entry& entry) {
            read_lengths(entry.lines[0]);
            list.believe(is_number(entry.name().substr(1)) ? kCertain : kStrong);
        },
        [&](const Entry& entry) {
            if (size.rows == 0) size = square_size(entry);
            read_numbered(list, size, entry);
        });
}

void read_grids(const ListText& list) {
    read_set(
        list, "GRID and a name before anything else", [](std::string_view word) { return word == "GRID"; },
        [&](const Entry& entry) {
            const std::string_view word = first_word(entry.lines.back().text).text;
            if (std::ranges::find(kSections, word) != kSections.end()) list.believe(kStrong);
            if (word.starts_with('[') && list.found.sureness == kStrong) list.believe(kCertain);
        },
        [&](const Entry& entry) { read_grid(list, entry); });
}

}  // namespace nonocsp
