// Lists with words: the Olsaks' files in colour, and Bosch's.
#include <algorithm>
#include <array>
#include <utility>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

constexpr std::array<std::string_view, 2> kAxes{"row", "column"};

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

// The words of a text, one after the other, with their lines.
class Words {
  public:
    explicit Words(const ListText& list) : lines_(list.lines()) {}

    // The next word, empty at the end of the file.
    std::string_view next() {
        Token word = first_word(line_.text, at_);
        while (word.text.empty()) {
            TextLine line;
            if (!lines_.next(line)) return {};
            line_ = line;
            word = first_word(line_.text);
        }
        at_ = word.at + word.text.size();
        return word.text;
    }

    std::string_view take(const std::string& expected) {
        const std::string_view word = next();
        if (word.empty()) throw fault("the file ends", expected);
        return word;
    }

    std::int32_t take_number(const std::string& expected, const std::string& what, std::int32_t most) {
        const std::string_view word = take(expected);
        const std::int32_t number = number_of(word).value_or(-1);
        if (number < 0 || number > most) throw fault(quoted(word) + " is no " + what, expected);
        return number;
    }

    const TextLine& line() const { return line_; }
    ReadFault fault(std::string message, std::string expected) const {
        return {std::move(message), std::move(expected), {line_.number, 0}};
    }

  private:
    TextLines lines_;
    TextLine line_{{}, 1, 0};
    std::size_t at_ = 0;
};

ReadClue keyed_clue(Words& words) {
    ReadClue clue{{}, {}, {words.line().number, 0}};
    words.take("number_of_clusters:");
    const std::int32_t blocks =
        words.take_number("a number of blocks up to 4096", "number of blocks", kMostTextLines);
    words.take("size(s):");
    const std::string expected = std::to_string(blocks) + " lengths behind size(s):";
    for (std::int32_t i = 0; i < blocks; ++i)
        clue.lengths.push_back(words.take_number(expected, "block length", 999'999'999));
    clue.colours.assign(clue.lengths.size(), 1);
    return clue;
}

// The clues of a file so far, one axis behind the other.
using KeyedClues = std::array<std::vector<std::optional<ReadClue>>, 2>;

// Where the clue of row_1, column_1 and so on belongs; null if nowhere.
std::optional<ReadClue>* place_for(std::string_view word, KeyedClues& clues) {
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
        if (!word.starts_with(std::string(kAxes[axis]) + "_")) continue;
        std::string_view digits = word.substr(kAxes[axis].size() + 1);
        if (digits.ends_with(':')) digits.remove_suffix(1);
        const auto number = static_cast<std::size_t>(number_of(digits).value_or(0));
        const bool is_free = number >= 1 && number <= clues[axis].size() && !clues[axis][number - 1];
        return is_free ? &clues[axis][number - 1] : nullptr;
    }
    return nullptr;
}

}  // namespace

bool is_colour_line(std::string_view text) { return colour_of(text).has_value(); }

void read_colon_list(const ListText& list) { ColonList(list).read(); }

// Bosch's file: words with a colon, then a number or as many as the one before says.
void read_keyed_list(const ListText& list) {
    Words words(list);
    KeyedClues clues;
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
        const std::string key = "number_of_" + std::string(kAxes[axis]) + "s:";
        const std::string_view word = words.take(key + " and a number");
        if (word != key) throw words.fault(quoted(word), key);
        const std::string_view number = words.take("a number");
        clues[axis].resize(read_size(words.line(), number, "number of " + std::string(kAxes[axis]) + "s"));
    }
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        std::optional<ReadClue>* place = place_for(word, clues);
        if (!place)
            throw words.fault(quoted(word) + " is out of place",
                              "row_1, column_1 and so on, each line once and in the size");
        *place = keyed_clue(words);
    }
    ReadPuzzle puzzle;
    for (std::size_t axis = 0; axis < kAxes.size(); ++axis)
        for (std::optional<ReadClue>& clue : clues[axis]) {
            ReadClues& found = axis == 0 ? puzzle.rows : puzzle.columns;
            const std::string name(kAxes[axis]);
            if (!clue)
                throw words.fault(
                    name + "_" + std::to_string(found.size() + 1) + " is missing",
                    std::to_string(clues[axis].size()) + " " + name + "s, as number_of_" + name + "s says");
            found.push_back(std::move(*clue));
        }
    list.add(std::move(puzzle));
}

}  // namespace nonocsp
