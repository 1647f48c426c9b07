// Lists with words: the Olsaks' files in colour, and Bosch's.
#include <algorithm>
#include <array>
#include <utility>

#include "reading/list_parts.hpp"

namespace nonocsp {
namespace {

constexpr std::string_view kBackground = "0", kPlain = "1";
constexpr std::size_t kMostColours = 64;

// A letter, a colon, perhaps a character, blanks, a word, and perhaps a remark.
std::optional<ReadColour> colour_of(std::string_view text) {
    if (text.empty() || std::string_view("23456789,:").find(text[0]) != text.npos) return {};
    const std::size_t letter = character_at(text, 0);
    if (letter >= text.size() || text[letter] != ':') return {};
    std::string_view rest = text.substr(letter + 1);
    const std::size_t size = rest.empty() || blank_at(rest, 0) != 0 ? 0 : character_at(rest, 0);
    const std::string_view character = rest.substr(0, size);
    rest.remove_prefix(size);
    const Token word = first_word(rest);
    if (word.at == 0 || word.text.empty()) return {};
    return ReadColour{std::string(text.substr(0, letter)), std::string(character), std::string(word.text),
                      std::string(behind(word, rest))};
}

bool is_rgb(std::string_view word) {
    return (word.size() == 4 || word.size() == 7) &&
           word.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

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
        if (part_ < kRows) throw ReadFault{"no line starts with :", ": before the row clues", {}};
        if (part_ < kColumns) throw ReadFault{"the file ends", ": between row and column clues", last};
        if (part_ == kColumns && !sections_[1].empty() && is_blank(sections_[1].back().text))
            throw ReadFault{"the file ends with empty lines",
                            ": below the last clue, so that it is clear which empty lines are empty clues",
                            last};
        add();
    }

  private:
    enum Part { kComments, kColours, kRows, kColumns, kBehind };

    void take(const TextLine& line) {
        const char mark = line.text.size() > 1 && line.text[0] == '#' ? char(line.text[1] | 32) : '\0';
        if (line.text.starts_with(':')) {
            start_section(line);
        } else if (part_ >= kRows) {
            std::vector<TextLine>& section = sections_[part_ - kRows];
            if (section.size() >= kMostTextLines)
                throw ReadFault{"too many clues", "at most 4096, then :", {line.number, 0}};
            section.push_back(line);
        } else if (part_ == kColours && !is_blank(line.text)) {
            take_colour(line);
        } else if (mark == 't') {
            triddler_ = {line.number, 0};
        } else if (mark == 'd') {
            start_colours();
        }
    }

    void start_colours() {
        refuse_triddler();
        part_ = kColours;
        keys_.clear();
    }

    void start_section(const TextLine& line) {
        refuse_triddler();
        part_ = static_cast<Part>(std::max<int>(part_, kColours) + 1);
        if (part_ == kBehind) return;
        labels_[part_ - kRows] = trimmed(line.text.substr(1));
        if (part_ == kRows) return;
        if (!sections_[0].empty()) clue_of(sections_[0][0]);
        list_.believe(kStrong);
    }

    void refuse_triddler() const {
        if (triddler_.line == 0) return;
        list_.believe(kStrong);
        throw ReadFault{"a triddler, which is no rectangular nonogram", "a puzzle of rows and columns",
                        triddler_};
    }

    void take_colour(const TextLine& line) {
        const std::optional<ReadColour> colour = colour_of(trimmed(line.text));
        const auto refuse = [&](const std::string& message,
                                const char* expected =
                                    "a letter, :, a character and a colour, such as m:% "
                                    "blue or m:% #0000FF") {
            throw ReadFault{message, expected, {line.number, 0}};
        };
        if (!colour) return refuse(quoted(trimmed(line.text)) + " is no colour");
        list_.believe(kCertain);
        if (std::ranges::find(colours_, colour->key, &ReadColour::key) != colours_.end())
            refuse(quoted(colour->key) + " a second time");
        if (colour->word.find_first_of("/\\") != std::string::npos)
            refuse("triangles (" + quoted(colour->word) + ")", "cells of one colour");
        if (colour->word[0] == '#' && !is_rgb(colour->word))
            refuse(quoted(colour->word) + " is no colour", "#RRGGBB, such as #0000FF");
        if (colours_.size() == kMostColours) refuse("too many colours", "at most 63 beside the background");
        colours_.push_back(*colour);
        if (colour->key != kBackground) keys_.push_back(colour->key);
    }

    void add() {
        ReadPuzzle puzzle;
        for (const TextLine& line : sections_[0]) puzzle.rows.push_back(clue_of(line));
        for (const TextLine& line : sections_[1]) puzzle.columns.push_back(clue_of(line));
        puzzle.colours = std::move(colours_);
        if (starts_with_any(labels_[0], "cC") && starts_with_any(labels_[1], "rR")) {
            std::swap(puzzle.rows, puzzle.columns);
            list_.note("the clues of the columns are read first, as " + quoted(labels_[0]) + " says", {});
        }
        list_.add(std::move(puzzle));
    }

    ReadClue clue_of(const TextLine& line) const {
        ReadClue clue{{}, {}, {line.number, 1}};
        if (trimmed(line.text) == "0") return clue;
        clue.reserve(line.text.size());
        std::size_t at = 0;
        while (const std::optional<Token> token = next_token(line.text, at)) {
            const std::size_t digits =
                std::min(token->text.find_first_not_of("0123456789"), token->text.size());
            const std::string_view letter = token->text.substr(digits);
            const std::optional<std::int32_t> length = number_of(token->text.substr(0, digits));
            const auto key = std::ranges::find(keys_, letter.empty() ? kPlain : letter);
            if (!length || key == keys_.end() || clue.lengths.size() == kMostTextLines)
                refuse_block(line, *token);
            if (clue.lengths.empty()) clue.place = place_of(line, token->at);
            clue.lengths.push_back(*length);
            clue.colours.push_back(static_cast<std::int32_t>(key - keys_.begin()) + 1);
        }
        return clue;
    }

    [[noreturn]] void refuse_block(const TextLine& line, const Token& token) const {
        std::string letters;
        for (const std::string& key : keys_)
            if (key != kPlain) letters += (letters.empty() ? "" : " ") + key;
        if (!letters.empty()) letters = ", with one of the letters " + letters + " behind each length";
        throw ReadFault{quoted(token.text) + " is no block",
                        "a clue such as 3 1" + letters + "; an empty line for the empty clue",
                        place_of(line, token.at)};
    }

    const ListText& list_;
    Part part_ = kComments;
    TextPlace triddler_;
    std::vector<ReadColour> colours_;
    std::vector<std::string> keys_{std::string(kPlain)};  // of colours that clues may have
    std::array<std::string_view, 2> labels_;
    std::array<std::vector<TextLine>, 2> sections_;
};

// Bosch's file: words with a colon, then a number or as many as the one before says; a clue for each line, in
// any order.
class KeyedList {
  public:
    explicit KeyedList(const ListText& list) : list_(list), lines_(list.lines()) {}

    void read() {
        for (const std::size_t axis : {0U, 1U}) {
            const std::string key = "number_of_" + kAxes[axis] + "s:";
            if (const std::string_view word = take(key); word != key) throw fault(quoted(word), key);
            list_.believe(kCertain);
            const std::string_view number = take("a number");
            clues_[axis].resize(read_size(line_, number, "number of " + kAxes[axis] + "s"));
        }
        while (const std::optional<std::string_view> name = next()) {
            std::optional<ReadClue>* place = place_for(*name);
            *place = clue();
        }
        list_.add({all_of(0), all_of(1), {}, {}, {}, {}});
    }

  private:
    std::optional<std::string_view> next() {
        std::optional<Token> word;
        while (!(word = next_token(line_.text, at_))) {
            at_ = 0;
            if (TextLine line; lines_.next(line))
                line_ = line;
            else
                return std::nullopt;
        }
        return word->text;
    }

    ReadFault fault(std::string message, std::string expected) const {
        return {std::move(message), std::move(expected), {line_.number, 0}};
    }

    std::string_view take(const std::string& expected) {
        if (const std::optional<std::string_view> word = next()) return *word;
        throw fault("the file ends", expected);
    }

    std::int32_t take_number(const std::string& expected, const std::string& what, std::int32_t most) {
        const std::string_view word = take(expected);
        const std::int32_t number = number_of(word).value_or(-1);
        if (number < 0 || number > most) throw fault(quoted(word) + " is no " + what, expected);
        return number;
    }

    // Where the clue of row_1, column_1 and so on belongs.
    std::optional<ReadClue>* place_for(std::string_view name) {
        for (const std::size_t axis : {0U, 1U}) {
            const std::size_t start = kAxes[axis].size() + 1;
            if (!name.starts_with(kAxes[axis] + "_")) continue;
            const std::string_view digits = name.substr(start, name.find(':') - start);
            const auto number = static_cast<std::size_t>(number_of(digits).value_or(0));
            if (number >= 1 && number <= clues_[axis].size() && !clues_[axis][number - 1])
                return &clues_[axis][number - 1];
        }
        throw fault(quoted(name) + " is out of place",
                    "row_1, column_1 and so on, each line once and in the size");
    }

    ReadClue clue() {
        ReadClue clue{{}, {}, {line_.number, 0}};
        take("number_of_clusters:");
        const std::int32_t blocks =
            take_number("a number of blocks up to 4096", "number of blocks", kMostTextLines);
        take("size(s):");
        const std::string expected = std::to_string(blocks) + " lengths behind size(s):";
        for (std::int32_t i = 0; i < blocks; ++i)
            clue.lengths.push_back(take_number(expected, "block length", 999'999'999));
        clue.colours.assign(clue.lengths.size(), 1);
        return clue;
    }

    ReadClues all_of(std::size_t axis) const {
        ReadClues all;
        for (const std::optional<ReadClue>& clue : clues_[axis]) {
            if (!clue)
                throw fault(
                    kAxes[axis] + "_" + std::to_string(all.size() + 1) + " is missing",
                    count_of(clues_[axis].size(), kAxes[axis]) + "s, as number_of_" + kAxes[axis] + "s says");
            all.push_back(*clue);
        }
        return all;
    }

    const ListText& list_;
    const std::array<std::string, 2> kAxes{"row", "column"};
    TextLines lines_;
    TextLine line_{{}, 1, 0};
    std::size_t at_ = 0;
    std::array<std::vector<std::optional<ReadClue>>, 2> clues_;
};

}  // namespace

void read_colon_list(const ListText& list) { ColonList(list).read(); }

void read_keyed_list(const ListText& list) { KeyedList(list).read(); }

}  // namespace nonocsp
