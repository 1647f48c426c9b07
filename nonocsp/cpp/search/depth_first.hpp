// Depth-first search without recursion, for any method that narrows a node and splits what is left.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/watch.hpp"

namespace nonocsp {

// A tree says how nodes are narrowed and split. A Node can be copied; it is what a branch is taken from.
template <class Tree>
concept SearchTree =
    requires(Tree tree, typename Tree::Node node, const typename Tree::Node parent,
             const typename Tree::Branch branch, std::vector<typename Tree::Node> solutions, Watch watch) {
        // Narrows a node as far as the method can, or until it comes upon solutions, which it appends and
        // excludes from the node; then it is called again once they are given. Returns whether there may be
        // others inside the node.
        { tree.narrow(node, solutions, watch) } -> std::convertible_to<bool>;
        // Splits what is left, disjointly; the branch to be searched first comes first. Called after a narrow
        // that came upon nothing; no other node is narrowed in between.
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

    // The next solution, valid until the next call; null if there is none left.
    const Node* next(Watch& watch) {
        while (given_ == found_.size() && !levels_.empty())
            levels_.back().is_narrow ? descend(watch) : narrow(watch);
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
    };

    void enter(Node node) {
        ++nodes_;
        levels_.push_back({std::move(node)});
    }

    void narrow(Watch& watch) {
        watch.check();
        found_.clear();
        given_ = 0;
        const bool is_open = tree_.narrow(levels_.back().node, found_, watch);
        levels_.back().is_narrow = found_.empty();
        if (!is_open) levels_.pop_back();
    }

    // Enters the next branch of the deepest level; the last one needs no copy of the node.
    void descend(Watch& watch) {
        Level& deepest = levels_.back();
        if (deepest.branches.empty()) deepest.branches = tree_.branches(deepest.node, watch);
        if (deepest.branches.empty()) return levels_.pop_back();
        const auto branch = deepest.branches[deepest.taken++];
        const bool is_last = deepest.taken == deepest.branches.size();
        Node child = is_last ? std::move(deepest.node) : deepest.node;
        if (is_last) levels_.pop_back();
        tree_.take(child, branch);
        enter(std::move(child));
    }

    Tree& tree_;
    std::vector<Level> levels_;
    std::vector<Node> found_;  // by the last narrow
    std::size_t given_ = 0;    // of these
    std::size_t nodes_ = 0;
};

}  // namespace nonocsp
