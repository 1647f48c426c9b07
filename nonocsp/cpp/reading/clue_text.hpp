// The letters of clue texts: lines and their numbers, words, lengths, and how messages quote them; and what a
// text says: its clues with their places, or where reading stopped and why.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nonocsp {

// Rows, columns, and blocks of a clue: LINES of nonocsp/model/bounds.py.
constexpr std::size_t kMostTextLines = 4096;

// Both count from 1, columns in characters; 0 is unknown.
struct TextPlace {
    std::int32_t line = 0;
    std::int32_t column = 0;
};

// The blocks of one line of the grid, and where they stand. Colours index the palette of the file, from 1.
struct ReadClue {
    std::vector<std::int32_t> lengths;
    std::vector<std::int32_t> colours;
    TextPlace place;

    // Makes room for the blocks of a text of so many characters.
    void reserve(std::size_t characters) {
        const std::size_t most = std::min(characters / 2 + 1, kMostTextLines);
        lengths.reserve(most);
        colours.reserve(most);
    }
};

// Something that the reader assumed or left out.
struct ReadNote {
    std::string message;
    TextPlace place;
};

// Why a text cannot be read: what is wrong, where, and what was expected there.
struct ReadFault {
    std::string message;
    std::string expected;
    TextPlace place;
};

// What a text says of a colour: how clues call it, the character in pictures, its name or #RRGGBB, and a
// remark.
struct ReadColour {
    std::string key;
    std::string character;
    std::string word;
    std::string remark;
};

struct ReadPuzzle {
    std::vector<ReadClue> rows;
    std::vector<ReadClue> columns;
    std::string title;
    std::vector<ReadColour> colours;  // declared ones, in the order of the palette; "0" is the background
    std::string advice;               // what might be meant, if the clues describe no puzzle
    std::vector<std::string> goal;    // a string a row, '#' and '.', empty if the text has none
};

struct Reading {
    std::vector<ReadPuzzle> puzzles;
    std::vector<ReadNote> notes;
    std::optional<ReadFault> fault;  // behind the last puzzle
};

// A line without its end: LF, CRLF or CR.
struct TextLine {
    std::string_view text;
    std::int32_t number = 0;
    std::size_t start = 0;  // bytes of the text before it
};

class TextLines {
  public:
    explicit TextLines(std::string_view text, std::int32_t first = 1);

    bool next(TextLine& line);

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::int32_t number_;
};

// Bytes of the blank character there, 0 if it is none; as in Python, no-break and wide blanks count.
std::size_t blank_at(std::string_view text, std::size_t at);

// Bytes of the character there, and the number of a character in Unicode.
std::size_t character_at(std::string_view text, std::size_t at);
std::uint32_t code_point(std::string_view character);

std::string_view trimmed(std::string_view text);

inline bool is_blank(std::string_view text) { return trimmed(text).empty(); }

inline bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Whether the first character that is no blank is one of these.
bool starts_with_any(std::string_view text, std::string_view characters);

// A word between blanks and commas, and where it starts in its text.
struct Token {
    std::string_view text;
    std::size_t at = 0;
};

// The next word from `at` on, which moves behind it.
std::optional<Token> next_token(std::string_view text, std::size_t& at);

// The first word, empty if there is none, and what follows it.
Token first_word(std::string_view text);
std::string_view behind(const Token& word, std::string_view text);

// "3 clues"
inline std::string count_of(std::size_t count, std::string_view what) {
    return std::to_string(count) + " " + std::string(what);
}

// A number of one to nine digits.
std::optional<std::int32_t> number_of(std::string_view word);

// Where a byte of a line stands, in characters.
TextPlace place_of(const TextLine& line, std::size_t at);

// The text in quotes, shortened, with hidden characters as escapes.
std::string quoted(std::string_view text);

// The one-colour clue that a line has from a byte on: lengths between blanks or commas; nothing, 0 or [] is
// the empty one. Throws a ReadFault.
ReadClue read_lengths(const TextLine& line, std::size_t from = 0);

// Whether the sums of each colour agree, and each clue fits its line: without this, there is no puzzle.
bool clues_fit(std::span<const ReadClue> rows, std::span<const ReadClue> columns);

using ReadClues = std::vector<ReadClue>;

// Whether the first number of a clue, if it has one, says how many follow.
bool has_count(const ReadClue& clue);

// The clues without these numbers; none unless each has one.
ReadClues without_counts(const ReadClues& clues);

std::int64_t cells_of(std::span<const ReadClue> clues);

}  // namespace nonocsp
