#include "mdd/diagram.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <string>

#include "search/search.hpp"

namespace nonocsp {
namespace {

class Builder {
  public:
    Builder(const Clue& clue, const std::vector<Word>& candidates) : clue_(clue), candidates_(candidates) {
        for (std::size_t cell = 0; cell < candidates.size(); ++cell)
            if (is_open(cell)) diagram_.cells.push_back(cell);
        diagram_.levels.resize(diagram_.cells.size());
    }

    // The node for blocks j.. from a cell on, of all j, from the last cell to the first.
    LineDiagram build() {
        const std::size_t length = candidates_.size(), blocks = clue_.blocks.size();
        std::vector<std::vector<std::int32_t>> from(length + 1,
                                                    std::vector<std::int32_t>(blocks + 1, LineNode::kNone));
        from[length][blocks] = 0;
        for (std::size_t cell = length; cell-- > 0;)
            for (std::size_t j = 0; j <= blocks; ++j) {
                const std::int32_t gap = may_be(cell, 0) ? from[cell + 1][j] : LineNode::kNone;
                from[cell][j] = j < blocks
                                    ? node(cell, gap, after_first(cell, j, from), clue_.blocks[j].colour)
                                    : node(cell, gap, LineNode::kNone, 0);
            }
        diagram_.root = from[0][0];
        return std::move(diagram_);
    }

  private:
    bool is_open(std::size_t cell) const { return !std::has_single_bit(candidates_[cell]); }
    bool may_be(std::size_t cell, std::size_t colour) const { return (candidates_[cell] >> colour & 1) != 0; }

    // The node after the first cell of block j, which starts at `start`; none if it does not fit.
    std::int32_t after_first(std::size_t start, std::size_t j,
                             const std::vector<std::vector<std::int32_t>>& from) {
        const Block& block = clue_.blocks[j];
        const std::size_t end = start + block.length();
        if (end > candidates_.size()) return LineNode::kNone;
        for (std::size_t cell = start; cell < end; ++cell)
            if (!may_be(cell, block.colour)) return LineNode::kNone;
        const bool is_parted = j + 1 < clue_.blocks.size() && clue_.blocks[j + 1].colour == block.colour;
        std::int32_t after;
        if (is_parted) {
            if (end == candidates_.size() || !may_be(end, 0)) return LineNode::kNone;
            after = node(end, from[end + 1][j + 1], LineNode::kNone, 0);
        } else {
            after = from[end][j + 1];
        }
        for (std::size_t cell = end; --cell > start;)
            after = node(cell, LineNode::kNone, after, block.colour);
        return after;
    }

    // The one node with these successors; a decided cell has no node.
    std::int32_t node(std::size_t cell, std::int32_t background, std::int32_t block, std::int32_t colour) {
        if (background == LineNode::kNone && block == LineNode::kNone) return LineNode::kNone;
        if (!is_open(cell)) return std::max(background, block);
        const auto at = std::ranges::lower_bound(diagram_.cells, cell);
        std::vector<LineNode>& level = diagram_.levels[static_cast<std::size_t>(at - diagram_.cells.begin())];
        const LineNode made{background, block, block == LineNode::kNone ? 0 : colour};
        const auto known = std::ranges::find(level, made);
        if (known != level.end()) return static_cast<std::int32_t>(known - level.begin());
        level.push_back(made);
        return static_cast<std::int32_t>(level.size() - 1);
    }

    const Clue& clue_;
    const std::vector<Word>& candidates_;
    LineDiagram diagram_;
};

constexpr std::size_t kNodeBytes = 80;  // in the list, in the table of unique nodes, and its count's place
constexpr std::size_t kStatesPerCheck = 256;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0xff51afd7ed558ccd;
    return hash ^ hash >> 29;
}

}  // namespace

std::size_t LineDiagram::widest() const {
    std::size_t widest = 0;
    for (const auto& level : levels) widest = std::max(widest, level.size());
    return widest;
}

LineDiagram line_diagram(const Clue& clue, const std::vector<Word>& candidates) {
    return Builder(clue, candidates).build();
}

std::size_t Diagram::NodeHash::operator()(const Node& node) const {
    const std::uint64_t below = std::uint64_t{node.background} << 32 | node.block;
    return mixed(mixed(node.colour + 1, below), node.level);
}

Diagram::Diagram(std::vector<Line> outer, std::vector<Line> inner, std::size_t max_bytes)
    : outer_(std::move(outer)), inner_(std::move(inner)), max_bytes_(max_bytes) {
    for (const Line& line : outer_) outer_fields_.push_back(add_field(*line.diagram));
    for (const Line& line : inner_) inner_fields_.push_back(add_field(*line.diagram));
    std::vector<std::size_t> passed(inner_.size());  // cells of each inner line
    for (std::size_t i = 0; i < outer_.size(); ++i) {
        std::size_t j = 0;
        for (std::size_t level = 0; level < outer_[i].diagram->cells.size(); ++level) {
            while (inner_[j].position != outer_[i].diagram->cells[level]) ++j;
            steps_.push_back({i, j, level, passed[j]++});
        }
    }
    nodes_.resize(2, {kFalse, kFalse, 0, std::numeric_limits<std::uint32_t>::max()});
    count_offset_ = {0, 0, 1};
    counts_ = {1};  // of kTrue
    slots_.resize(1 << 10);
}

Diagram::Field Diagram::add_field(const LineDiagram& diagram) {
    const auto bits = static_cast<std::size_t>(std::bit_width(diagram.widest() - 1));
    if (key_bits_ + bits > kWordBits) {
        ++key_words_;
        key_bits_ = 0;
    }
    const Field field{key_words_ - 1, key_bits_ % kWordBits, (Word{1} << bits) - 1};
    key_bits_ += bits;
    return field;
}

void Diagram::build(Watch& watch) {
    assert(!steps_.empty());
    keys_.assign((steps_.size() + 1) * key_words_, 0);
    for (std::size_t i = 0; i < outer_.size(); ++i)
        write(outer_fields_[i], keys_.data(), outer_[i].diagram->root);
    for (std::size_t j = 0; j < inner_.size(); ++j)
        write(inner_fields_[j], keys_.data(), inner_[j].diagram->root);
    stack_.assign(1, {});
    try {
        search(watch);
    } catch (...) {
        at_least_ = bound_of_stack();
        throw;
    }
    at_least_ = count();
}

void Diagram::search(Watch& watch) {
    for (std::size_t turn = 0; !stack_.empty(); ++turn) {
        if (turn % kStatesPerCheck == 0) {
            watch.check();
            check_memory();
        }
        if (stack_.back().finished < 2) {
            if (!take_branch()) stack_.push_back({});  // its key is made
            continue;
        }
        const std::size_t level = stack_.size() - 1;
        const auto [background, block] = stack_.back().below;
        const Step& step = steps_[level];
        Word* key = &keys_[level * key_words_];
        const LineNode& line_node =
            outer_[step.outer].diagram->levels[step.outer_level][static_cast<std::size_t>(
                read(outer_fields_[step.outer], key))];
        const auto colour = block == kFalse ? 0 : static_cast<std::uint32_t>(line_node.colour);
        const NodeId id = unique({background, block, colour, static_cast<std::uint32_t>(level)});
        remember(level, key, id, watch);
        stack_.pop_back();
        if (stack_.empty()) {
            root_ = id;
        } else {
            Frame& above = stack_.back();
            above.below[above.finished++] = id;
        }
    }
}

// Finishes the next branch of the deepest state if what lies below is known; otherwise makes the key of the
// state below.
bool Diagram::take_branch() {
    const std::size_t level = stack_.size() - 1;
    Frame& frame = stack_.back();
    const Step& step = steps_[level];
    const Field &outer_field = outer_fields_[step.outer], &inner_field = inner_fields_[step.inner];
    const Word* key = &keys_[level * key_words_];
    const auto node_of = [&](const Line& line, std::size_t of_line, const Field& field) -> const LineNode& {
        return line.diagram->levels[of_line][static_cast<std::size_t>(read(field, key))];
    };
    const LineNode& outer = node_of(outer_[step.outer], step.outer_level, outer_field);
    const LineNode& inner = node_of(inner_[step.inner], step.inner_level, inner_field);
    const bool is_background = frame.finished == 0;
    const std::int32_t outer_next = is_background ? outer.background : outer.block;
    const std::int32_t inner_next = is_background ? inner.background : inner.block;
    const bool fits = outer_next != LineNode::kNone && inner_next != LineNode::kNone &&
                      (is_background || outer.colour == inner.colour);
    NodeId below = kFalse;
    if (fits && level + 1 == steps_.size()) below = kTrue;
    if (fits && level + 1 < steps_.size()) {
        Word* next = &keys_[(level + 1) * key_words_];
        std::copy_n(key, key_words_, next);
        write(outer_field, next, outer_next);
        write(inner_field, next, inner_next);
        const std::uint32_t entry = slot_of(level + 1, next);
        if (entry == 0) return false;
        below = static_cast<NodeId>(memo_[(entry - 1) * (key_words_ + 1)]);
    }
    frame.below[frame.finished++] = below;
    return true;
}

Diagram::NodeId Diagram::unique(const Node& node) {
    if (node.background == kFalse && node.block == kFalse) return kFalse;
    const auto [known, is_new] = unique_.try_emplace(node, static_cast<NodeId>(nodes_.size()));
    if (!is_new) return known->second;
    nodes_.push_back(node);
    Natural count(count_of(node.background));
    count.add(count_of(node.block));
    counts_.insert(counts_.end(), count.words().begin(), count.words().end());
    count_offset_.push_back(counts_.size());
    return known->second;
}

// The place of a state in the table of slots: 0 there if the state is unknown.
std::uint32_t& Diagram::slot_of(std::size_t level, const Word* key) {
    std::uint64_t hash = level;
    for (std::size_t i = 0; i < key_words_; ++i) hash = mixed(hash, key[i]);
    for (std::size_t slot = mixed(hash, 1) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
        if (slots_[slot] == 0) return slots_[slot];
        const Word* entry = &memo_[(slots_[slot] - std::size_t{1}) * (key_words_ + 1)];
        if (entry[0] >> 32 == level && std::equal(key, key + key_words_, entry + 1)) return slots_[slot];
    }
}

void Diagram::remember(std::size_t level, const Word* key, NodeId id, Watch& watch) {
    slot_of(level, key) = static_cast<std::uint32_t>(++memo_size_);
    memo_.push_back(Word{level} << 32 | id);
    memo_.insert(memo_.end(), key, key + key_words_);
    if (2 * memo_size_ < slots_.size()) return;
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t entry = 0; entry < memo_size_; ++entry) {
        if (entry % kStatesPerCheck == 0) watch.check();  // an interrupted diagram needs no table
        const Word* found = &memo_[entry * (key_words_ + 1)];
        slot_of(found[0] >> 32, found + 1) = static_cast<std::uint32_t>(entry + 1);
    }
}

// Vectors hold the old and the new entries while they grow.
void Diagram::check_memory() const {
    const std::size_t bytes = 3 * (memo_.size() + counts_.size()) * sizeof(Word) +
                              2 * slots_.size() * sizeof(std::uint32_t) + nodes_.size() * kNodeBytes;
    if (bytes <= max_bytes_ && memo_size_ < std::numeric_limits<std::uint32_t>::max() - 2 * kStatesPerCheck)
        return;
    throw TooManyStates("the diagram of " + std::to_string(steps_.size()) + " open cells has more than " +
                        std::to_string(memo_size_) + " states, which do not fit into " +
                        std::to_string(max_bytes_ >> 20) + " MiB");
}

Natural Diagram::bound_of_stack() const {
    Natural sum;
    for (const Frame& frame : stack_)
        for (const NodeId below : frame.below) sum.add(count_of(below));
    return sum;
}

std::size_t Diagram::widest() const {
    std::vector<std::size_t> widths(steps_.size());
    for (std::size_t i = 2; i < nodes_.size(); ++i) ++widths[nodes_[i].level];
    return widths.empty() ? 0 : std::ranges::max(widths);
}

}  // namespace nonocsp
