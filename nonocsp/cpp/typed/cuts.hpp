// Cuts the numbers of typed text into clues, in every way that its separators allow, and keeps the puzzles
// whose rows and columns have as many cells and whose clues fit their lines.
#pragma once

#include <cstdint>
#include <vector>

#include "typed/sections.hpp"

namespace nonocsp {

// What had to be assumed, the least first. A puzzle is only taken if none needs less strain.
enum class Strain : std::uint8_t {
    kNone,
    kSplit,   // only the sums tell where the columns start
    kMatrix,  // the numbers of a column stand one below the other
};

struct TypedPuzzle {
    ReadPuzzle clues;
    Strain strain = Strain::kNone;
    bool is_counted = false;     // each clue starts with how many numbers follow
    bool columns_first = false;  // without labels
    bool has_labels = false;     // of rows or columns
};

// The puzzles that need least strain, each once.
struct Candidates {
    std::vector<TypedPuzzle> puzzles;
    Strain strain = Strain::kMatrix;

    void add(TypedPuzzle puzzle);
};

bool has_same_clues(const ReadPuzzle& a, const ReadPuzzle& b);

// The clues of a section as far as it is clear how its numbers are separated; empty if it is not.
std::vector<ReadClue> likely_clues(const Section& section);

void find_puzzles(const Sections& sections, Candidates& found);

}  // namespace nonocsp
