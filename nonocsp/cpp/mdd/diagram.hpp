// All solutions of a part of a puzzle as one reduced multi-valued decision diagram (Bergman, Cire, van Hoeve
// & Hooker, Decision Diagrams for Optimization, 2016; Andersen et al., A constraint store based on
// multivalued decision diagrams, 2007). The diagrams of the lines are conjoined cell by cell in reading
// order: a state is a node of the current row's diagram and one of each column's, and states that were seen
// before are not entered again. Nodes are made from the leaves up, equal ones are one, and each knows how
// many solutions lie below it.
//
// The search is depth-first. So at any time the sum over the open states of the solutions below their
// finished branches is a lower bound: different states have different cells above them. Cost and memory: the
// states, of which there may be many more than nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/coordinates.hpp"
#include "base/natural.hpp"
#include "base/watch.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// The placements of a clue that fit a line, as a reduced decision diagram over the line's open cells. Blocks
// are laid whole, from the right, and equal nodes are one node. It shares no code with the chains of shelf
// `counting`, so that the two ways to count check each other.

// Nodes are numbered within their level; a level is an open cell.
struct LineNode {
    static constexpr std::int32_t kNone = -1;
    std::int32_t background = kNone;  // the node of the next level
    std::int32_t block = kNone;
    std::int32_t colour = 0;
    bool operator==(const LineNode&) const = default;
};

struct LineDiagram {
    std::vector<std::size_t> cells;             // the open ones, left to right
    std::vector<std::vector<LineNode>> levels;  // [open cell]
    std::int32_t root = LineNode::kNone;        // of level 0; none if nothing fits

    std::size_t widest() const;
};

// `candidates`: of each cell of the line.
LineDiagram line_diagram(const Clue& clue, const std::vector<Word>& candidates);

class Diagram {
  public:
    using NodeId = std::uint32_t;
    static constexpr NodeId kFalse = 0, kTrue = 1;

    struct Node {
        NodeId background, block;
        std::uint32_t colour;
        std::uint32_t level;
        bool operator==(const Node&) const = default;
    };
    struct Line {
        std::size_t position;
        const LineDiagram* diagram;
    };

    // The lines of a part of the puzzle: each open cell of one of them is on one of the others. `outer` are
    // rows, or columns: the diagram takes them one after the other.
    Diagram(std::vector<Line> outer, std::vector<Line> inner, std::size_t max_bytes);

    // Makes the diagram. Throws Interrupted, and TooManyStates beyond the memory; after that only `at_least`
    // may be called.
    void build(Watch& watch);

    NodeId root() const { return root_; }
    const Node& node(NodeId id) const { return nodes_[id]; }

    // The outer and the inner position of the cell of a level.
    std::pair<std::size_t, std::size_t> cell(std::size_t level) const {
        return {outer_[steps_[level].outer].position, inner_[steps_[level].inner].position};
    }
    std::size_t levels() const { return steps_.size(); }

    Natural count() const { return Natural(count_of(root_)); }
    Natural at_least() const { return at_least_; }
    std::size_t states() const { return memo_size_; }
    std::size_t nodes() const { return nodes_.size() - 2; }
    std::size_t widest() const;

  private:
    struct Field {
        std::size_t word, shift;
        Word mask;
    };
    struct Step {
        std::size_t outer, inner;              // numbers of the lines
        std::size_t outer_level, inner_level;  // of the lines' diagrams
    };
    // A state that is being worked on; its key is in keys_.
    struct Frame {
        std::array<NodeId, 2> below = {kFalse, kFalse};  // background, block
        std::size_t finished = 0;                        // branches
    };

    std::int32_t read(const Field& field, const Word* key) const {
        return static_cast<std::int32_t>(key[field.word] >> field.shift & field.mask);
    }
    void write(const Field& field, Word* key, std::int32_t node) const {
        Word& word = key[field.word];
        word = (word & ~(field.mask << field.shift)) | static_cast<Word>(node) << field.shift;
    }

    struct NodeHash {
        std::size_t operator()(const Node& node) const;
    };

    Field add_field(const LineDiagram& diagram);
    void search(Watch& watch);
    bool take_branch();
    NodeId unique(const Node& node);
    std::uint32_t& slot_of(std::size_t level, const Word* key);
    void remember(std::size_t level, const Word* key, NodeId id, Watch& watch);
    void check_memory() const;
    Natural bound_of_stack() const;

    std::span<const Word> count_of(NodeId id) const {
        return {counts_.data() + count_offset_[id], count_offset_[id + 1] - count_offset_[id]};
    }

    std::vector<Line> outer_, inner_;
    std::vector<Step> steps_;  // [level]
    std::vector<Field> outer_fields_, inner_fields_;
    std::size_t key_words_ = 1, key_bits_ = 0, max_bytes_;

    std::vector<Node> nodes_;
    std::vector<std::size_t> count_offset_;  // [node] and one more
    std::vector<Word> counts_;
    std::unordered_map<Node, NodeId, NodeHash> unique_;

    std::vector<Word> memo_;            // entries: level and node in a word, then the key
    std::vector<std::uint32_t> slots_;  // of the memo: entry + 1
    std::size_t memo_size_ = 0;

    std::vector<Frame> stack_;  // [level]
    std::vector<Word> keys_;    // [level]
    NodeId root_ = kFalse;
    Natural at_least_;
};

}  // namespace nonocsp
