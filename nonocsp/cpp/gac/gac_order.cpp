#include "gac/gac_order.hpp"

#include <array>
#include <cassert>
#include <vector>

#include "line/planes.hpp"

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

// A candidate of a line's cell: the line's placements with it, and the share of the crossing line's.
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

// The first of those with the highest sum of shares.
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

}  // namespace

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
    assert(best_size > 0);
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

}  // namespace nonocsp
