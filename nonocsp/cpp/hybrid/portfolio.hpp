// The learning stage: a portfolio (Gomes & Selman 2001) of two learning searches that take turns. One has
// variables for cells alone: its conflicts are the cheapest, and it finds a first solution soonest. The other
// has variables for the starts of blocks as well: where there are proofs that only starts make short, it is
// the one that ends. It is built when the first has failed for a while. Who has the next turn is decided by
// counted conflicts and by the length of the clauses learnt, so it is the same everywhere. The searches share
// short clauses over cells.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cdcl/solver.hpp"
#include "hybrid/exchange.hpp"
#include "hybrid/guide.hpp"
#include "hybrid/options.hpp"

namespace nonocsp {

struct LearningStatistics {
    SolverStatistics search;
    std::int64_t dives = 0, belief_sweeps = 0;
    std::array<std::int64_t, 2> turns{};  // [Variables]

    LearningStatistics& operator+=(const LearningStatistics& other);
};

class Portfolio {
  public:
    // So many solutions are blocked in both searches; an enumeration goes on with one.
    static constexpr std::size_t kShared = 16;

    // Looks for the solutions that `root` allows, except those in `given`. `clues` and
    // `proof`, if there is one, must outlive it.
    Portfolio(const PuzzleClues& clues, const Board& root, const std::vector<Board>& given,
              const HybridOptions& options, std::shared_ptr<Exchange> exchange, ComponentProof* proof);

    // Writes the next solution; false if there is none left.
    bool next(Watch& watch, std::span<Word> cells);

    LearningStatistics statistics() const;

  private:
    struct Member {
        std::unique_ptr<CdclSolver> solver;  // none before its first turn
        std::unique_ptr<Guide> guide;
        Exchange::Reader reader;
        std::size_t blocked = 0;  // of given_
        std::int64_t turns = 0;

        double clause_length() const;
    };

    static std::size_t index_of(Variables variables) { return static_cast<std::size_t>(variables); }
    Member& member() { return members_[index_of(turn_)]; }
    // Gives the turn to a member at level 0, builds it if need be, and tells it what the others know.
    void begin_turn(Variables variables, Watch& watch);
    CdclSolver::End take_turn(Watch& watch);
    Variables next_turn() const;

    const PuzzleClues& clues_;
    Board root_;
    HybridOptions options_;
    std::array<Member, 2> members_;  // [Variables]
    Variables turn_ = Variables::kCells;
    std::shared_ptr<Exchange> exchange_;
    std::vector<Board> given_;
    ComponentProof* proof_;
    bool has_solution_ = false;  // on the board of the member whose turn it is
};

}  // namespace nonocsp
