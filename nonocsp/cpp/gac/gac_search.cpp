#include "gac/gac_search.hpp"

#include <array>
#include <cassert>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gac/gac.hpp"
#include "line/planes.hpp"
#include "search/tree_search.hpp"

namespace nonocsp {
namespace {

std::uint64_t weight_of(const Gac& gac, const GacNode& node, LineId id) {
    const std::size_t words = words_for(node.board.length(id.axis));
    std::uint64_t weight = 1;
    for (std::size_t word = 0; word < words; ++word)
        for_each_cell(open_cells(node.board.line(id), words, word), word * kWordBits,
                      [&](std::size_t cell) { weight += gac.conflicts(cell_of(id, cell)); });
    return weight;
}

// A candidate of a line's cell: the line's placements with it, and its share of the crossing line's domain.
struct Support {
    const Word* placements;
    double share;
};

std::vector<Support> supports(const Gac& gac, const GacNode& node, LineId id) {
    std::vector<Support> supports;
    const std::span<const Word> line = node.board.line(id);
    for_each_open_candidate(
        line, words_for(node.board.length(id.axis)), [&](std::size_t cell, std::size_t colour) {
            const LineId other{crossing(id.axis), cell};
            const std::size_t number = gac.number()(other);
            const std::size_t agree = node.domains.count(number, gac.table(other).with(id.position, colour));
            supports.push_back({gac.table(id).with(cell, colour),
                                static_cast<double>(agree) / static_cast<double>(node.domains.size(number))});
        });
    return supports;
}

// The first placement with the highest sum of shares.
std::size_t best_supported(const Gac& gac, const GacNode& node, LineId id) {
    const std::vector<Support> candidates = supports(gac, node, id);
    std::size_t best = 0;
    double most = -1;
    node.domains.for_each_word(gac.number()(id), [&](Word word, std::size_t first) {
        std::array<double, kWordBits> sums{};
        for (const Support& support : candidates)
            for_each_cell(word & support.placements[first / kWordBits], 0,
                          [&](std::size_t bit) { sums[bit] += support.share; });
        for_each_cell(word, 0, [&](std::size_t bit) {
            if (sums[bit] <= most) return;
            most = sums[bit];
            best = first + bit;
        });
    });
    return best;
}

// A line with several placements; there must be one.
LineId choose_line(const Gac& gac, const GacNode& node, VariableOrder order) {
    std::size_t best = 0, best_size = 0;
    std::uint64_t best_weight = 0;
    for (std::size_t line = 0; line < gac.line_count(); ++line) {
        const std::size_t size = node.domains.size(line);
        if (size < 2) continue;
        const LineId id = gac.number().line(line);
        if (order == VariableOrder::kFirst) return id;
        const std::uint64_t weight = order == VariableOrder::kDomWdeg ? weight_of(gac, node, id) : 1;
        if (best_size != 0 && size * best_weight >= best_size * weight) continue;
        best = line, best_size = size, best_weight = weight;
    }
    assert(best_size > 1);  // some cell is open, so both of its lines have several placements
    return gac.number().line(best);
}

std::size_t choose_placement(const Gac& gac, const GacNode& node, LineId id, ValueOrder order,
                             std::mt19937_64& random) {
    const std::size_t line = gac.number()(id);
    switch (order) {
        case ValueOrder::kFirst:
            return node.domains.nth(line, 0);
        case ValueOrder::kSupport:
            return best_supported(gac, node, id);
        case ValueOrder::kRandom:
            return node.domains.nth(line, random() % node.domains.size(line));
    }
    return 0;
}

// The search tree.
class GacTree {
  public:
    using Node = GacNode;
    struct Branch {
        LineId line;
        std::size_t placement;
        bool kept;
    };

    GacTree(const PuzzleClues& clues, const GacOptions& options)
        : options_(options), propagator_(clues), gac_(clues), random_(options.seed) {}

    bool narrow(Node& node, std::vector<Node>& solutions, Watch& watch) {
        const bool consistent =
            std::exchange(entered_, true) ? gac_.to_fixpoint(node, watch) : enter_root(node, watch);
        if (!consistent) return false;
        if (node.board.open_cells() == 0) {
            solutions.push_back(std::move(node));
            return false;
        }
        node.domains.compact();
        return true;
    }

    std::vector<Branch> branches(const Node& node, Watch&) {
        const LineId line = choose_line(gac_, node, options_.variable_order);
        const std::size_t placement = choose_placement(gac_, node, line, options_.value_order, random_);
        return {{line, placement, true}, {line, placement, false}};
    }

    void take(Node& node, const Branch& branch) {
        gac_.branch(node, branch.line, branch.placement, branch.kept);
    }

    void add_to(Statistics& statistics) const {
        statistics.emplace_back("settles", propagator_.settles());
        statistics.emplace_back("painted", painted_);
        statistics.emplace_back("placements", gac_.placements());
        statistics.emplace_back("largest", gac_.largest());
        statistics.emplace_back("removed", gac_.removed());
        if (outcome_) statistics.emplace_back("outcome", *outcome_);
    }

  private:
    // Lists the placements and makes them consistent. The outcome is that of GAC without search.
    bool enter_root(Node& root, Watch& watch) {
        bool consistent = true;
        if (options_.settle) {
            propagator_.touch_all();
            consistent = !propagator_.to_fixpoint(root.board, watch);
        }
        if (consistent) {
            std::optional<Domains> domains = gac_.tabulate(root.board, options_.max_placements, watch);
            consistent = domains.has_value();
            if (consistent) root.domains = std::move(*domains);
        }
        consistent = consistent && gac_.to_fixpoint(root, watch);
        painted_ = decided_cells(root.board);
        outcome_ = !consistent ? "contradiction" : root.board.open_cells() == 0 ? "solved" : "open";
        return consistent;
    }

    GacOptions options_;
    Propagator propagator_;
    Gac gac_;
    std::mt19937_64 random_;
    bool entered_ = false;
    std::optional<std::string> outcome_;  // of the root
    std::int64_t painted_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_gac_search(const PuzzleClues& clues, const GacOptions& options) {
    return std::make_unique<TreeSearch<GacTree>>(clues, options);
}

}  // namespace nonocsp
