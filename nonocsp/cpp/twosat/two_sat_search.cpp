#include "twosat/two_sat_search.hpp"

#include <algorithm>
#include <cassert>

namespace nonocsp {
namespace {

std::int64_t painted(const Board& board) {
    const std::size_t cells = board.lines(Axis::kRow) * board.lines(Axis::kColumn);
    return static_cast<std::int64_t>(cells - board.open_cells());
}

}  // namespace

bool TwoSatTree::narrow(Board& board, std::vector<Board>& found, Watch& watch) {
    const bool fits = at_root_ ? narrow_root(board, watch) : narrow_by_level(board, watch);
    if (!fits) return false;
    if (complete_ && board.open_cells() != 0) return true;
    found.push_back(board);
    return false;
}

bool TwoSatTree::narrow_root(Board& board, Watch& watch) {
    at_root_ = false;
    const bool settled = solver0_.settle(board, watch);
    painted_by_settle_ = painted(board);
    const bool fits = settled && narrow_by_level(board, watch);
    painted_ = painted(board);
    return fits;
}

std::vector<TwoSatTree::Branch> TwoSatTree::branches(const Board& board, Watch& watch) {
    const std::vector<std::int32_t> implications = solver0_.implications(board, watch);
    std::vector<Branch> best, values;
    double best_product = 0;
    std::size_t next = 0;
    board.for_each_open([&](Cell cell) {
        double product = 1;
        values.clear();
        for_each_cell(board.candidates(cell), 0, [&](std::size_t colour) {
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

void TwoSatTree::add_to(Statistics& statistics) const {
    statistics.emplace_back("painted", painted_);
    statistics.emplace_back("painted_by_settle", painted_by_settle_);
    statistics.emplace_back("rounds", solver0_.rounds());
    statistics.emplace_back("variables", solver0_.variables());
    statistics.emplace_back("clauses", solver0_.clauses());
}

bool TwoSatSearch::next(Watch& watch, std::span<Word> cells) {
    const Board* found = depth_first_.next(watch);
    if (found != nullptr) found->write(cells);
    return found != nullptr;
}

Statistics TwoSatSearch::statistics() const {
    Statistics statistics{{"settles", tree_.settles()},
                          {"nodes", static_cast<std::int64_t>(depth_first_.nodes())}};
    tree_.add_to(statistics);
    return statistics;
}

}  // namespace nonocsp
