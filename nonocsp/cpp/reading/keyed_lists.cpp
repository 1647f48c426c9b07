// Lists with words: the grids of picross-solver, the Olsaks' files in colour, and Bosch's.
#include <algorithm>
#include <array>
#include <utility>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

// A word between blanks.
Token first_word(std::string_view text, std::size_t at = 0) {
    while (at < text.size() && blank_at(text, at) != 0) at += blank_at(text, at);
    std::size_t end = at;
    while (end < text.size() && blank_at(text, end) == 0) ++end;
    return {text.substr(at, end - at), at};
}

std::string_view behind(const Token& word, std::string_view text) {
    return trimmed(text.substr(word.at + word.text.size()));
}

constexpr std::array<std::string_view, 2> kSections{"ROWS", "COLUMNS"};
constexpr std::array<std::string_view, 2> kAxes{"row", "column"};

// A grid as far as it was read.
struct GridText {
    std::string title;
    TextPlace place;
    std::array<std::optional<ReadClues>, 2> clues;
    std::size_t section = 2;  // the present one; 2 before the first

    bool is_whole() const {
        return std::ranges::all_of(clues, [](const auto& found) { return found && !found->empty(); });
    }
};

// The grids of a file, one after the other.
class Grids {
  public:
    explicit Grids(const ListText& list) : list_(list) {}

    void read() {
        TextLines lines = list_.lines();
        list_.leave({{}, list_.request.first_line, 0});
        for (TextLine line; lines.next(line);) take(line);
        if (list_.request.is_whole && grid_) finish();
    }

  private:
    void take(const TextLine& line) {
        const Token word = first_word(line.text);
        const std::size_t section =
            static_cast<std::size_t>(std::ranges::find(kSections, word.text) - kSections.begin());
        if (word.text.empty() || list_.is_comment(line.text)) {
            if (!grid_) list_.leave({{}, line.number, line.start});
        } else if (word.text == "GRID") {
            if (grid_) finish();
            grid_ = GridText{std::string(behind(word, line.text)), {line.number, 0}, {}};
            list_.leave(line);
        } else if (grid_ && section < kSections.size()) {
            begin(section, line);
        } else if (grid_ && grid_->section < kSections.size() && word.text[0] == '[') {
            take_clue(line, word.at);
        } else {
            refuse(line, word);
        }
    }

    void begin(std::size_t section, const TextLine& line) {
        if (grid_->clues[section])
            throw ReadFault{std::string(kSections[section]) + " a second time",
                            "GRID before the next grid",
                            {line.number, 0}};
        grid_->clues[section].emplace();
        grid_->section = section;
    }

    void take_clue(const TextLine& line, std::size_t start) {
        const std::size_t end = start + trimmed(line.text).size();
        if (line.text[end - 1] != ']')
            throw ReadFault{"a clue without ]", "a clue such as [ 1 2 ]", place_of(line, end)};
        ReadClues& clues = *grid_->clues[grid_->section];
        if (clues.size() == kMostTextLines)
            throw ReadFault{"too many clues in " + std::string(kSections[grid_->section]),
                            "at most 4096",
                            {line.number, 0}};
        clues.push_back(read_lengths({line.text.substr(0, end - 1), line.number, line.start}, start + 1));
    }

    [[noreturn]] void refuse(const TextLine& line, const Token& word) {
        const bool has_grid = grid_.has_value(), has_section = has_grid && grid_->section < kSections.size();
        if (has_grid && grid_->is_whole()) finish();
        throw ReadFault{quoted(word.text) + " is out of place",
                        has_section ? "a clue such as [ 1 2 ], ROWS, COLUMNS or GRID"
                        : has_grid  ? "ROWS or COLUMNS below GRID"
                                    : "GRID and a name before anything else",
                        place_of(line, word.at)};
    }

    void finish() {
        GridText grid = *std::exchange(grid_, std::nullopt);
        for (std::size_t i = 0; i < kSections.size(); ++i)
            if (!grid.clues[i] || grid.clues[i]->empty())
                throw ReadFault{"the grid " + quoted(grid.title) + " has no " + std::string(kAxes[i]) + "s",
                                std::string(kSections[i]) + " and a clue such as [ 1 2 ] a line", grid.place};
        ReadPuzzle puzzle;
        puzzle.rows = std::move(*grid.clues[0]);
        puzzle.columns = std::move(*grid.clues[1]);
        puzzle.title = std::move(grid.title);
        puzzle.place = grid.place;
        list_.add(std::move(puzzle));
    }

    const ListText& list_;
    std::optional<GridText> grid_;
};

// A letter, a colon, perhaps a character, blanks, a word, and perhaps a remark.
std::optional<ReadColour> colour_of(std::string_view text) {
    if (text.empty() || std::string_view("23456789,:").find(text[0]) != std::string_view::npos)
        return std::nullopt;
    const std::size_t letter = character_at(text, 0);
    if (letter >= text.size() || text[letter] != ':') return std::nullopt;
    std::size_t at = letter + 1;
    ReadColour colour{std::string(text.substr(0, letter)), "", "", ""};
    if (at < text.size() && blank_at(text, at) == 0) {
        const std::size_t size = character_at(text, at);
        colour.character = text.substr(at, size);
        at += size;
    }
    if (at >= text.size() || blank_at(text, at) == 0) return std::nullopt;
    const Token word = first_word(text, at);
    colour.word = word.text;
    colour.remark = behind(word, text);
    return colour;
}

constexpr std::string_view kBackground = "0", kPlain = "1";
constexpr std::size_t kMostColours = 64;

// The file of a puzzle in colour: comments, colours behind #d, then clues between lines that start with a
// colon.
class ColonList {
  public:
    explicit ColonList(const ListText& list) : list_(list) {}

    void read() {
        TextLines lines = list_.lines();
        TextLine line;
        while (part_ < kBehind && lines.next(line)) take(line);
        const TextPlace last{line.number, 0};
        if (part_ < kColumns)
            throw ReadFault{"the file ends",
                            part_ < kRows ? ": before the row clues" : ": between row and column clues",
                            last};
        if (part_ == kColumns && !sections_[1].empty() && is_blank(sections_[1].back().text))
            throw ReadFault{"the file ends with empty lines",
                            ": below the last clue, so that it is clear which empty lines are empty clues",
                            last};
        add();
    }

  private:
    enum Part { kComments, kColours, kRows, kColumns, kBehind };

    void take(const TextLine& line) {
        const std::string_view start = line.text.substr(0, 2);
        if (line.text.starts_with(':')) {
            part_ = static_cast<Part>(std::max<int>(part_, kColours) + 1);
            if (part_ < kBehind) labels_[part_ - kRows] = trimmed(line.text.substr(1));
        } else if (part_ >= kRows) {
            std::vector<TextLine>& section = sections_[part_ - kRows];
            if (section.size() >= kMostTextLines)
                throw ReadFault{"too many clues", "at most 4096, then :", {line.number, 0}};
            section.push_back(line);
        } else if (part_ == kColours && !is_blank(line.text)) {
            take_colour(line);
        } else if (start == "#t" || start == "#T") {
            throw ReadFault{"a triddler, which is no rectangular nonogram",
                            "a puzzle of rows and columns",
                            {line.number, 0}};
        } else if (start == "#d" || start == "#D") {
            part_ = kColours;
            in_colour_ = true;
        }
    }

    void take_colour(const TextLine& line) {
        std::optional<ReadColour> colour = colour_of(trimmed(line.text));
        const TextPlace place{line.number, 0};
        constexpr auto* kExpected = "a letter, :, a character and a colour, such as m:% blue or m:% #0000FF";
        if (!colour) throw ReadFault{quoted(trimmed(line.text)) + " is no colour", kExpected, place};
        if (std::ranges::find(colours_, colour->key, &ReadColour::key) != colours_.end())
            throw ReadFault{quoted(colour->key) + " a second time", kExpected, place};
        if (colour->word.find_first_of("/\\") != std::string::npos)
            throw ReadFault{"triangles (" + quoted(colour->word) + ")", "cells of one colour", place};
        if (colour->word[0] == '#' && !is_rgb(colour->word))
            throw ReadFault{quoted(colour->word) + " is no colour", "#RRGGBB, such as #0000FF", place};
        if (colours_.size() == kMostColours)
            throw ReadFault{"too many colours", "at most 63 beside the background", place};
        colours_.push_back(std::move(*colour));
    }

    void add() {
        std::vector<std::string> keys;
        for (const ReadColour& colour : colours_)
            if (colour.key != kBackground) keys.push_back(colour.key);
        if (!in_colour_) keys.emplace_back(kPlain);
        ReadPuzzle puzzle;
        for (const TextLine& line : sections_[0]) puzzle.rows.push_back(clue_of(line, keys));
        for (const TextLine& line : sections_[1]) puzzle.columns.push_back(clue_of(line, keys));
        puzzle.colours = std::move(colours_);
        if (starts_with_any(labels_[0], "cC") && starts_with_any(labels_[1], "rR")) {
            std::swap(puzzle.rows, puzzle.columns);
            list_.note("the clues of the columns are read first, as " + quoted(labels_[0]) + " says", {});
        }
        list_.add(std::move(puzzle));
    }

    static ReadClue clue_of(const TextLine& line, const std::vector<std::string>& keys) {
        ReadClue clue;
        clue.place = {line.number, 1};
        if (trimmed(line.text) == "0") return clue;
        std::size_t at = 0;
        while (const std::optional<Token> token = next_token(line.text, at)) {
            const std::size_t digits =
                std::min(token->text.find_first_not_of("0123456789"), token->text.size());
            const std::string_view letter = token->text.substr(digits);
            const std::optional<std::int32_t> length = number_of(token->text.substr(0, digits));
            const auto key = std::ranges::find(keys, letter.empty() ? kPlain : letter);
            if (!length || key == keys.end() || clue.lengths.size() == kMostTextLines)
                refuse_block(line, *token, keys);
            if (clue.lengths.empty()) clue.place = place_of(line, token->at);
            clue.lengths.push_back(*length);
            clue.colours.push_back(static_cast<std::int32_t>(key - keys.begin()) + 1);
        }
        return clue;
    }

    [[noreturn]] static void refuse_block(const TextLine& line, const Token& token,
                                          const std::vector<std::string>& keys) {
        std::string letters;
        for (const std::string& key : keys)
            if (key != kPlain) letters += (letters.empty() ? "" : " ") + key;
        if (!letters.empty()) letters = ", with one of the letters " + letters + " behind each length";
        throw ReadFault{quoted(token.text) + " is no block",
                        "a clue such as 3 1" + letters + "; an empty line for the empty clue",
                        place_of(line, token.at)};
    }

    const ListText& list_;
    Part part_ = kComments;
    bool in_colour_ = false;
    std::vector<ReadColour> colours_;
    std::array<std::string_view, 2> labels_;
    std::array<std::vector<TextLine>, 2> sections_;
};

// Bosch's file: words with a colon, then a number or as many as the one before says.
class KeyedList {
  public:
    explicit KeyedList(const ListText& list) : list_(list), lines_(list.lines()) {}

    void read() {
        for (std::size_t axis = 0; axis < kAxes.size(); ++axis) read_size_of(axis);
        for (std::string_view word = next(); !word.empty(); word = next()) {
            std::optional<ReadClue>& clue = clue_at(word);
            clue = read_clue();
        }
        ReadPuzzle puzzle;
        puzzle.rows = complete(0);
        puzzle.columns = complete(1);
        list_.add(std::move(puzzle));
    }

  private:
    // The next word, empty at the end of the file.
    std::string_view next() {
        for (;;) {
            const Token word = first_word(line_.text, at_);
            at_ = word.at + word.text.size();
            if (!word.text.empty()) return word.text;
            if (TextLine line; lines_.next(line))
                line_ = line;
            else
                return {};
            at_ = 0;
        }
    }

    std::string_view take(const std::string& expected) {
        const std::string_view word = next();
        if (word.empty()) throw fault("the file ends", expected);
        return word;
    }

    ReadFault fault(std::string message, std::string expected) const {
        return {std::move(message), std::move(expected), {line_.number, 0}};
    }

    void read_size_of(std::size_t axis) {
        const std::string key = "number_of_" + std::string(kAxes[axis]) + "s:";
        const std::string_view word = take(key + " and a number");
        if (word != key) throw fault(quoted(word), key);
        const std::string_view number = take("a number");
        clues_[axis].resize(nonocsp::read_size(line_, number, "number of " + std::string(kAxes[axis]) + "s"));
    }

    // Where the clue of row_1, column_1 and so on belongs.
    std::optional<ReadClue>& clue_at(std::string_view word) {
        for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
            if (!word.starts_with(std::string(kAxes[axis]) + "_")) continue;
            std::string_view digits = word.substr(kAxes[axis].size() + 1);
            if (digits.ends_with(':')) digits.remove_suffix(1);
            const auto number = static_cast<std::size_t>(number_of(digits).value_or(0));
            if (number >= 1 && number <= clues_[axis].size() && !clues_[axis][number - 1])
                return clues_[axis][number - 1];
        }
        throw fault(quoted(word) + " is out of place",
                    "row_1, column_1 and so on, each line once and in the size");
    }

    ReadClue read_clue() {
        ReadClue clue;
        clue.place = {line_.number, 0};
        take("number_of_clusters:");
        const std::string count(take("the number of blocks"));
        const std::int32_t blocks = number_of(count).value_or(-1);
        if (blocks < 0 || blocks > static_cast<std::int32_t>(kMostTextLines))
            throw fault(quoted(count) + " is no number of blocks", "a number of blocks up to 4096");
        take("size(s):");
        for (std::int32_t i = 0; i < blocks; ++i) {
            const std::string_view word = take("the length of a block");
            const std::optional<std::int32_t> length = number_of(word);
            if (!length)
                throw fault(quoted(word) + " is no block length", count + " lengths behind size(s):");
            clue.lengths.push_back(*length);
            clue.colours.push_back(1);
        }
        return clue;
    }

    ReadClues complete(std::size_t axis) {
        ReadClues found;
        const std::string name(kAxes[axis]);
        for (std::optional<ReadClue>& clue : clues_[axis]) {
            if (!clue)
                throw fault(
                    name + "_" + std::to_string(found.size() + 1) + " is missing",
                    std::to_string(clues_[axis].size()) + " " + name + "s, as number_of_" + name + "s says");
            found.push_back(std::move(*clue));
        }
        return found;
    }

    const ListText& list_;
    TextLines lines_;
    TextLine line_{{}, 1, 0};
    std::size_t at_ = 0;
    std::array<std::vector<std::optional<ReadClue>>, 2> clues_;
};

}  // namespace

bool is_colour_line(std::string_view text) { return colour_of(text).has_value(); }

void read_grids(const ListText& list) { Grids(list).read(); }

void read_colon_list(const ListText& list) { ColonList(list).read(); }

void read_keyed_list(const ListText& list) { KeyedList(list).read(); }

}  // namespace nonocsp
