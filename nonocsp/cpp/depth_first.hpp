// Depth-first search without recursion, for any method that narrows a node and splits what is left.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "watch.hpp"

namespace nonocsp {

// A tree says how nodes are narrowed and split. A Node can be copied; it is what a branch is taken from.
template <class Tree>
concept SearchTree =
    requires(Tree tree, typename Tree::Node node, const typename Tree::Node parent,
             const typename Tree::Branch branch, std::vector<typename Tree::Node> solutions, Watch watch) {
        // Narrows a node as far as the method can. Appends the solutions that it comes upon and excludes from
        // the node; returns whether there may be others inside it.
        { tree.narrow(node, solutions, watch) } -> std::convertible_to<bool>;
        // Splits what is left, disjointly; the branch to be searched first comes first. Called when the
        // solutions that narrow came upon have been given; no other node is narrowed in between.
        { tree.branches(parent, watch) } -> std::same_as<std::vector<typename Tree::Branch>>;
        // Turns a copy of a node into the root of a branch.
        { tree.take(node, branch) };
    };

template <SearchTree Tree>
class DepthFirst {
  public:
    using Node = typename Tree::Node;

    // `tree` must outlive the search.
    DepthFirst(Tree& tree, Node root) : tree_(tree), root_(std::move(root)) {}

    // The next solution, valid until the next call; null if there is none left.
    const Node* next(Watch& watch) {
        if (!started_) {
            started_ = true;
            enter(std::move(root_), watch);
        }
        while (given_ == found_.size() && !levels_.empty()) descend(watch);
        if (given_ == found_.size()) return nullptr;
        return &found_[given_++];
    }

    // Nodes entered so far.
    std::size_t nodes() const { return nodes_; }

  private:
    struct Level {
        Node node;
        std::vector<typename Tree::Branch> branches;  // none before the first is taken
        std::size_t taken = 0;
    };

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
        enter(std::move(child), watch);
    }

    void enter(Node node, Watch& watch) {
        watch.check();
        ++nodes_;
        found_.clear();
        given_ = 0;
        if (tree_.narrow(node, found_, watch)) levels_.push_back({std::move(node), {}});
    }

    Tree& tree_;
    Node root_;
    bool started_ = false;
    std::vector<Level> levels_;
    std::vector<Node> found_;  // by the last node entered
    std::size_t given_ = 0;    // of these
    std::size_t nodes_ = 0;
};

}  // namespace nonocsp
