#include "typed/drawn.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reading/clue_text.hpp"
#include "typed/cuts.hpp"

namespace nonocsp {
namespace {

using Line = std::u32string_view;

constexpr Line kEmpty = U".-_·□▢◻◽⬜○⚪░ ";
constexpr Line kAround = U" ()|│┃[]";  // marked cells and borders
constexpr std::int32_t kLargest = 9999;

struct Number {
    std::int32_t value, first, last;  // its columns in the text
    char32_t colour;                  // what stands behind it, 0 if nothing does
};

struct Row {
    std::int32_t line = 0;
    std::vector<Number> numbers;
    std::vector<char32_t> cells;
    std::vector<std::int32_t> places;  // of the cells
    bool is_read = false;
};

bool is_blank(Line line) { return line.find_first_not_of(U' ') == line.npos; }

// Numbers, each with a colour behind it or none has, then cells.
Row row_of(Line line, std::int32_t number) {
    Row row{number, {}, {}, {}};
    std::size_t i = 0;
    const auto skip = [&] { i = std::min(line.find_first_not_of(U' ', i), line.size()); };
    for (skip(); i < line.size() && is_digit(line[i]); skip()) {
        Number own{0, std::int32_t(i), 0, 0};
        for (; i < line.size() && is_digit(line[i]); ++i)
            own.value = std::min(kLargest, own.value * 10 + std::int32_t(line[i] - '0'));
        if (i < line.size() && !is_one_of(line[i], kAround)) own.colour = line[i++];
        own.last = std::int32_t(i) - 1;
        row.numbers.push_back(own);
    }
    for (; i < line.size(); ++i) {
        if (is_digit(line[i])) return row;
        if (is_one_of(line[i], kAround)) continue;
        row.cells.push_back(line[i]);
        row.places.push_back(std::int32_t(i));
    }
    row.is_read = !row.numbers.empty();
    return row;
}

// The clue of cells in colours from 1, with 0 for empty ones.
template <class Cell>
ReadClue clue_of(std::size_t length, Cell cell) {
    ReadClue clue;
    for (std::size_t i = 0; i < length; ++i) {
        if (cell(i) == 0) continue;
        if (i == 0 || cell(i) != cell(i - 1)) {
            clue.lengths.push_back(0);
            clue.colours.push_back(cell(i));
        }
        ++clue.lengths.back();
    }
    return clue;
}

// Rows of numbers above and rows of the puzzle below, perhaps with cells.
class Drawing {
  public:
    std::vector<Row> rows;
    std::size_t top = 0;                           // rows above
    std::vector<std::int32_t> places;              // of the columns
    std::vector<std::pair<char32_t, Line>> names;  // of colours

    bool has_grid() const {
        if (top == 0 || top >= rows.size()) return false;
        const std::size_t width = rows[top].cells.size();
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!rows[i].is_read || (i >= top && rows[i].cells.size() != width)) return false;
        return width <= kMostTextLines && rows.size() - top <= kMostTextLines;
    }

    // Above cells that touch, each digit is a number.
    void divide_numbers(std::span<const PlainLine> lines) {
        const bool touch =
            places.size() > 1 && places.back() - places.front() + 1 == std::int32_t(places.size());
        for (std::size_t i = 0; touch && i < top; ++i)
            for (const Number& number : std::exchange(rows[i].numbers, {}))
                for (std::int32_t at = number.first; at <= number.last; ++at)
                    if (const char32_t c = lines[i].text[std::size_t(at)]; is_digit(c))
                        rows[i].numbers.push_back({std::int32_t(c - '0'), at, at, 0});
    }

    // The puzzle, if each number above stands at a cell, or beside it by the same offset everywhere.
    std::optional<ReadPuzzle> read(std::int32_t offset, std::int32_t Number::* edge) {
        ReadPuzzle puzzle;
        colours_.clear();
        puzzle.columns.resize(places.size());
        for (std::size_t i = top; i < rows.size(); ++i) {
            puzzle.rows.push_back({{}, {}, {rows[i].line, rows[i].numbers[0].first + 1}});
            for (const Number& number : rows[i].numbers) append(puzzle.rows.back(), number);
        }
        for (std::size_t i = 0; i < top; ++i)
            for (const Number& number : rows[i].numbers) {
                const auto found = std::ranges::lower_bound(places, number.*edge - offset);
                if (found == places.end() || *found != number.*edge - offset) return {};
                ReadClue& clue = puzzle.columns[std::size_t(found - places.begin())];
                if (clue.place.line == 0) clue.place = {rows[i].line, number.first + 1};
                append(clue, number);
            }
        if (!clues_fit(puzzle.rows, puzzle.columns)) return {};
        if (!colours_.empty() && colours_[0] != 0) name_colours(puzzle);
        take_goal(puzzle);
        return puzzle;
    }

    // The same of numbers alone, in even columns, of which one line has them all.
    std::optional<ReadPuzzle> read_stacked(std::int32_t Number::* edge) {
        places.clear();
        for (std::size_t i = 0; i < top; ++i)
            for (const Number& number : rows[i].numbers) places.push_back(number.*edge);
        std::ranges::sort(places);
        places.erase(std::ranges::unique(places).begin(), places.end());
        for (std::size_t i = 2; i < places.size(); ++i)
            if (places[i] - places[i - 1] != places[1] - places[0]) return {};
        const bool is_full =
            rows[0].numbers.size() == places.size() || rows[top - 1].numbers.size() == places.size();
        return is_full ? read(0, edge) : std::nullopt;
    }

  private:
    std::int32_t index_of(char32_t colour) const {
        return std::int32_t(std::ranges::find(colours_, colour) - colours_.begin()) + 1;
    }

    void append(ReadClue& clue, const Number& number) {
        if (number.value == 0) return;
        if (std::size_t(index_of(number.colour)) > colours_.size()) colours_.push_back(number.colour);
        clue.lengths.push_back(number.value);
        clue.colours.push_back(index_of(number.colour));
    }

    void name_colours(ReadPuzzle& puzzle) const {
        for (const char32_t colour : colours_) {
            const auto named = std::ranges::find(names, colour, [](const auto& name) { return name.first; });
            const std::string word = named == names.end() ? "" : utf8_of(named->second);
            puzzle.colours.push_back({utf8_of({&colour, 1}), utf8_of({&colour, 1}), word, ""});
        }
    }

    // The cells, if they have the clues.
    void take_goal(ReadPuzzle& puzzle) const {
        const std::span<const Row> grid = std::span(rows).subspan(top);
        if (grid[0].cells.empty()) return;
        const bool is_plain = puzzle.colours.empty();
        const auto cell = [&](std::size_t i, std::size_t j) {
            const char32_t own = grid[i].cells[j];
            return is_one_of(own, kEmpty) ? 0 : is_plain ? 1 : index_of(own);
        };
        ReadPuzzle drawn;
        for (std::size_t i = 0; i < grid.size(); ++i)
            drawn.rows.push_back(clue_of(places.size(), [&](std::size_t j) { return cell(i, j); }));
        for (std::size_t j = 0; j < places.size(); ++j)
            drawn.columns.push_back(clue_of(grid.size(), [&](std::size_t i) { return cell(i, j); }));
        if (!has_same_clues(drawn, puzzle)) return;
        for (std::size_t i = 0; i < grid.size(); ++i)
            for (std::string& line = puzzle.goal.emplace_back(); const char32_t own : grid[i].cells)
                line += is_one_of(own, kEmpty) ? "." : is_plain ? "#" : utf8_of({&own, 1});
    }

    std::vector<char32_t> colours_;  // 0 if numbers have none
};

// ". white, # black, a red" below the grid.
std::vector<std::pair<char32_t, Line>> legend_of(Line line) {
    std::vector<std::pair<char32_t, Line>> names;
    if (line.find(U", ") == line.npos) return {};
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t end = std::min(line.find(U", ", at), line.size());
        if (end < at + 3 || line[at] == ' ' || line[at + 1] != ' ' || is_digit(line[at])) return {};
        names.emplace_back(line[at], line.substr(at + 2, end - at - 2));
        at = end + 2;
    }
    return names;
}

// The puzzle of lines without blank ones, from that number on.
std::optional<ReadPuzzle> read_grid(std::span<const PlainLine> lines, std::size_t number) {
    Drawing drawing;
    drawing.names = legend_of(lines.back().text);
    if (!drawing.names.empty()) lines = lines.first(lines.size() - 1);
    for (const PlainLine& line : lines) drawing.rows.push_back(row_of(line.text, std::int32_t(++number)));
    while (drawing.top < drawing.rows.size() && drawing.rows[drawing.top].cells.empty()) ++drawing.top;
    if (!drawing.has_grid()) return {};
    drawing.places = drawing.rows[drawing.top].places;
    drawing.divide_numbers(lines);
    for (std::int32_t offset = -1; offset <= 2; ++offset)
        for (const auto edge : {&Number::last, &Number::first})
            if (auto puzzle = drawing.read(offset, edge)) return puzzle;
    return {};
}

// "answer       unique", "solution 1" or "cat.non: 3x4": what is printed around a grid.
bool is_printed_word(Line line) {
    const std::size_t end = std::min(line.find_first_not_of(U"abcdefghijklmnopqrstuvwxyz-"), line.size());
    return end > 0 &&
           (line.substr(end).starts_with(U"  ") || (line.starts_with(U"solution ") && is_digit(line.back())));
}

bool is_heading(Line line) {
    const std::size_t colon = line.rfind(U": ");
    if (colon == line.npos || colon + 2 >= line.size()) return false;
    const Line size = line.substr(colon + 2);
    return is_digit(size[0]) && size.find(U'x') != size.npos && size.find(U' ') == size.npos;
}

std::string title_of(Line heading) {
    const std::string title = utf8_of(heading.substr(0, heading.rfind(U": ")));
    const bool is_file =
        title.find_first_of("./\\") != title.npos || title == "untitled" || title == "<stdin>";
    return is_file ? "" : title;
}

Reading read_grids(std::span<const PlainLine> lines) {
    Reading reading;
    std::string title;
    for (std::size_t i = 0, end = 0; i < lines.size(); i = end) {
        end = i + 1;
        const Line line = lines[i].text;
        if (is_heading(line)) title = title_of(line);
        if (is_blank(line) || is_heading(line) || is_printed_word(line)) continue;
        while (end < lines.size() && !is_blank(lines[end].text)) ++end;
        std::optional<ReadPuzzle> puzzle = read_grid(lines.subspan(i, end - i), i);
        if (!puzzle) return {};
        puzzle->title = title;
        if (!reading.puzzles.empty() && has_same_clues(reading.puzzles.back(), *puzzle))
            reading.puzzles.back().goal.clear();  // one of several solutions
        else
            reading.puzzles.push_back(std::move(*puzzle));
    }
    return reading;
}

// The number of lines above whose numbers all stand to the right of all others; 0 if there are none.
std::size_t margin_of(const std::vector<Row>& rows) {
    std::vector<std::int32_t> ends(rows.size() + 1, -1);
    for (std::size_t i = rows.size(); i-- > 0;) ends[i] = std::max(ends[i + 1], rows[i].numbers.back().last);
    std::int32_t first = kLargest;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        first = std::min(first, rows[i].numbers.front().first);
        if (first > ends[i + 1]) return i + 1;
    }
    return 0;
}

// Without dots and the like that stand alone where a number is missing.
std::u32string without_pads(std::u32string line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool is_alone = (i == 0 || line[i - 1] == ' ') && (i + 1 == line.size() || line[i + 1] == ' ');
        if (is_alone && is_one_of(line[i], kEmpty)) line[i] = ' ';
    }
    return line;
}

// Whether numbers above have gaps between them, or do not start where the first row starts.
bool is_spread(const std::vector<Row>& rows, std::size_t top) {
    const std::int32_t start = rows[0].numbers[0].first;
    for (std::size_t i = 0; i < top; ++i)
        for (std::size_t k = 0; k < rows[i].numbers.size(); ++k) {
            const std::int32_t own = rows[i].numbers[k].first;
            if (k ? own > rows[i].numbers[k - 1].last + 2 : own != start) return true;
        }
    return start != rows[top].numbers[0].first;
}

// Numbers alone, those of the columns one below the other: the puzzle if blanks show that they stand so.
std::optional<ReadPuzzle> read_stacked(std::span<const PlainLine> lines) {
    Drawing drawing;
    std::vector<Row>& rows = drawing.rows;
    bool is_open = false;  // a gap of lines before the next row
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool is_gap = lines[i].text.find_first_not_of(U"-=*#&~_+ ") == Line::npos;
        if (!is_gap) {
            if (is_open && drawing.top > 0) return {};
            if (is_open) drawing.top = rows.size();
            rows.push_back(row_of(without_pads(lines[i].text), std::int32_t(i) + 1));
            if (!rows.back().is_read || rows.size() > kMostTextLines) return {};
        }
        is_open = is_gap && !rows.empty();
    }
    const std::size_t margin = rows.empty() ? 0 : margin_of(rows);
    if (drawing.top == 0) drawing.top = margin;
    if (drawing.top == 0 || (margin == 0 && !is_spread(rows, drawing.top))) return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < drawing.top && !rows[i].cells.empty()) return {};
        rows[i].cells.clear();
    }
    auto puzzle = drawing.read_stacked(&Number::last);
    return puzzle ? puzzle : drawing.read_stacked(&Number::first);
}

}  // namespace

Reading read_drawn(std::span<const PlainLine> lines) {
    Reading reading = read_grids(lines);
    if (!reading.puzzles.empty()) return reading;
    if (std::optional<ReadPuzzle> stacked = read_stacked(lines)) {
        reading.puzzles.push_back(std::move(*stacked));
        reading.notes.push_back({"the numbers above are read as columns, one below the other", {}});
    }
    return reading;
}

}  // namespace nonocsp
