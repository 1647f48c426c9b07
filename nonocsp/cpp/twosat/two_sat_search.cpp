#include "twosat/two_sat_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "search/tree_search.hpp"
#include "twosat/relaxation.hpp"

namespace nonocsp {
namespace {

// The search tree.
class TwoSatTree {
  public:
    struct Node {
        Board board;
    };
    struct Branch {
        Cell cell;
        Word candidates;
        std::int32_t implications;
    };

    TwoSatTree(const PuzzleClues& clues, const TwoSatOptions& options)
        : solver0_(clues), solver1_(solver0_), options_(options) {
        solver0_.touch_all();
    }

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch) {
        const bool fits = at_root_ ? narrow_root(node.board, watch) : narrow_board(node.board, watch);
        if (!fits) return false;
        if (options_.complete && node.board.open_cells() != 0) return true;
        found.push_back(node);
        return false;
    }

    std::vector<Branch> branches(const Node& node, Watch& watch) {
        const std::vector<std::int32_t> implications = solver0_.implications(node.board, watch);
        std::vector<Branch> best, values;
        double best_product = 0;
        std::size_t next = 0;
        node.board.for_each_open([&](Cell cell) {
            double product = 1;
            values.clear();
            for_each_cell(node.board.candidates(cell), 0, [&](std::size_t colour) {
                values.push_back({cell, Word{1} << colour, implications[next++]});
                product *= 1 + values.back().implications;
            });
            if (product <= best_product) return;
            best_product = product;
            best.swap(values);
        });
        assert(next == implications.size() && best.size() > 1);
        std::ranges::stable_sort(best, {}, &Branch::implications);
        return best;
    }

    void take(Node& node, const Branch& branch) {
        solver0_.narrow_cell(node.board, branch.cell, branch.candidates);
    }

    void add_to(Statistics& statistics) const {
        statistics.emplace_back("settles", solver0_.settles());
        statistics.emplace_back("painted", painted_);
        statistics.emplace_back("painted_by_settle", painted_by_settle_);
        statistics.emplace_back("rounds", solver0_.rounds());
        statistics.emplace_back("variables", solver0_.variables());
        statistics.emplace_back("clauses", solver0_.clauses());
    }

  private:
    bool narrow_root(Board& board, Watch& watch) {
        at_root_ = false;
        const bool settled = solver0_.settle(board, watch);
        painted_by_settle_ = decided_cells(board);
        const bool fits = settled && narrow_board(board, watch);
        painted_ = decided_cells(board);
        return fits;
    }
    bool narrow_board(Board& board, Watch& watch) {
        return options_.looks_ahead ? solver1_.narrow(board, watch) : solver0_.narrow(board, watch);
    }

    Solver0 solver0_;
    Solver1 solver1_;
    TwoSatOptions options_;
    bool at_root_ = true;
    std::int64_t painted_by_settle_ = 0, painted_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_two_sat_search(const PuzzleClues& clues, const TwoSatOptions& options) {
    return std::make_unique<TreeSearch<TwoSatTree>>(clues, options);
}

}  // namespace nonocsp
