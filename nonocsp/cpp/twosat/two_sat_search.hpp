// Depth-first search with Solver0 or Solver1 at every node. It branches on the cell whose values imply most,
// by the product over the values, so that each of them matters. The value that implies least comes first,
// since it is likelier to hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/depth_first.hpp"
#include "search/search.hpp"
#include "twosat/relaxation.hpp"

namespace nonocsp {

class TwoSatTree {
  public:
    using Node = Board;
    struct Branch {
        Cell cell;
        Word candidates;
        std::int32_t implications;
    };

    // Without `complete`, the only "solution" is the narrowed root.
    TwoSatTree(const PuzzleClues& clues, bool looks_ahead, bool complete)
        : solver0_(clues), solver1_(solver0_), looks_ahead_(looks_ahead), complete_(complete) {
        solver0_.touch_all();
    }

    bool narrow(Board& board, std::vector<Board>& found, Watch& watch);
    std::vector<Branch> branches(const Board& board, Watch& watch);
    void take(Board& board, const Branch& branch) {
        solver0_.narrow_cell(board, branch.cell, branch.candidates);
    }

    std::int64_t settles() const { return solver0_.settles(); }
    void add_to(Statistics& statistics) const;

  private:
    bool narrow_root(Board& board, Watch& watch);
    bool narrow_by_level(Board& board, Watch& watch) {
        return looks_ahead_ ? solver1_.narrow(board, watch) : solver0_.narrow(board, watch);
    }

    Solver0 solver0_;
    Solver1 solver1_;
    bool looks_ahead_, complete_, at_root_ = true;
    std::int64_t painted_by_settle_ = 0, painted_ = 0;
};

class TwoSatSearch final : public Search {
  public:
    TwoSatSearch(const PuzzleClues& clues, bool looks_ahead, bool complete)
        : Search(clues),
          tree_(clues, looks_ahead, complete),
          depth_first_(tree_, Board(clues.rows.size(), clues.columns.size(), clues.colours)) {}

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    TwoSatTree tree_;
    DepthFirst<TwoSatTree> depth_first_;
};

}  // namespace nonocsp
