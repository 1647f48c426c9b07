#include "probing/probing_search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "search/tree_search.hpp"

namespace nonocsp {
namespace {

constexpr std::int64_t kEarned = 2;  // probes at the root for each candidate removed
// A budget is meant for boards of up to so many open cells, where learning soon is faster than more probes.
// Beyond that it grows: in the branches like the cells. At the root, a board that line solving left nearly
// blank needs probes of most cells before anything follows; on others probes help less than dives.
constexpr double kCellsOfBudget = 2500;
constexpr double kGrowthAtRoot = 8, kGrowthInBranches = 4;

// The score of a cell from the gains of its candidates. The paper has two gains, m0 and m1: a product such as
// log(m0 + 1) log(m1 + 1) is over all candidates here, and |m0 - m1| is the largest less the smallest.
double score_of(ProbingScore score, std::span<const double> gains) {
    assert(gains.size() > 1);
    const auto [min, max] = std::ranges::minmax(gains);
    const auto combined = [&](auto combine, double start) {
        return std::accumulate(gains.begin(), gains.end(), start, combine);
    };
    switch (score) {
        case ProbingScore::kSum:
            return combined(std::plus(), 0.0);
        case ProbingScore::kMin:
            return min;
        case ProbingScore::kMax:
            return max;
        case ProbingScore::kProduct:
            return combined([](double product, double gain) { return product * (gain + 1); }, 1.0);
        case ProbingScore::kSqrt:
            return min + std::sqrt(max / (min + 1));
        case ProbingScore::kMinLogM:
            return min +
                   combined([](double product, double gain) { return product * std::log1p(gain); }, 1.0);
        case ProbingScore::kMinLogD:
            return min + 1.85 * std::log1p(max - min);
    }
    return 0;
}

// The sizes of the groups of at least `smallest` cells, the largest first.
template <PartialGrid Grid>
std::vector<std::size_t> group_sizes(const ProbedBoard<Grid>& probed, std::size_t smallest) {
    std::vector<std::size_t> sizes;
    probed.board.for_each_open([&](Cell cell) {
        const std::size_t size = probed.groups.size_of(probed.number(cell));
        if (size < smallest) return;
        std::size_t first = probed.number(cell);
        probed.groups.for_each_member(first,
                                      [&](std::size_t member, bool) { first = std::min(first, member); });
        if (first == probed.number(cell)) sizes.push_back(size);
    });
    std::ranges::sort(sizes, std::greater());
    return sizes;
}

// The search tree.
template <PartialGrid Grid>
class ProbingTree {
  public:
    using Branch = Narrowing;
    // A solution has a board only.
    struct Node : ProbedBoard<Grid> {
        using ProbedBoard<Grid>::ProbedBoard;
        std::vector<Narrowing> assumed;  // the branch, until the node is narrowed
        std::size_t depth = 0;
    };

    ProbingTree(const PuzzleClues& clues, const ProbingOptions& options)
        : options_(options),
          prober_(clues, options.level, options.groups, options.proof),
          random_(options.seed) {}

    bool narrow(Node& node, std::vector<Node>& found, Watch& watch) {
        std::vector<Grid> boards;
        bool open = true;
        try {
            open = at_root_ ? narrow_root(node, boards, watch) : narrow_branch(node, boards, watch);
        } catch (const BudgetSpent&) {
            is_budget_spent_ = true;  // branches() throws, after the solutions are yielded
        }
        assert(std::ranges::all_of(boards, [](const Grid& board) { return board.open_cells() == 0; }));
        for (Grid& board : boards) found.emplace_back(std::move(board));
        if (at_root_ && found.empty()) leave_root(node, open);
        return open;
    }

    std::vector<Branch> branches(const Node& node, Watch&) {
        if (is_budget_spent_) throw BudgetSpent();
        assert(!at_root_ && node.assumed.empty());
        const Cell cell = best_cell(node);
        std::vector<Branch> branches;
        for_each_cell(node.board.candidates(cell), 0,
                      [&](std::size_t colour) { branches.push_back({cell, Word{1} << colour}); });
        put_in_order(branches, node);
        return branches;
    }

    void take(Node& node, const Branch& branch) {
        assert(std::has_single_bit(branch.candidates & node.board.candidates(branch.cell)));
        node.assumed = {branch};
        ++node.depth;
        const std::size_t number = node.number(branch.cell);
        if (!options_.groups || node.groups.size_of(number) < options_.min_group) return;
        const bool is_low = (node.board.candidates(branch.cell) & (branch.candidates - 1)) == 0;
        const std::size_t columns = node.board.lines(Axis::kColumn);
        node.groups.for_each_member(number, [&](std::size_t member, bool opposite) {
            const Cell cell{member / columns, member % columns};
            const Word candidates = node.board.candidates(cell);
            const Word low = candidates & -candidates, high = candidates & ~low;
            if (high != 0) node.assumed.push_back({cell, is_low != opposite ? low : high});
        });
    }

    // As ProbingSearch::root.
    const Board* root() const { return root_ ? &*root_ : nullptr; }

    void add_to(Statistics& statistics) const {
        statistics.emplace_back("settles", prober_.settles());
        statistics.emplace_back("hits", prober_.hits());
        statistics.emplace_back("probes", prober_.probes());
        if (!painted_) return;
        statistics.emplace_back("painted", *painted_);
        if (!options_.groups) return;
        std::string sizes;
        for (const std::size_t size : group_sizes_)
            sizes.append(sizes.empty() ? 0 : 1, ' ').append(std::to_string(size));
        statistics.emplace_back("groups", static_cast<std::int64_t>(group_sizes_.size()));
        statistics.emplace_back("group_sizes", sizes);
    }

  private:
    bool narrow_root(Node& root, std::vector<Grid>& found, Watch& watch) {
        if (!std::exchange(is_started_, true)) {
            if (!prober_.start(root, watch)) return false;
            size_ = std::max(1.0, static_cast<double>(root.board.open_cells()) / kCellsOfBudget);
            const bool is_blank = is_nearly_blank(root.board);
            const double growth = kGrowthAtRoot * (std::pow(size_, is_blank ? 1.5 : 0.5) - 1);
            if (options_.budget) prober_.allow(budget(1 + growth), is_blank || growth == 0 ? kEarned : 0);
        }
        watch.progress().note_open_cells(root.board.open_cells());
        const bool open = prober_.to_fixpoint(root, &found, watch);
        watch.progress().note_open_cells(root.board.open_cells());
        if (!found.empty()) painted_ = decided_cells(found[0]);
        return open;
    }

    void leave_root(const Node& root, bool open) {
        at_root_ = false;
        if (!painted_) painted_ = decided_cells(root.board);
        if (!open) return;
        if (options_.groups) group_sizes_ = group_sizes(root, options_.min_group);
        root_ = as_board(root.board);
        if (options_.budget) prober_.allow(budget(1 + kGrowthInBranches * (size_ - 1)));
    }

    bool narrow_branch(Node& node, std::vector<Grid>& found, Watch& watch) {
        const auto assumed = std::exchange(node.assumed, {});
        if (!assumed.empty()) {
            if (options_.proof != nullptr) options_.proof->enter(node.depth, assumed[0]);
            if (!prober_.narrow(node, assumed, watch)) return false;
        }
        return prober_.to_fixpoint(node, &found, watch);
    }

    std::int64_t budget(double scale) const {
        return static_cast<std::int64_t>(scale * static_cast<double>(*options_.budget));
    }

    Cell best_cell(const Node& node) const {
        Cell best{};
        double best_score = -1;
        node.board.for_each_open([&](Cell cell) {
            const double value = score(node, cell);
            if (value <= best_score) return;
            best_score = value;
            best = cell;
        });
        assert(best_score >= 0);  // the node has an open cell
        return best;
    }

    double score(const Node& node, Cell cell) const {
        std::array<double, kWordBits> gains{};
        std::size_t count = 0;
        for_each_cell(node.board.candidates(cell), 0,
                      [&](std::size_t colour) { gains[count++] = node.gain(cell, colour); });
        return score_of(options_.score, std::span(gains).first(count));
    }

    void put_in_order(std::vector<Branch>& branches, const Node& node) {
        const auto gain = [&](const Branch& branch) {
            return node.gain(branch.cell, static_cast<std::size_t>(std::countr_zero(branch.candidates)));
        };
        switch (options_.order) {
            case ProbingOrder::kLarger:
                std::ranges::stable_sort(branches, std::greater(), gain);
                return;
            case ProbingOrder::kSmaller:
                std::ranges::stable_sort(branches, std::less(), gain);
                return;
            case ProbingOrder::kBackground:
                return;
            case ProbingOrder::kRandom:
                for (std::size_t i = branches.size(); i > 1; --i)
                    std::swap(branches[i - 1], branches[random_.next() % i]);
                return;
        }
    }

    ProbingOptions options_;
    Prober<Grid> prober_;
    Random random_;
    bool is_started_ = false, at_root_ = true;
    bool is_budget_spent_ = false;
    double size_ = 1;  // the open cells of the root, in boards that a budget is meant for
    std::optional<Board> root_;
    std::optional<std::int64_t> painted_;
    std::vector<std::size_t> group_sizes_;  // at the root, the largest first
};

template <PartialGrid Grid>
class ProbingSearchOn final : public TreeSearch<ProbingTree<Grid>, ProbingSearch> {
  public:
    using TreeSearch<ProbingTree<Grid>, ProbingSearch>::TreeSearch;
    const Board* root() const override { return this->tree().root(); }
};

}  // namespace

std::unique_ptr<ProbingSearch> make_probing_search(const PuzzleClues& clues, const ProbingOptions& options) {
    if (takes_small_boards(clues, options.level, options.groups))
        return std::make_unique<ProbingSearchOn<SmallBoard>>(clues, options);
    return std::make_unique<ProbingSearchOn<Board>>(clues, options);
}

}  // namespace nonocsp
