#include "search/backtracking.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "grid/small_propagator.hpp"
#include "search/tree_search.hpp"

namespace nonocsp {
namespace {

// The first open cell of the line with the fewest open cells.
template <PartialGrid Grid>
Cell most_constrained(const Grid& board) {
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

// The search tree.
template <PartialGrid Grid>
class BacktrackingTree {
  public:
    using Branch = Narrowing;
    struct Node {
        Grid board;
        std::optional<Narrowing> assumed = {};  // the branch, until the node is narrowed; none at the root
    };

    BacktrackingTree(const PuzzleClues& clues, std::size_t dead_ends)
        : propagator_(clues), allowed_(dead_ends) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch) {
        assert(!node.assumed || (node.board.candidates(node.assumed->cell) & node.assumed->candidates) != 0);
        if (node.assumed)
            propagator_.narrow_cell(node.board, node.assumed->cell, node.assumed->candidates);
        else
            propagator_.touch_all();
        if (propagator_.to_fixpoint(node.board, watch)) {
            ++dead_ends_;
            return false;
        }
        const std::size_t open_cells = node.board.open_cells();
        if (!node.assumed) watch.progress().note_open_cells(open_cells);
        if (open_cells > 0) return true;
        found.push_back(node);
        return false;
    }

    std::vector<Branch> branches(const Node& node, Watch&) {
        if (dead_ends_ > allowed_) throw BudgetSpent();
        assert(node.board.open_cells() > 0);
        const Cell cell = most_constrained(node.board);
        std::vector<Branch> branches;
        for_each_cell(node.board.candidates(cell), 0,
                      [&](std::size_t colour) { branches.push_back({cell, Word{1} << colour}); });
        assert(branches.size() > 1);
        std::ranges::reverse(branches);  // a block decides more than the background
        return branches;
    }

    void take(Node& node, const Branch& branch) { node.assumed = branch; }

    void add_to(Statistics& statistics) const { statistics.emplace_back("settles", propagator_.settles()); }

  private:
    PropagatorOf<Grid> propagator_;
    std::size_t allowed_, dead_ends_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_backtracking_search(const PuzzleClues& clues, std::size_t dead_ends) {
    if (SmallBoard::takes(clues.rows.size(), clues.columns.size(), clues.colours))
        return std::make_unique<TreeSearch<BacktrackingTree<SmallBoard>>>(clues, dead_ends);
    return std::make_unique<TreeSearch<BacktrackingTree<Board>>>(clues, dead_ends);
}

}  // namespace nonocsp
