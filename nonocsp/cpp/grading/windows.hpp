// Windows: where each block of a line can lie, found by pushing the blocks to both ends. Three ways, each
// sharper than the one before, all of them relaxations: a block's window holds every start that the block has
// in a placement of the clue. A push is linear in the cells; `anchored` repeats pushes until nothing moves,
// usually a few times. All take a line that some placement fits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// A maximal run of decided cells of one colour other than the background.
struct Run {
    int first, last;
    std::size_t colour;

    int length() const { return last - first + 1; }
};

// The earliest and the latest start of a block, and the block.
struct Window {
    int earliest, latest, length;
    std::size_t colour;
    bool operator==(const Window&) const = default;

    // The last cell that the block can cover.
    int last() const { return latest + length - 1; }

    // The cells latest..earliest + length - 1 are covered wherever the block lies.
    int certain_end() const { return earliest + length; }

    bool can_cover(const Run& run) const {
        return colour == run.colour &&
               std::max(earliest, run.last - length + 1) <= std::min(latest, run.first);
    }
};

// The runs of a line of candidate sets.
std::vector<Run> runs_of(std::span<const Word> cells);

// Pushes the blocks through an empty line.
std::vector<Window> bare_windows(const Clue& clue);

// Pushes the blocks past the walls, which are cells that cannot have the block's colour.
std::vector<Window> packed_windows(const Clue& clue, std::span<const Word> cells);

// Pushes the blocks past walls and runs, and holds them at the runs that they have to cover.
std::vector<Window> anchored_windows(const Clue& clue, std::span<const Word> cells,
                                     std::span<const Run> runs);

}  // namespace nonocsp
