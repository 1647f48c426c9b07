// A search that goes through a tree depth first, for trees whose nodes have a board, of whatever type.
#pragma once

#include <cstdint>
#include <span>

#include "search/depth_first.hpp"
#include "search/search.hpp"

namespace nonocsp {

// `Base` is Search, or what a method adds to it.
template <class Tree, class Base = Search>
class TreeSearch : public Base {
  public:
    template <class Options>
    TreeSearch(const PuzzleClues& clues, const Options& options)
        : Base(clues),
          tree_(clues, options),
          search_(tree_, typename Tree::Node{decltype(Tree::Node::board)(
                             clues.rows.size(), clues.columns.size(), clues.colours)}) {}

    bool next(Watch& watch, std::span<Word> cells) override {
        const auto* node = search_.next(watch);
        if (node != nullptr) node->board.write(cells);
        return node != nullptr;
    }

    Statistics statistics() const override {
        Statistics statistics{{"nodes", static_cast<std::int64_t>(search_.nodes())}};
        tree_.add_to(statistics);
        return statistics;
    }

  protected:
    const Tree& tree() const { return tree_; }

  private:
    Tree tree_;
    DepthFirst<Tree> search_;
};

}  // namespace nonocsp
