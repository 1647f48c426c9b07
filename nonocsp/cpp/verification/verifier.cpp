#include "verification/verifier.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace nonocsp::verification {
namespace {

void check(const StatedClues& clues) {
    const auto& offsets = clues.offsets;
    bool fits = !offsets.empty() && offsets.front() == 0 && clues.colours.size() == clues.lengths.size() &&
                static_cast<std::size_t>(offsets.back()) == clues.lengths.size();
    for (std::size_t i = 1; i < offsets.size(); ++i) fits = fits && offsets[i - 1] <= offsets[i];
    if (!fits) throw std::invalid_argument("the offsets of the clues do not index their blocks");
}

// Cells of one line, `stride` apart.
struct CellsOfLine {
    const std::uint64_t* first;
    std::size_t stride, length;

    std::uint64_t operator[](std::size_t i) const { return first[i * stride]; }
};

// Writes where the maximal runs of equal cells end; returns their number. Without branches: where runs end is
// hard to predict.
std::size_t ends_of_runs(const CellsOfLine& cells, std::vector<std::size_t>& ends) {
    std::size_t runs = 0;
    for (std::size_t i = 1; i < cells.length; ++i) {
        ends[runs] = i;
        runs += cells[i] != cells[i - 1] ? 1 : 0;
    }
    ends[runs] = cells.length;
    return runs + 1;
}

bool has_clue(const CellsOfLine& cells, const StatedClues& clues, std::size_t line,
              std::vector<std::size_t>& ends) {
    auto block = static_cast<std::size_t>(clues.offsets[line]);
    const auto last = static_cast<std::size_t>(clues.offsets[line + 1]);
    const std::size_t runs = ends_of_runs(cells, ends);
    for (std::size_t run = 0, start = 0; run < runs; start = ends[run++]) {
        const std::uint64_t cell = cells[start];
        if (cell == 0 || (cell & (cell - 1)) != 0) return false;
        if (cell == 1) continue;  // background
        if (block == last || clues.colours[block] != std::countr_zero(cell)) return false;
        if (static_cast<std::size_t>(clues.lengths[block]) != ends[run] - start) return false;
        ++block;
    }
    return block == last;
}

}  // namespace

std::vector<WrongLine> wrong_lines(const StatedClues& rows, const StatedClues& columns,
                                   std::span<const std::uint64_t> cells) {
    check(rows);
    check(columns);
    const std::size_t height = rows.lines(), width = columns.lines();
    if (cells.size() != height * width)
        throw std::invalid_argument("the grid has another shape than the puzzle");
    std::vector<WrongLine> wrong;
    std::vector<std::size_t> ends(std::max(height, width));
    for (std::size_t row = 0; row < height && width > 0; ++row)
        if (!has_clue({&cells[row * width], 1, width}, rows, row, ends)) wrong.push_back({false, row});
    for (std::size_t column = 0; column < width && height > 0; ++column)
        if (!has_clue({&cells[column], width, height}, columns, column, ends))
            wrong.push_back({true, column});
    return wrong;
}

}  // namespace nonocsp::verification
