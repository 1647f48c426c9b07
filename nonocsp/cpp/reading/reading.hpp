// What a text of clues says: the clues with their places, or where reading stopped and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nonocsp {

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
    TextPlace place;
};

struct Reading {
    std::vector<ReadPuzzle> puzzles;
    std::vector<ReadNote> notes;
    std::optional<ReadFault> fault;  // behind the last puzzle
};

}  // namespace nonocsp
