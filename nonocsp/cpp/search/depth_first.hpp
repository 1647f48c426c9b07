// Depth-first search without recursion, for any method that narrows a node and splits the rest.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/watch.hpp"

namespace nonocsp {

// A tree says how nodes are narrowed and split. A Node can be copied.
template <class Tree>
concept SearchTree =
    requires(Tree tree, typename Tree::Node node, const typename Tree::Node parent,
             const typename Tree::Branch branch, std::vector<typename Tree::Node> solutions, Watch watch) {
        // Narrows a node as far as the method can, or until it finds solutions, which it appends and
        // excludes from the node; it is called again after those. Returns whether the node may hold others.
        { tree.narrow(node, solutions, watch) } -> std::convertible_to<bool>;
        // Splits a node into disjoint branches, in the order of search. The last call was a narrow of this
        // node that found no solution.
        { tree.branches(parent, watch) } -> std::same_as<std::vector<typename Tree::Branch>>;
        // Turns a copy of a node into the root of a branch.
        { tree.take(node, branch) };
    };

template <SearchTree Tree>
class DepthFirst {
  public:
    using Node = typename Tree::Node;

    // `tree` must outlive the search.
    DepthFirst(Tree& tree, Node root) : tree_(tree) { enter(std::move(root)); }

    // The next solution, valid until the next call; null if none is left.
    const Node* next(Watch& watch) {
        assert(given_ <= found_.size());
        while (given_ == found_.size() && !levels_.empty())
            levels_.back().is_narrow ? descend(watch) : narrow(watch);
        watch.progress().note_share(done_);
        if (given_ == found_.size()) return nullptr;
        return &found_[given_++];
    }

    // Nodes entered so far.
    std::size_t nodes() const { return nodes_; }

  private:
    struct Level {
        Node node;
        bool is_narrow = false;
        std::vector<typename Tree::Branch> branches = {};  // none before the first is taken
        std::size_t taken = 0;
        double share = 1;  // of the tree, if all branches of a node were alike (Kilby et al. 2006)
    };

    void enter(Node node, double share = 1) {
        ++nodes_;
        levels_.push_back({.node = std::move(node), .share = share});
    }

    void leave(Watch& watch) {
        done_ += levels_.back().share;
        levels_.pop_back();
        if (nodes_ % kNodesPerReport == 0) watch.progress().note_share(done_);
    }

    void narrow(Watch& watch) {
        watch.check();
        assert(!levels_.back().is_narrow && given_ == found_.size());  // every solution was yielded
        found_.clear();
        given_ = 0;
        const bool is_open = tree_.narrow(levels_.back().node, found_, watch);
        levels_.back().is_narrow = found_.empty();
        if (!is_open) leave(watch);
    }

    // Enters the next branch of the deepest level; the last one needs no copy of the node.
    void descend(Watch& watch) {
        Level& deepest = levels_.back();
        if (deepest.branches.empty()) deepest.branches = tree_.branches(deepest.node, watch);
        if (deepest.branches.empty()) return leave(watch);
        assert(deepest.is_narrow && deepest.taken < deepest.branches.size());
        const auto branch = deepest.branches[deepest.taken++];
        const double share = deepest.share / static_cast<double>(deepest.branches.size());
        const bool is_last = deepest.taken == deepest.branches.size();
        Node child = is_last ? std::move(deepest.node) : deepest.node;
        if (is_last) levels_.pop_back();
        tree_.take(child, branch);
        enter(std::move(child), share);
    }

    static constexpr std::size_t kNodesPerReport = 64;

    Tree& tree_;
    std::vector<Level> levels_;
    std::vector<Node> found_;  // by the last narrow
    std::size_t given_ = 0;    // of found_, yielded
    std::size_t nodes_ = 0;
    double done_ = 0;  // share of the tree that is searched
};

}  // namespace nonocsp
