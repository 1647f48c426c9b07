#include "judging/best_change.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace nonocsp {

std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, Watch& watch) {
    std::vector<std::int32_t> least(changes.size());
    if (trials.known().open_cells() > 0) least = trials.open_after(changes, true, watch);
    return best_change(trials, changes, costs, alpha, least, watch);
}

std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, std::span<const std::int32_t> least,
                        Watch& watch) {
    assert(!changes.empty() && changes.size() == costs.size() && changes.size() == least.size());
    std::vector<double> bounds(costs.begin(), costs.end());
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] += alpha * least[i];
    std::vector<std::size_t> order(changes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return bounds[i]; });
    std::pair best{std::numeric_limits<double>::infinity(), changes.size()};
    for (const std::size_t i : order) {
        if (std::pair(bounds[i], i) >= best) break;
        const double open = trials.open_after(changes.subspan(i, 1), false, watch)[0];
        best = std::min(best, std::pair(alpha * open + costs[i], i));
    }
    return best.second;
}

}  // namespace nonocsp
