#include "segments/segments_search.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <string>
#include <vector>

#include "search/depth_first.hpp"
#include "segments/messages.hpp"

namespace nonocsp {
namespace {

// Bytes. A search copies the world at every node.
constexpr std::size_t kMaxWorld = std::size_t{256} << 20;

bool is_open(Word colours) { return !std::has_single_bit(colours); }

// What DepthFirst searches.
template <class Bits>
class SegmentTree {
  public:
    using Node = World<Bits>;
    struct Branch {
        std::size_t pixel;
        Word colour;
    };

    SegmentTree(const Chains& chains, PixelChoice choice)
        : messages_(chains), chains_(chains), choice_(choice) {
        messages_.trigger_all();
    }

    Node root(Watch& watch) const {
        const std::size_t size = messages_.world_size();
        if (size > kMaxWorld)
            throw Unsupported("what its segments and pixels know takes " + std::to_string(size >> 20) +
                              " MiB, more than " + std::to_string(kMaxWorld >> 20));
        return messages_.unheard_world(watch);
    }

    bool narrow(Node& node, std::vector<Node>& solutions, Watch& watch) {
        const bool possible = messages_.deliver(node, watch);
        const auto open = std::ranges::count_if(node.colours, is_open);
        if (!painted_) painted_ = std::ssize(node.colours) - open;
        if (possible && open == 0) solutions.push_back(std::move(node));
        return possible && open != 0;
    }

    std::vector<Branch> branches(const Node& node, Watch& watch) const {
        const std::size_t pixel = choose(node, watch);
        assert(pixel < node.colours.size() && is_open(node.colours[pixel]));
        std::vector<Branch> branches;
        for_each_cell(node.colours[pixel], 0,
                      [&](std::size_t colour) { branches.push_back({pixel, Word{1} << colour}); });
        std::ranges::reverse(branches);  // a painted pixel decides more than a white one
        return branches;
    }

    void take(Node& node, const Branch& branch) { messages_.narrow_pixel(node, branch.pixel, branch.colour); }

    // The pixels with one colour before the search; 0 while that is not known.
    std::int64_t painted() const { return painted_.value_or(0); }

    const MessageCounts& counts() const { return messages_.counts(); }

  private:
    // An open pixel.
    std::size_t choose(const Node& node, Watch& watch) const {
        if (choice_ == PixelChoice::kFirst)
            return static_cast<std::size_t>(std::ranges::find_if(node.colours, is_open) -
                                            node.colours.begin());
        std::size_t best = 0, fewest = SIZE_MAX;
        for (std::size_t pixel = 0; pixel < node.colours.size(); ++pixel) {
            if (!is_open(node.colours[pixel])) continue;
            watch.check();
            const std::size_t starts = starts_around(node, pixel);
            if (starts < fewest) best = pixel;
            fewest = std::min(fewest, starts);
        }
        return best;
    }

    // The number of starts of the coloured segments that possibly cover a pixel.
    std::size_t starts_around(const Node& node, std::size_t pixel) const {
        std::size_t starts = 0;
        for (const Axis axis : chains_.axes()) {
            const std::size_t chain = chains_.chain_through(pixel, axis);
            const std::span<const Word> covering = messages_.covering(node, pixel, axis);
            const std::span<const Word> white = chains_.of_colour(chain, 0);
            for (std::size_t word = 0; word < covering.size(); ++word)
                for_each_cell(covering[word] & ~white[word], word * kWordBits, [&](std::size_t place) {
                    starts += size_of(node.segments[chains_[chain].first_segment + place].starts);
                });
        }
        return starts;
    }

    Messages<Bits> messages_;
    const Chains& chains_;
    PixelChoice choice_;
    std::optional<std::int64_t> painted_;
};

// The category of the puzzle, as far as it is proved.
std::string category(std::size_t solutions, bool is_over, bool searched) {
    if (solutions > 1) return "ambiguous";
    if (!is_over && (searched || solutions == 0)) return "unknown";
    if (solutions == 0) return "contradictory";
    return searched ? "needs search" : "simple";
}

template <class Bits>
class SegmentSearch final : public Search {
  public:
    SegmentSearch(const PuzzleClues& clues, PixelChoice choice)
        : Search(clues), chains_(clues), tree_(chains_, choice) {}

    bool next(Watch& watch, std::span<Word> cells) override {
        if (!search_) search_.emplace(tree_, tree_.root(watch));
        const World<Bits>* found = search_->next(watch);
        is_over_ = found == nullptr;
        if (is_over_) return false;
        ++solutions_;
        std::ranges::copy(found->colours, cells.begin());
        return true;
    }

    Statistics statistics() const override {
        const MessageCounts& counts = tree_.counts();
        const auto nodes = static_cast<std::int64_t>(search_ ? search_->nodes() : 0);
        return {{"nodes", nodes},
                {"painted", tree_.painted()},
                {"messages", counts.messages},
                {"segment_triggers", counts.segment_triggers},
                {"pixel_triggers", counts.pixel_triggers},
                {"category", category(solutions_, is_over_, nodes > 1)}};
    }

  private:
    Chains chains_;
    SegmentTree<Bits> tree_;
    std::optional<DepthFirst<SegmentTree<Bits>>> search_;
    std::size_t solutions_ = 0;
    bool is_over_ = false;
};

// Calls act<Bits>() with the smallest type that holds the borders between `length` pixels.
template <class Act>
auto with_borders(std::size_t length, Act act) {
    const std::size_t words = words_for(length + 1);
    if (words == 1) return act.template operator()<Word>();
    if (words == 2) return act.template operator()<Wide<2>>();
    if (words <= 4) return act.template operator()<Wide<4>>();
    if (words <= 9) return act.template operator()<Wide<9>>();
    if (words <= 17) return act.template operator()<Wide<17>>();
    return act.template operator()<Wide<kMaxLength / kWordBits + 1>>();
}

template <class Bits>
bool eliminate(const World<Bits>& unheard, Messages<Bits>& messages, std::span<const Word> cells,
               std::span<Word> eliminated, Watch& watch) {
    World<Bits> world = unheard;
    messages.trigger_all();
    bool possible = true;
    for (std::size_t pixel = 0; pixel < cells.size(); ++pixel)
        possible = messages.narrow_pixel(world, pixel, cells[pixel]) && possible;
    possible = messages.deliver(world, watch) && possible;
    std::ranges::copy(world.colours, eliminated.begin());
    return possible;
}

}  // namespace

std::unique_ptr<Search> make_segments_search(const PuzzleClues& clues, PixelChoice choice) {
    return with_borders(std::max(clues.rows.line_length(), clues.columns.line_length()),
                        [&]<class Bits>() -> std::unique_ptr<Search> {
                            return std::make_unique<SegmentSearch<Bits>>(clues, choice);
                        });
}

void eliminate_lines(const Clues& clue, std::size_t colours, std::span<const Word> cells,
                     std::span<Word> eliminated) {
    const Chains chains(clue, colours);
    const std::size_t length = clue.line_length();
    with_borders(length, [&]<class Bits>() {
        Watch watch;
        Messages<Bits> messages(chains);
        const World<Bits> unheard = messages.unheard_world(watch);
        for (std::size_t first = 0; first < cells.size(); first += length) {
            const std::span<Word> line = eliminated.subspan(first, length);
            if (!eliminate(unheard, messages, cells.subspan(first, length), line, watch))
                std::ranges::fill(line, Word{0});
        }
    });
}

}  // namespace nonocsp
