#include "typed/drawn.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reading/clue_text.hpp"
#include "typed/cuts.hpp"
#include "typed/tokens.hpp"

namespace nonocsp {
namespace {

using Line = std::u32string;

constexpr std::u32string_view kEmpty = U".-_·□▢◻◽⬜○⚪░ ";
constexpr std::u32string_view kAround = U"()|│┃[]";  // marked cells and borders
constexpr std::size_t kMostLines = 4096;
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

bool is_empty_cell(char32_t c) { return kEmpty.find(c) != kEmpty.npos; }
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_blank(const Line& line) { return line.find_first_not_of(U' ') == line.npos; }

// Numbers, each with a colour behind it or none has, then cells.
Row row_of(const std::vector<Line>& lines, std::size_t at) {
    const Line& line = lines[at];
    Row row;
    row.line = std::int32_t(at) + 1;
    std::size_t i = 0;
    const auto skip = [&] { i = std::min(line.find_first_not_of(U' ', i), line.size()); };
    for (skip(); i < line.size() && is_digit(line[i]); skip()) {
        Number number{0, std::int32_t(i), 0, 0};
        for (; i < line.size() && is_digit(line[i]); ++i)
            number.value = std::min(kLargest, number.value * 10 + std::int32_t(line[i] - '0'));
        number.last = std::int32_t(i) - 1;
        if (i < line.size() && line[i] != ' ' && kAround.find(line[i]) == kAround.npos) {
            number.colour = line[i++];
            number.last = std::int32_t(i) - 1;
        }
        row.numbers.push_back(number);
    }
    for (; i < line.size(); ++i) {
        if (is_digit(line[i])) return row;
        if (line[i] == ' ' || kAround.find(line[i]) != kAround.npos) continue;
        row.cells.push_back(line[i]);
        row.places.push_back(std::int32_t(i));
    }
    row.is_read = !row.numbers.empty();
    return row;
}

// Above cells that touch, each digit is a number.
std::vector<Number> digits_of(const std::vector<Number>& numbers, const Line& line) {
    std::vector<Number> digits;
    for (const Number& number : numbers)
        for (std::int32_t at = number.first; at <= number.last; ++at)
            if (is_digit(line[std::size_t(at)]))
                digits.push_back({std::int32_t(line[std::size_t(at)] - '0'), at, at, 0});
    return digits;
}

class Drawing {
  public:
    // The lines from `first` on up to `end`, without blank ones.
    Drawing(const std::vector<Line>& lines, std::size_t first, std::size_t end) {
        if (end - first > 1 && take_legend(lines[end - 1])) --end;
        for (std::size_t i = first; i < end; ++i) rows_.push_back(row_of(lines, i));
        while (top_ < rows_.size() && rows_[top_].cells.empty()) ++top_;
        if (!is_grid()) return;
        places_ = rows_[top_].places;
        for (std::size_t i = 0; touch() && i < top_; ++i)
            rows_[i].numbers = digits_of(rows_[i].numbers, lines[first + i]);
        for (std::int32_t offset = -1; offset <= 2 && !is_read_; ++offset)
            is_read_ = read(offset, &Number::last) || read(offset, &Number::first);
    }

    // Numbers alone: the first `top` lines have those of the columns.
    Drawing(const std::vector<Row>& rows, std::size_t top) : top_(top), rows_(rows) {
        for (const auto edge : {&Number::last, &Number::first}) {
            places_.clear();
            for (std::size_t i = 0; i < top_; ++i)
                for (const Number& number : rows_[i].numbers) places_.push_back(number.*edge);
            std::ranges::sort(places_);
            places_.erase(std::ranges::unique(places_).begin(), places_.end());
            const auto is_full = [&](const Row& row) { return row.numbers.size() == places_.size(); };
            is_read_ = is_even() && (is_full(rows_[0]) || is_full(rows_[top_ - 1])) && read(0, edge);
            if (is_read_) return;
        }
    }

    bool is_read() const { return is_read_; }
    ReadPuzzle take() { return std::move(puzzle_); }

  private:
    // ". white, # black, a red" below the grid.
    bool take_legend(const Line& line) {
        if (line.find(U", ") == line.npos) return false;
        for (std::size_t at = 0; at < line.size();) {
            const std::size_t end = std::min(line.find(U", ", at), line.size());
            if (end < at + 3 || line[at] == ' ' || line[at + 1] != ' ' || is_digit(line[at])) return false;
            names_.emplace_back(line[at], line.substr(at + 2, end - at - 2));
            at = end + 2;
        }
        return true;
    }

    bool is_grid() const {
        if (top_ == 0 || top_ >= rows_.size()) return false;
        const std::size_t width = rows_[top_].cells.size();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!rows_[i].is_read || (i >= top_ && rows_[i].cells.size() != width)) return false;
        return width <= kMostLines && rows_.size() - top_ <= kMostLines;
    }

    // Whether columns stand at equal distances.
    bool is_even() const {
        for (std::size_t i = 2; i < places_.size(); ++i)
            if (places_[i] - places_[i - 1] != places_[1] - places_[0]) return false;
        return true;
    }

    bool touch() const {
        return places_.size() > 1 && places_.back() - places_.front() + 1 == std::int32_t(places_.size());
    }

    // Each number above stands at a cell, or beside it by the same offset everywhere.
    bool read(std::int32_t offset, std::int32_t Number::* edge) {
        puzzle_ = {};
        colours_.clear();
        puzzle_.columns.resize(places_.size());
        puzzle_.place = {rows_[0].line, 1};
        for (std::size_t i = top_; i < rows_.size(); ++i) {
            puzzle_.rows.push_back({{}, {}, {rows_[i].line, rows_[i].numbers[0].first + 1}});
            for (const Number& number : rows_[i].numbers) append(puzzle_.rows.back(), number);
        }
        for (std::size_t i = 0; i < top_; ++i)
            for (const Number& number : rows_[i].numbers) {
                const auto found = std::ranges::lower_bound(places_, number.*edge - offset);
                if (found == places_.end() || *found != number.*edge - offset) return false;
                ReadClue& clue = puzzle_.columns[std::size_t(found - places_.begin())];
                if (clue.place.line == 0) clue.place = {rows_[i].line, number.first + 1};
                append(clue, number);
            }
        if (!clues_fit(puzzle_.rows, puzzle_.columns)) return false;
        name_colours();
        take_goal();
        return true;
    }

    void append(ReadClue& clue, const Number& number) {
        if (number.value == 0) return;
        auto found = std::ranges::find(colours_, number.colour);
        if (found == colours_.end()) found = colours_.insert(found, number.colour);
        clue.lengths.push_back(number.value);
        clue.colours.push_back(std::int32_t(found - colours_.begin()) + 1);
    }

    void name_colours() {
        if (colours_.empty() || colours_[0] == 0) return;
        for (const char32_t colour : colours_) {
            const auto named = std::ranges::find(names_, colour, [](const auto& name) { return name.first; });
            const std::string word = named == names_.end() ? "" : utf8_of(named->second);
            puzzle_.colours.push_back({utf8_of({&colour, 1}), utf8_of({&colour, 1}), word, ""});
        }
    }

    // The cells, if all are known and have the clues.
    void take_goal() {
        const bool is_plain = colours_.empty() || colours_[0] == 0;
        std::vector<std::vector<std::int32_t>> cells;
        for (std::size_t i = top_; i < rows_.size(); ++i) {
            std::vector<std::int32_t>& own = cells.emplace_back();
            for (const char32_t cell : rows_[i].cells) {
                if (cell == '?') return;
                const bool is_empty = is_empty_cell(cell);
                const auto found = std::ranges::find(colours_, cell);
                if (!is_plain && !is_empty && found == colours_.end()) return;
                own.push_back(is_empty ? 0 : is_plain ? 1 : std::int32_t(found - colours_.begin()) + 1);
            }
        }
        if (cells[0].empty() || !has_clues(cells)) return;
        for (const auto& own : cells) {
            std::string& row = puzzle_.goal.emplace_back();
            for (const std::int32_t cell : own)
                row += cell == 0 ? "." : is_plain ? "#" : puzzle_.colours[std::size_t(cell) - 1].character;
        }
    }

    bool has_clues(const std::vector<std::vector<std::int32_t>>& cells) const {
        const std::size_t height = cells.size(), width = cells[0].size();
        const auto is_clue = [](const ReadClue& clue, std::size_t length, auto cell_at) {
            ReadClue own;
            for (std::size_t i = 0; i < length; ++i) {
                const std::int32_t cell = cell_at(i);
                const bool goes_on = i > 0 && cell == cell_at(i - 1);
                if (cell > 0 && goes_on) ++own.lengths.back();
                if (cell > 0 && !goes_on) {
                    own.lengths.push_back(1);
                    own.colours.push_back(cell);
                }
            }
            return own.lengths == clue.lengths && own.colours == clue.colours;
        };
        for (std::size_t i = 0; i < height; ++i)
            if (!is_clue(puzzle_.rows[i], width, [&](std::size_t j) { return cells[i][j]; })) return false;
        for (std::size_t j = 0; j < width; ++j)
            if (!is_clue(puzzle_.columns[j], height, [&](std::size_t i) { return cells[i][j]; }))
                return false;
        return true;
    }

    std::size_t top_ = 0;
    std::vector<Row> rows_;
    std::vector<std::int32_t> places_;  // of the columns
    std::vector<std::pair<char32_t, Line>> names_;
    std::vector<char32_t> colours_;  // 0 if numbers have none
    ReadPuzzle puzzle_;
    bool is_read_ = false;
};

// "answer       unique", "solution 1" or "cat.non: 3x4": what is printed around a grid.
bool is_printed_word(const Line& line) {
    std::size_t i = 0;
    while (i < line.size() && ((line[i] >= 'a' && line[i] <= 'z') || line[i] == '-')) ++i;
    if (i > 0 && line.substr(i).starts_with(U"  ")) return true;
    return i > 0 && line.starts_with(U"solution ") && is_digit(line.back());
}

bool is_heading(const Line& line) {
    const std::size_t colon = line.rfind(U": ");
    if (colon == line.npos || colon + 2 >= line.size()) return false;
    const std::u32string_view size = std::u32string_view(line).substr(colon + 2);
    return is_digit(size[0]) && size.find(U'x') != size.npos && size.find(U' ') == size.npos;
}

std::string title_of(const Line& heading) {
    const std::string title = utf8_of(std::u32string_view(heading).substr(0, heading.rfind(U": ")));
    const bool is_file =
        title.find_first_of("./\\") != title.npos || title == "untitled" || title == "<stdin>";
    return is_file ? "" : title;
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

// Dots and the like that stand alone where a number is missing.
void leave_out_pads(Line& line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool is_alone = (i == 0 || line[i - 1] == ' ') && (i + 1 == line.size() || line[i + 1] == ' ');
        if (is_alone && is_empty_cell(line[i])) line[i] = ' ';
    }
}

bool is_rule(const Line& line) { return line.find_first_not_of(U"-=*#&~_+ ") == line.npos; }

// Numbers alone, those of the columns one below the other: the puzzle if blanks show that they stand so.
std::optional<ReadPuzzle> read_stacked(std::vector<Line> lines) {
    std::vector<Row> rows;
    std::size_t top = 0;
    bool is_open = false, is_spread = false;  // a gap of lines before the next row; columns with gaps
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (is_blank(lines[i]) || is_rule(lines[i])) {
            is_open = !rows.empty();
            continue;
        }
        leave_out_pads(lines[i]);
        rows.push_back(row_of(lines, i));
        if (!rows.back().is_read || rows.size() > kMostLines) return {};
        if (is_open && top > 0) return {};
        if (is_open) top = rows.size() - 1;
        is_open = false;
    }
    if (top == 0) top = margin_of(rows);
    for (std::size_t i = 0; i < top; ++i)
        for (std::size_t k = 0; k < rows[i].numbers.size(); ++k) {
            const std::int32_t before = k ? rows[i].numbers[k - 1].last + 2 : rows[0].numbers[0].first;
            is_spread = is_spread || rows[i].numbers[k].first > before ||
                        (k == 0 && rows[i].numbers[k].first < before);
        }
    if (top == 0) return {};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < top && !rows[i].cells.empty()) return {};
        rows[i].cells.clear();
    }
    is_spread = is_spread || rows[0].numbers[0].first != rows[top].numbers[0].first;
    if (!is_spread && margin_of(rows) == 0) return {};
    Drawing drawing(rows, top);
    if (!drawing.is_read()) return {};
    return drawing.take();
}

Reading read_grids(const std::vector<Line>& lines) {
    Reading reading;
    std::string title;
    for (std::size_t i = 0; i < lines.size();) {
        if (is_blank(lines[i])) {
            ++i;
        } else if (is_heading(lines[i])) {
            title = title_of(lines[i++]);
        } else if (is_printed_word(lines[i])) {
            ++i;
        } else {
            std::size_t end = i;
            while (end < lines.size() && !is_blank(lines[end])) ++end;
            Drawing drawing(lines, i, end);
            if (!drawing.is_read()) return {};
            ReadPuzzle puzzle = drawing.take();
            puzzle.title = title;
            if (!reading.puzzles.empty() && has_same_clues(reading.puzzles.back(), puzzle))
                reading.puzzles.back().goal.clear();  // one of several solutions
            else
                reading.puzzles.push_back(std::move(puzzle));
            i = end;
        }
    }
    return reading;
}

}  // namespace

Reading read_drawn(std::string_view text) {
    const std::vector<Line> lines = plain_lines(text);
    Reading reading = read_grids(lines);
    if (!reading.puzzles.empty()) return reading;
    if (std::optional<ReadPuzzle> stacked = read_stacked(lines)) {
        reading.puzzles.push_back(std::move(*stacked));
        reading.notes.push_back({"the numbers above are read as columns, one below the other", {}});
    }
    return reading;
}

}  // namespace nonocsp
