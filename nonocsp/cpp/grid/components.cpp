#include "grid/components.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>

#include "line/settler.hpp"

namespace nonocsp {
namespace {

// The cells that a block may have on a line, and whether it may lie in several places.
struct Range {
    std::size_t begin, end;
    bool moves;
};

struct Rectangle {
    std::size_t top, bottom, left, right;  // the last two lines are beyond it

    bool holds(Cell cell) const {
        return top <= cell.row && cell.row < bottom && left <= cell.column && cell.column < right;
    }
    void add(Cell cell) {
        top = std::min(top, cell.row);
        bottom = std::max(bottom, cell.row + 1);
        left = std::min(left, cell.column);
        right = std::max(right, cell.column + 1);
    }
};

// Sets of cells, by number, that only merge.
class CellSets {
  public:
    explicit CellSets(std::size_t cells) : parent_(cells) { std::iota(parent_.begin(), parent_.end(), 0U); }

    std::uint32_t root(std::size_t cell) {
        while (parent_[cell] != cell) cell = parent_[cell] = parent_[parent_[cell]];
        return static_cast<std::uint32_t>(cell);
    }
    // Whether they were apart.
    bool join(std::size_t a, std::size_t b) {
        const std::uint32_t above = root(a), below = root(b);
        parent_[below] = above;
        return above != below;
    }

  private:
    std::vector<std::uint32_t> parent_;
};

class Splitter {
  public:
    Splitter(const PuzzleClues& clues, const Board& board)
        : clues_(clues), board_(board), columns_(clues.columns.size()), sets_(clues.rows.size() * columns_) {
        for (const Axis axis : {Axis::kRow, Axis::kColumn}) read_ranges(axis);
        for (const Axis axis : {Axis::kRow, Axis::kColumn})
            for (std::size_t i = 0; i < clues.of(axis).size(); ++i) join_along({axis, i});
    }

    std::vector<Component> split() {
        while (join_overlapping()) {
        }
        std::vector<Component> found;
        for (const auto& [root, rectangle] : rectangles()) {
            auto of_rows = clues_within(Axis::kRow, rectangle),
                 of_columns = clues_within(Axis::kColumn, rectangle);
            Component component{
                std::make_unique<PuzzleClues>(of_rows.view(), of_columns.view(), clues_.colours),
                Board(rectangle.bottom - rectangle.top, rectangle.right - rectangle.left, clues_.colours),
                {rectangle.top, rectangle.left},
                0,
                {std::move(of_rows.firsts), std::move(of_columns.firsts)}};
            component.board = cut_out(board_, component);
            component.open_cells = component.board.open_cells();
            found.push_back(std::move(component));
        }
        std::ranges::stable_sort(found, {}, &Component::open_cells);
        return found;
    }

  private:
    // The blocks of some lines.
    struct Blocks : OwnedClues {
        std::vector<std::size_t> firsts;  // of each line, in the whole puzzle
    };

    std::size_t number(Cell cell) const { return cell.row * columns_ + cell.column; }
    bool is_open(Cell cell) const {
        return (board_.open_in_row(cell.row, cell.column / kWordBits) >> cell.column % kWordBits & 1) != 0;
    }

    void read_ranges(Axis axis) {
        const Clues& clues = clues_.of(axis);
        const std::unique_ptr<Settler> settler = make_settler(clues.line_length());
        const std::size_t words = words_for(clues.line_length());
        std::vector<Word> starts;
        for (std::size_t i = 0; i < clues.size(); ++i) {
            const Clue& clue = clues[i];
            starts.assign(clue.blocks.size() * words, 0);
            [[maybe_unused]] const bool fits = settler->starts(clue, board_.line({axis, i}), starts);
            assert(fits);
            std::vector<Range>& ranges = ranges_[index(axis)].emplace_back();
            for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
                const Word* of_block = &starts[j * words];
                const std::size_t first = lowest(of_block), last = highest(of_block, words);
                ranges.push_back({first, last + clue.blocks[j].length(), first < last});
            }
        }
    }

    // Joins the open cells of each run of blocks that depend on each other.
    void join_along(LineId line) {
        const std::span<const Block> blocks = clues_[line].blocks;
        const std::vector<Range>& ranges = ranges_[index(line.axis)][line.position];
        for (std::size_t j = 0, end; j < blocks.size(); j = end) {
            std::size_t beyond = ranges[j].end;
            for (end = j + 1; end < blocks.size() && ranges[end].moves && ranges[end - 1].moves; ++end) {
                if (ranges[end].begin >= beyond + (blocks[end].colour == blocks[end - 1].colour)) break;
                beyond = ranges[end].end;
            }
            if (!ranges[j].moves) continue;
            std::optional<Cell> first;
            for (std::size_t i = ranges[j].begin; i < beyond; ++i) {
                const Cell cell = cell_of(line, i);
                if (!is_open(cell)) continue;
                if (!first) first = cell;
                sets_.join(number(*first), number(cell));
            }
        }
    }

    std::map<std::uint32_t, Rectangle> rectangles() {
        std::map<std::uint32_t, Rectangle> found;
        board_.for_each_open([&](Cell cell) {
            found.try_emplace(sets_.root(number(cell)), Rectangle{cell.row, 0, cell.column, 0})
                .first->second.add(cell);
        });
        return found;
    }

    // Joins each component with those that have a cell in its rectangle; whether there were any.
    bool join_overlapping() {
        bool any = false;
        for (const auto& [root, rectangle] : rectangles())
            for (std::size_t row = rectangle.top; row < rectangle.bottom; ++row)
                for (std::size_t column = rectangle.left; column < rectangle.right; ++column)
                    if (is_open({row, column})) any |= sets_.join(root, number({row, column}));
        return any;
    }

    // The clues of the lines of a rectangle: the blocks that move within it, and the known cells of the
    // others.
    Blocks clues_within(Axis axis, const Rectangle& rectangle) const {
        const bool is_row = axis == Axis::kRow;
        const std::size_t first = is_row ? rectangle.top : rectangle.left;
        const std::size_t last = is_row ? rectangle.bottom : rectangle.right;
        const std::size_t begin = is_row ? rectangle.left : rectangle.top;
        const std::size_t end = is_row ? rectangle.right : rectangle.bottom;
        Blocks blocks;
        for (std::size_t i = first; i < last; ++i) {
            const Clue& clue = clues_.of(axis)[i];
            for (std::size_t j = 0; j < clue.blocks.size(); ++j) {
                const Range& range = ranges_[index(axis)][i][j];
                const std::size_t from = std::max(range.begin, begin), to = std::min(range.end, end);
                if (from >= to) continue;
                if (blocks.firsts.size() == i - first) blocks.firsts.push_back(j);
                assert(!range.moves || (from == range.begin && to == range.end));
                blocks.add_block(static_cast<std::int32_t>(range.moves ? clue.blocks[j].length() : to - from),
                                 clue.blocks[j].colour);
            }
            blocks.firsts.resize(i - first + 1);  // a line without blocks has no first one
            blocks.end_line();
        }
        return blocks;
    }

    const PuzzleClues& clues_;
    const Board& board_;
    std::size_t columns_;
    CellSets sets_;
    std::array<std::vector<std::vector<Range>>, 2> ranges_;  // [axis][line][block]
};

}  // namespace

std::vector<Component> components_of(const PuzzleClues& clues, const Board& board) {
    return Splitter(clues, board).split();
}

Board cut_out(const Board& board, const Component& component) {
    const std::size_t rows = component.board.lines(Axis::kRow),
                      columns = component.board.lines(Axis::kColumn);
    std::vector<Word> cells;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            cells.push_back(board.candidates({component.first.row + row, component.first.column + column}));
    Board cut(rows, columns, board.colours());
    cut.read(cells);
    return cut;
}

}  // namespace nonocsp
