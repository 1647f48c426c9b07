#include "switches.hpp"

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace nonocsp {
namespace {

using Colours = std::vector<std::uint8_t>;

struct Run {
    std::size_t colour, length, end;  // colour 0: there is none left
};

// The first run at or after a cell.
Run next_run(const Colours& line, std::size_t cell) {
    while (cell < line.size() && line[cell] == 0) ++cell;
    if (cell == line.size()) return {0, 0, cell};
    std::size_t end = cell;
    while (end < line.size() && line[end] == line[cell]) ++end;
    return {line[cell], end - cell, end};
}

// Where, on `changed`, its first run ends that is not that of `line`; none if both have the same clue. They
// differ in the cells `first` and `last` only.
std::optional<std::size_t> first_difference(const Colours& line, const Colours& changed, std::size_t first,
                                            std::size_t last) {
    std::size_t begin = first;  // of a run that both have in common up to there
    while (begin > 0 && line[begin - 1] != 0) --begin;
    Run run{0, 0, begin}, changed_run = run;
    do {
        run = next_run(line, run.end);
        changed_run = next_run(changed, changed_run.end);
        if (run.colour != changed_run.colour || run.length != changed_run.length) return changed_run.end;
        if (run.end == changed_run.end && run.end > last) return std::nullopt;  // what follows is the same
    } while (run.colour != 0);
    return std::nullopt;
}

// Two cells of a row that can change places, by their columns and what they are.
struct Exchange {
    std::size_t left, right;
    std::uint8_t left_colour, right_colour;
    std::size_t row;
    auto operator<=>(const Exchange&) const = default;
};

// Finds what may take the place of one cell. Once a run before the other cell is wrong, all that follow are.
// `changed` is the line, before and after.
void append_exchanges(const Colours& line, Colours& changed, std::size_t row, std::size_t left,
                      std::uint8_t colour, std::vector<Exchange>& exchanges) {
    changed[left] = colour;
    for (std::size_t right = left + 1; right < line.size(); ++right) {
        if (line[right] != colour) continue;
        changed[right] = line[left];
        const auto difference = first_difference(line, changed, left, right);
        changed[right] = colour;
        if (!difference) exchanges.push_back({left, right, line[left], colour, row});
        if (difference && *difference < right) break;
    }
    changed[left] = line[left];
}

// All exchanges of all rows, those of the same cells and colours side by side.
std::vector<Exchange> exchanges_of(const std::vector<Colours>& rows) {
    std::vector<Exchange> exchanges;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Colours colours = rows[row], changed = rows[row];
        std::ranges::sort(colours);
        colours.erase(std::ranges::unique(colours).begin(), colours.end());
        for (std::size_t left = 0; left < changed.size(); ++left)
            for (const std::uint8_t colour : colours)
                if (colour != rows[row][left])
                    append_exchanges(rows[row], changed, row, left, colour, exchanges);
    }
    std::ranges::sort(exchanges);
    return exchanges;
}

// Whether a column keeps its clue when two of its cells change places.
bool keeps_clue(const std::vector<Colours>& rows, std::size_t column, std::size_t top, std::size_t bottom) {
    Colours line;
    for (const Colours& row : rows) line.push_back(row[column]);
    Colours changed = line;
    std::swap(changed[top], changed[bottom]);
    return !first_difference(line, changed, top, bottom);
}

}  // namespace

void Switch::apply(std::span<Word> cells, std::size_t columns) const {
    for (const std::size_t column : {left, right})
        std::swap(cells[top * columns + column], cells[bottom * columns + column]);
}

std::optional<Switch> find_switch(std::span<const Word> cells, std::size_t columns) {
    std::vector<Colours> rows(cells.size() / columns, Colours(columns));
    for (std::size_t i = 0; i < cells.size(); ++i)
        rows[i / columns][i % columns] = static_cast<std::uint8_t>(std::countr_zero(cells[i]));
    const std::vector<Exchange> exchanges = exchanges_of(rows);
    for (const Exchange& one : exchanges) {
        const Exchange opposite{one.left, one.right, one.right_colour, one.left_colour, 0};
        for (auto other = std::ranges::lower_bound(exchanges, opposite); other != exchanges.end(); ++other) {
            if (other->left != one.left || other->right != one.right ||
                other->left_colour != one.right_colour || other->right_colour != one.left_colour)
                break;
            const auto [top, bottom] = std::minmax(one.row, other->row);
            if (keeps_clue(rows, one.left, top, bottom) && keeps_clue(rows, one.right, top, bottom))
                return Switch{top, bottom, one.left, one.right};
        }
    }
    return std::nullopt;
}

}  // namespace nonocsp
