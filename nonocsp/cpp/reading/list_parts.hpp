// What the readers of the dialects have in common.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reading/clue_text.hpp"
#include "reading/lists.hpp"

namespace nonocsp {

struct ListSize {
    std::size_t rows = 0;
    std::size_t columns = 0;
};

// Where a reader of a dialect works: the text, what was asked, and what is found.
struct ListText {
    const ListDialect& dialect;
    std::string_view text;
    const ListRequest& request;
    ListReading& found;

    TextLines lines() const { return TextLines(text, request.first_line); }
    bool is_comment(std::string_view line) const { return starts_with_any(line, dialect.comments); }
    void note(std::string message, TextPlace place) const {
        found.reading.notes.push_back({std::move(message), place});
    }
    // The puzzle that starts here is left for the next text.
    void leave(const TextLine& line) const {
        found.used = line.start;
        found.line = line.number;
    }
    void believe(Sureness sureness) const { found.sureness = std::max(found.sureness, sureness); }
    void add(ReadPuzzle puzzle) const { found.reading.puzzles.push_back(std::move(puzzle)); }
};

// One reader for each kind of list; they throw a ReadFault.
void read_sized_list(const ListText& list);
void read_parted_list(const ListText& list);
void read_counted_list(const ListText& list);
void read_numbered_lists(const ListText& list);
void read_grids(const ListText& list);
void read_colon_list(const ListText& list);
void read_keyed_list(const ListText& list);

// A number of rows or columns.
std::size_t read_size(const TextLine& line, std::string_view word, std::string_view what);

// The lines without blank ones at the end that are too many.
std::vector<TextLine> without_spare_blanks(std::vector<TextLine> lines, std::size_t expected);

// The clues of the first lines, at most so many.
ReadClues read_clues(std::span<const TextLine> lines, std::size_t most);

// Appends the empty last clue of a file that lost its last newline; the first `middle` clues are of one axis.
void restore_lost_clue(ReadClues& clues, std::size_t expected, std::size_t middle);

// Whether the first `middle` clues fit the others.
bool fits_at(std::span<const ReadClue> clues, std::size_t middle);

// The puzzle of some clues; the first `middle` belong to the rows, or to the columns. If they describe no
// puzzle until the number before each clue is left out as its count, a note says so. If both readings
// describe one, the numbers stay, and a note says that, too.
ReadPuzzle puzzle_of(const ListText& list, ReadClues clues, std::size_t middle, bool columns_first = false);

// The same without a look at counts.
ReadPuzzle split_clues(ReadClues clues, std::size_t middle, bool columns_first = false);

}  // namespace nonocsp
