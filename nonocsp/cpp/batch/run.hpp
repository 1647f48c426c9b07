// Runs a method on one puzzle up to the solutions that are wanted, and verifies each of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "line/clue.hpp"
#include "search/search.hpp"

namespace nonocsp {

// A puzzle as a caller hands it over; another thread compiles it.
struct OwnedPuzzle {
    OwnedClues rows, columns;
    std::size_t colours;  // the background included
};

// What is asked of every puzzle.
struct Question {
    std::size_t wanted;             // solutions
    std::optional<double> seconds;  // of wall time, for each puzzle
};

enum class End {
    kSettled,      // the wanted solutions, or all there are
    kInterrupted,  // told to stop, or the time is over
    kUnsupported,  // beyond the method
    kMemory,
    kWrong,  // a grid failed verification, or came twice
    kFault,  // any other exception
};

// What came of a puzzle. Solutions that were verified before the end stay.
struct Finding {
    std::size_t rows = 0, columns = 0;
    std::vector<std::vector<Word>> solutions = {};  // candidate sets, row by row
    std::vector<Word> partial = {};                 // where an incomplete method got stuck; else empty
    std::vector<Word> wrong = {};                   // the grid that failed verification; else empty
    bool is_exhausted = false;                      // there are no other solutions
    End end = End::kSettled;
    std::string message = {};  // of the exception
    Statistics statistics = {};
    double wall = 0, cpu = 0;  // seconds, without verification
};

// Whose processor time a run takes: that of its thread, or of all threads that its search may start.
enum class CpuOf { kThread, kProcess };

// Only what the watch's own callback throws passes through.
Finding run(const Method& method, const OwnedPuzzle& puzzle, const Question& question, Watch& watch,
            CpuOf cpu);

}  // namespace nonocsp
