// Depth-first search as a Search, for trees whose nodes have a board.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "grid/partial_grid.hpp"
#include "search/depth_first.hpp"
#include "search/search.hpp"

namespace nonocsp {

// A search tree with boards and statistics.
template <class T>
concept BoardTree =
    SearchTree<T> && requires(const T tree, const typename T::Node node, Statistics& statistics) {
        requires PartialGrid<std::remove_cvref_t<decltype(node.board)>>;
        tree.add_to(statistics);
    };

// `Base` is Search or a class derived from it.
template <BoardTree Tree, std::derived_from<Search> Base = Search>
class TreeSearch : public Base {
  public:
    template <class Options>
    TreeSearch(const PuzzleClues& clues, const Options& options)
        : Base(clues),
          tree_(clues, options),
          search_(tree_, typename Tree::Node{grid_of<decltype(Tree::Node::board)>(clues)}) {}

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
