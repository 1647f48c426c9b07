#include "backtracking.hpp"

#include <algorithm>
#include <array>

namespace nonocsp {
namespace {

// The first open cell of the line that has the fewest.
template <class Board>
Cell most_constrained(const Board& board) {
    std::array<std::vector<std::size_t>, 2> open{std::vector<std::size_t>(board.lines(Axis::kRow)),
                                                 std::vector<std::size_t>(board.lines(Axis::kColumn))};
    board.for_each_open([&](Cell cell) {
        ++open[0][cell.row];
        ++open[1][cell.column];
    });
    Cell best{};
    std::size_t fewest = SIZE_MAX;
    board.for_each_open([&](Cell cell) {
        const std::size_t fewer = std::min(open[0][cell.row], open[1][cell.column]);
        if (fewer < fewest) {
            fewest = fewer;
            best = cell;
        }
    });
    return best;
}

}  // namespace

template <class Board>
bool BacktrackingTree<Board>::narrow(Node& node, std::vector<Node>& found, Watch& watch) {
    if (!is_started_) propagator_.touch_all();
    is_started_ = true;
    if (node.assumed) propagator_.narrow_cell(node.board, node.assumed->cell, node.assumed->candidates);
    if (propagator_.to_fixpoint(node.board, watch)) {
        ++dead_ends_;
        return false;
    }
    if (node.board.candidate_count() > cells_) return true;
    found.push_back(node);
    return false;
}

template <class Board>
auto BacktrackingTree<Board>::branches(const Node& node, Watch&) -> std::vector<Branch> {
    if (dead_ends_ > allowed_) throw BudgetSpent();
    const Cell cell = most_constrained(node.board);
    std::vector<Branch> branches;
    for_each_cell(node.board.candidates(cell), 0,
                  [&](std::size_t colour) { branches.push_back({cell, Word{1} << colour}); });
    std::ranges::reverse(branches);  // a block decides more than the background
    return branches;
}

// A search on boards of some type.
class BacktrackingSearch::Way {
  public:
    virtual ~Way() = default;
    virtual bool next(Watch& watch, std::span<Word> cells) = 0;
    virtual Statistics statistics() const = 0;
};

template <class Board>
class BacktrackingSearch::WayOf final : public Way {
  public:
    WayOf(const PuzzleClues& clues, std::size_t dead_ends)
        : tree_(clues, dead_ends),
          search_(tree_, {Board(clues.rows.size(), clues.columns.size(), clues.colours)}) {}

    bool next(Watch& watch, std::span<Word> cells) override {
        const auto* node = search_.next(watch);
        if (node != nullptr) node->board.write(cells);
        return node != nullptr;
    }

    Statistics statistics() const override {
        return {{"nodes", static_cast<std::int64_t>(search_.nodes())}, {"settles", tree_.settles()}};
    }

  private:
    BacktrackingTree<Board> tree_;
    DepthFirst<BacktrackingTree<Board>> search_;
};

BacktrackingSearch::BacktrackingSearch(const PuzzleClues& clues, std::size_t dead_ends) : Search(clues) {
    if (SmallBoard::takes(clues.rows.size(), clues.columns.size(), clues.colours))
        way_ = std::make_unique<WayOf<SmallBoard>>(clues, dead_ends);
    else
        way_ = std::make_unique<WayOf<Board>>(clues, dead_ends);
}

BacktrackingSearch::~BacktrackingSearch() = default;

bool BacktrackingSearch::next(Watch& watch, std::span<Word> cells) { return way_->next(watch, cells); }
Statistics BacktrackingSearch::statistics() const { return way_->statistics(); }

}  // namespace nonocsp
