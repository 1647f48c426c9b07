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
        std::size_t depth = 0;
    };

    BacktrackingTree(const PuzzleClues& clues, const BacktrackingOptions& options)
        : propagator_(clues), options_(options) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch) {
        assert(!node.assumed || (node.board.candidates(node.assumed->cell) & node.assumed->candidates) != 0);
        if (node.assumed)
            propagator_.narrow_cell(node.board, node.assumed->cell, node.assumed->candidates);
        else
            propagator_.touch_all();
        if (!settle(node, watch)) {
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
        if (dead_ends_ > options_.dead_ends) throw BudgetSpent();
        assert(node.board.open_cells() > 0);
        const Cell cell = most_constrained(node.board);
        std::vector<Branch> branches;
        for_each_cell(node.board.candidates(cell), 0,
                      [&](std::size_t colour) { branches.push_back({cell, Word{1} << colour}); });
        assert(branches.size() > 1);
        std::ranges::reverse(branches);  // a block decides more than the background
        return branches;
    }

    void take(Node& node, const Branch& branch) {
        node.assumed = branch;
        ++node.depth;
    }

    void add_to(Statistics& statistics) const { statistics.emplace_back("settles", propagator_.settles()); }

  private:
    // Settles the dirty lines; false at a contradiction.
    bool settle(Node& node, Watch& watch) {
        return options_.proof == nullptr ? !propagator_.to_fixpoint(node.board, watch)
                                         : settle_for_proof(node, watch);
    }

    // Apart, so that the compiler does not slow down the rest for it.
    [[gnu::noinline]] bool settle_for_proof(Node& node, Watch& watch) {
        const bool fits = trail_.record(
            [&](auto settled) { return propagator_.to_fixpoint(node.board, watch, Ignore(), settled); });
        if (node.assumed) options_.proof->enter(node.depth, *node.assumed);
        options_.proof->settle(trail_);
        return fits;
    }

    PropagatorOf<Grid> propagator_;
    BacktrackingOptions options_;
    std::size_t dead_ends_ = 0;
    SettleTrail trail_;
};

}  // namespace

std::unique_ptr<Search> make_backtracking_search(const PuzzleClues& clues,
                                                 const BacktrackingOptions& options) {
    if (SmallBoard::takes(clues.rows.size(), clues.columns.size(), clues.colours))
        return std::make_unique<TreeSearch<BacktrackingTree<SmallBoard>>>(clues, options);
    return std::make_unique<TreeSearch<BacktrackingTree<Board>>>(clues, options);
}

}  // namespace nonocsp
