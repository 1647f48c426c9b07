#include "mdd/mdd_search.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

#include "grid/propagator.hpp"

namespace nonocsp {
namespace {

using Lines = std::vector<Diagram::Line>;

// The most bits that the nodes of the inner lines' diagrams can take together after an outer line.
double frontier_bits(const Lines& outer, const Lines& inner) {
    std::vector<double> bits(outer.size());
    for (const Diagram::Line& line : inner)
        for (std::size_t level = 0; level < line.diagram->levels.size(); ++level) {
            const auto at =
                std::ranges::lower_bound(outer, line.diagram->cells[level], {}, &Diagram::Line::position);
            bits[static_cast<std::size_t>(at - outer.begin())] +=
                std::log2(static_cast<double>(line.diagram->levels[level].size()));
        }
    return std::ranges::max(bits);
}

}  // namespace

void MddSearch::build(Watch& watch) {
    if (is_built_) return;
    const PuzzleClues& puzzle = clues();
    Board board = grid_of<Board>(puzzle);
    Propagator propagator(puzzle);
    propagator.touch_all();
    is_unsat_ = propagator.to_fixpoint(board, watch).has_value();
    if (!is_unsat_) {
        cells_ = candidate_sets(board);
        split(board, watch);
        is_split_ = true;
        for (Part& part : parts_) {
            part.diagram->build(watch);
            is_unsat_ |= part.diagram->root() == Diagram::kFalse;
        }
    }
    is_built_ = true;
}

void MddSearch::split(const Board& board, Watch& watch) {
    const std::size_t rows = board.lines(Axis::kRow);
    const LineNumbers number(rows);
    std::vector<std::size_t> parent(rows + board.lines(Axis::kColumn));
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t line) {
        while (parent[line] != line) line = parent[line];
        return line;
    };
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        lines_.emplace_back();
        for (std::size_t i = 0; i < board.lines(axis); ++i) {
            watch.check();
            std::vector<Word> candidates;
            for (std::size_t k = 0; k < board.length(axis); ++k)
                candidates.push_back(board.candidates(cell_of({axis, i}, k)));
            lines_.back().push_back(line_diagram(clues()[{axis, i}], candidates));
            if (axis == Axis::kRow)
                for (const std::size_t cell : lines_.back().back().cells)
                    parent[root(number({Axis::kColumn, cell}))] = root(i);
        }
    }
    std::map<std::size_t, std::array<Lines, 2>> groups;
    for (std::size_t line = 0; line < parent.size(); ++line) {
        const auto [axis, position] = number.line(line);
        const LineDiagram& diagram = lines_[index(axis)][position];
        if (!diagram.cells.empty()) groups[root(line)][index(axis)].push_back({position, &diagram});
    }
    for (auto& [_, lines] : groups) {
        const bool by_rows = frontier_bits(lines[0], lines[1]) <= frontier_bits(lines[1], lines[0]);
        const Axis outer = by_rows ? Axis::kRow : Axis::kColumn;
        auto diagram =
            std::make_unique<Diagram>(std::move(lines[index(outer)]),
                                      std::move(lines[index(crossing(outer))]), max_bytes_ / groups.size());
        parts_.push_back({outer, std::move(diagram), {}, {}});
    }
}

bool MddSearch::next(Watch& watch, std::span<Word> cells) {
    build(watch);
    watch.check();
    if (is_unsat_) return false;
    if (!is_started_) {
        for (Part& part : parts_) descend(part, part.diagram->root());
    } else {
        const auto moved = std::ranges::find_if(parts_, advance);
        if (moved == parts_.end()) return false;
        for (auto part = parts_.begin(); part != moved; ++part) descend(*part, part->diagram->root());
    }
    is_started_ = true;
    std::ranges::copy(cells_, cells.begin());
    for (const Part& part : parts_)
        for (std::size_t level = 0; level < part.path.size(); ++level) {
            auto [row, column] = part.diagram->cell(level);
            if (part.outer == Axis::kColumn) std::swap(row, column);
            const std::uint32_t colour =
                part.takes_block[level] ? part.diagram->node(part.path[level]).colour : 0;
            cells[row * clues().columns.size() + column] = Word{1} << colour;
        }
    return true;
}

// Goes on to the last level from a node that is not false, by the first branch that leads there.
void MddSearch::descend(Part& part, Diagram::NodeId node) {
    if (node == part.diagram->root()) {
        part.path.clear();
        part.takes_block.clear();
    }
    while (node != Diagram::kTrue) {
        assert(node != Diagram::kFalse);
        const Diagram::Node& at = part.diagram->node(node);
        part.path.push_back(node);
        part.takes_block.push_back(at.background == Diagram::kFalse);
        node = part.takes_block.back() ? at.block : at.background;
    }
}

// Moves to the next path; false after the last one, which leaves no path.
bool MddSearch::advance(Part& part) {
    while (!part.path.empty()) {
        const Diagram::Node& at = part.diagram->node(part.path.back());
        if (!part.takes_block.back() && at.block != Diagram::kFalse) {
            part.takes_block.back() = true;
            descend(part, at.block);
            return true;
        }
        part.path.pop_back();
        part.takes_block.pop_back();
    }
    return false;
}

Natural MddSearch::count(Watch& watch) {
    build(watch);
    return at_least(true);
}

Natural MddSearch::at_least(bool solvable) const {
    if (is_unsat_) return Natural();
    if (!is_split_) return Natural(solvable);
    Natural product(1);
    for (const Part& part : parts_) {
        const Natural bound = part.diagram->at_least();
        product = product * (bound.is_zero() ? Natural(solvable) : bound);
    }
    return product;
}

Statistics MddSearch::statistics() const {
    std::size_t open_cells = 0, states = 0, nodes = 0, widest = 0;
    for (const Part& part : parts_) {
        open_cells += part.diagram->levels();
        states += part.diagram->states();
        nodes += part.diagram->nodes();
        widest = std::max(widest, part.diagram->widest());
    }
    const auto figure = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    return {{"open_cells", figure(open_cells)},
            {"components", figure(parts_.size())},
            {"states", figure(states)},
            {"nodes", figure(nodes)},
            {"width", figure(widest)}};
}

}  // namespace nonocsp
