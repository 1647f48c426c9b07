#include "judging/methods.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "grid/board.hpp"
#include "grid/small_board.hpp"
#include "probing/prober.hpp"
#include "search/search.hpp"
#include "twosat/relaxation.hpp"

namespace nonocsp {
namespace {

class TwoSatRun final : public MethodRun {
  public:
    TwoSatRun(const PuzzleClues& clues, std::span<const Word> cells)
        : solver_(clues), board_(grid_of<Board>(clues, cells)) {
        solver_.touch_all();
    }

    bool advance(std::int64_t, Watch& watch) override {
        fits_ = solver_.narrow(board_, watch);
        return true;
    }

    std::optional<std::vector<Word>> left() const override {
        return fits_ ? std::optional(candidate_sets(board_)) : std::nullopt;
    }

  private:
    Solver0 solver_;
    Board board_;
    bool fits_ = true;
};

template <PartialGrid Grid>
class ProbingRun final : public MethodRun {
  public:
    ProbingRun(const PuzzleClues& clues, ProbingLevel level, std::span<const Word> cells)
        : prober_(clues, level, false), probed_(grid_of<Grid>(clues, cells)) {}

    bool advance(std::int64_t probes, Watch& watch) override {
        if (!has_started_) fits_ = prober_.start(probed_, watch);
        has_started_ = true;
        prober_.allow(std::max<std::int64_t>(probes, 1));
        try {
            fits_ = fits_ && prober_.to_fixpoint(probed_, nullptr, watch);
        } catch (const BudgetSpent&) {
            return false;
        }
        return true;
    }

    std::optional<std::vector<Word>> left() const override {
        return fits_ ? std::optional(candidate_sets(probed_.board)) : std::nullopt;
    }

  private:
    Prober<Grid> prober_;
    ProbedBoard<Grid> probed_;
    bool has_started_ = false, fits_ = true;
};

}  // namespace

std::unique_ptr<MethodRun> start_method(std::size_t method, const PuzzleClues& clues,
                                        std::span<const Word> grid) {
    assert(method < kMethods.size());
    if (method == 0) return std::make_unique<TwoSatRun>(clues, grid);
    const auto level = static_cast<ProbingLevel>(method - 1);
    if (takes_small_boards(clues, level, false))
        return std::make_unique<ProbingRun<SmallBoard>>(clues, level, grid);
    return std::make_unique<ProbingRun<Board>>(clues, level, grid);
}

bool WeakestMethod::advance(std::int64_t probes, Watch& watch) {
    while (!is_over_ && method_ < kMethods.size()) {
        if (!run_) run_ = start_method(method_, clues_, grid_);
        try {
            if (!run_->advance(probes, watch)) return false;
            const auto left = run_->left();
            is_over_ =
                left && std::ranges::all_of(*left, [](Word cell) { return std::has_single_bit(cell); });
        } catch (const Unsupported&) {
            is_over_ = false;
        }
        run_.reset();
        if (is_over_) return true;
        if (++method_ < kMethods.size()) return false;
    }
    return true;
}

}  // namespace nonocsp
