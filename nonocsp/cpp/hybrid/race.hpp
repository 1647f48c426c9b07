// Portfolios with other seeds, in threads of their own, race for the next solution (Hamadi, Jabbour & Saïs
// 2009, ManySAT): the time of a hard puzzle hardly depends on the past, so the least of several is shorter.
// They share short clauses. Whether there is another solution does not depend on who wins; which one comes
// first does. The winner goes on with what it has learnt, the others begin anew with what all have told.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hybrid/portfolio.hpp"

namespace nonocsp {

class Race {
  public:
    // See Portfolio. With one thread nothing races, and the course is the same everywhere.
    Race(const PuzzleClues& clues, const Board& root, const std::vector<Board>& given,
         const HybridOptions& options, ComponentProof* proof);

    // Writes the next solution; false if there is none left.
    bool next(Watch& watch, std::span<Word> cells);

    LearningStatistics statistics() const;

  private:
    std::unique_ptr<Portfolio> make_racer(std::size_t number) const;
    bool run(Watch& watch, std::span<Word> cells);

    const PuzzleClues& clues_;
    Board root_;
    HybridOptions options_;
    std::vector<Board> given_;
    std::shared_ptr<Exchange> exchange_ = std::make_shared<Exchange>();
    std::vector<std::unique_ptr<Portfolio>> racers_;  // between races the last winner alone
    LearningStatistics finished_;                     // of racers that are gone
    ComponentProof* proof_;                           // not with several threads
};

}  // namespace nonocsp
