// What a board does. Board takes every puzzle; SmallBoard does the same faster for one colour and at most 64
// x 64 cells. Probing and backtracking are written once, for any PartialGrid.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// The candidates of each cell, as sets of cells by line and colour. A copy is independent. Candidates are
// only ever removed, except by `read`.
template <class G>
concept PartialGrid =
    std::copyable<G> && std::constructible_from<G, std::size_t, std::size_t, std::size_t> &&
    requires(const G grid, G narrowed, Axis axis, LineId line, Cell cell, Word candidates, std::size_t row,
             std::size_t word, std::span<const Word> cells, std::span<Word> out, void (*visit)(Cell)) {
        // The shape: lines of an axis, and colours with the background.
        { grid.lines(axis) } -> std::same_as<std::size_t>;
        { grid.colours() } -> std::same_as<std::size_t>;

        // The planes of a line, one a colour.
        grid.line(line);

        // The candidate set of a cell; the number of candidates of all cells.
        { grid.candidates(cell) } -> std::same_as<Word>;
        { grid.candidate_count() } -> std::same_as<std::size_t>;

        // The cells with several candidates: how many, those in a word of a row, all by rows.
        { grid.open_cells() } -> std::same_as<std::size_t>;
        { grid.open_in_row(row, word) } -> std::same_as<Word>;
        grid.for_each_open(visit);

        // Remove the candidates of a cell that are not in a set.
        narrowed.narrow_cell(cell, candidates);

        // Candidate sets row by row.
        narrowed.read(cells);
        grid.write(out);

        // Whether rows and columns tell the same, and the count is right. For assertions.
        { grid.planes_agree() } -> std::same_as<bool>;
    };

// The number of cells with a single candidate.
template <PartialGrid Grid>
std::int64_t decided_cells(const Grid& grid) {
    const std::size_t cells = grid.lines(Axis::kRow) * grid.lines(Axis::kColumn);
    return static_cast<std::int64_t>(cells - grid.open_cells());
}

// Whether hardly a cell is decided. Where line solving does not begin, what is open holds together.
template <PartialGrid Grid>
bool is_nearly_blank(const Grid& grid) {
    return 20 * grid.open_cells() > 19 * grid.lines(Axis::kRow) * grid.lines(Axis::kColumn);
}

// The candidate sets of all cells, row by row.
template <PartialGrid Grid>
std::vector<Word> candidate_sets(const Grid& grid) {
    std::vector<Word> cells(grid.lines(Axis::kRow) * grid.lines(Axis::kColumn));
    grid.write(cells);
    return cells;
}

// The grid of a puzzle with these candidate sets; with all, if there are none.
template <PartialGrid Grid>
Grid grid_of(const PuzzleClues& clues, std::span<const Word> cells = {}) {
    Grid grid(clues.rows.size(), clues.columns.size(), clues.colours);
    if (!cells.empty()) grid.read(cells);
    return grid;
}

// A candidate set to narrow a cell to.
struct Narrowing {
    Cell cell;
    Word candidates;
};

}  // namespace nonocsp
