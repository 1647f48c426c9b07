// Switches: the corners a b over b a of two rows and two columns, any distance apart, that change places and
// leave all four clues as they are. Many a puzzle of several solutions has two that differ by a switch, found
// at once from the first one, where a search for the second may take long. Any colours, any size.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "bits.hpp"

namespace nonocsp {

struct Switch {
    std::size_t top, bottom, left, right;

    // Makes another solution of a solution of the same puzzle, both as candidate sets row by row.
    void apply(std::span<Word> cells, std::size_t columns) const;
};

// A switch of a solution, given as candidate sets row by row; none if it has none. Cost: a look at every two
// cells of a row between which the row's runs stay what they are, which are few, and O(line) for a match.
std::optional<Switch> find_switch(std::span<const Word> cells, std::size_t columns);

}  // namespace nonocsp
