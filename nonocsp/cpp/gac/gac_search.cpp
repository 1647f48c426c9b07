#include "gac/gac_search.hpp"

#include <utility>

namespace nonocsp {

GacTree::GacTree(const PuzzleClues& clues, const GacOptions& options)
    : clues_(clues), options_(options), propagator_(clues), gac_(clues), random_(options.seed) {}

GacNode GacTree::root() const {
    return {Board(clues_.rows.size(), clues_.columns.size(), clues_.colours), Domains()};
}

bool GacTree::narrow(Node& node, std::vector<Node>& solutions, Watch& watch) {
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

// Lists the placements and makes them consistent: the three outcomes of GAC alone.
bool GacTree::enter_root(Node& root, Watch& watch) {
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
    const std::size_t open = root.board.open_cells();
    painted_ = clues_.rows.size() * clues_.columns.size() - open;
    outcome_ = !consistent ? "contradiction" : open == 0 ? "solved" : "open";
    return consistent;
}

std::vector<GacTree::Branch> GacTree::branches(const Node& node, Watch&) {
    const LineId line = choose_line(gac_, node, options_.variable_order);
    const std::size_t placement = choose_placement(gac_, node, line, options_.value_order, random_);
    return {{line, placement, true}, {line, placement, false}};
}

void GacTree::take(Node& node, const Branch& branch) {
    if (branch.kept)
        gac_.keep(node, branch.line, branch.placement);
    else
        gac_.exclude(node, branch.line, branch.placement);
}

Statistics GacTree::statistics() const {
    Statistics statistics{
        {"settles", propagator_.settles()}, {"painted", static_cast<std::int64_t>(painted_)},
        {"placements", gac_.placements()},  {"largest", gac_.largest()},
        {"removed", gac_.removed()},
    };
    if (outcome_) statistics.emplace_back("outcome", *outcome_);
    return statistics;
}

bool GacSearch::next(Watch& watch, std::span<Word> cells) {
    const GacNode* solution = search_.next(watch);
    if (solution == nullptr) return false;
    solution->board.write(cells);
    return true;
}

Statistics GacSearch::statistics() const {
    Statistics statistics = tree_.statistics();
    statistics.emplace_back("nodes", static_cast<std::int64_t>(search_.nodes()));
    return statistics;
}

}  // namespace nonocsp
