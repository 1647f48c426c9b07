#include "judging/repair_map.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "grid/image_clues.hpp"

namespace nonocsp {
namespace {

// Which rows and columns have a marked cell.
class MarkedLines {
  public:
    MarkedLines(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {}

    void mark(Cell cell) { rows_[cell.row] = columns_[cell.column] = 1; }
    bool cross(Cell cell) const { return rows_[cell.row] != 0 || columns_[cell.column] != 0; }

  private:
    std::vector<std::uint8_t> rows_, columns_;
};

}  // namespace

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

RepairMap::RepairMap(ImageTrials::Image image, std::size_t columns, std::size_t colours,
                     std::span<const std::uint8_t> others, Watch& watch)
    : image_(std::move(image)),
      columns_(columns),
      colours_(colours),
      trials_(image_, columns, colours, watch),
      effects_(image_.size() * colours) {
    const std::size_t cells = image_.size(), rows = cells / columns;
    MarkedLines open(rows, columns);
    trials_.known().for_each_open([&](Cell cell) { open.mark(cell); });
    std::vector<MarkedLines> differing;
    for (; !others.empty(); others = others.subspan(cells)) {
        MarkedLines& lines = differing.emplace_back(rows, columns);
        for (std::size_t i = 0; i < cells; ++i)
            if (others[i] != image_[i]) lines.mark({i / columns, i % columns});
    }
    for (std::size_t i = 0; i < cells; ++i) {
        const Cell cell{i / columns, i % columns};
        if (!open.cross(cell)) continue;
        const bool may_be_unique =
            !differing.empty() &&
            std::ranges::all_of(differing, [&](const MarkedLines& lines) { return lines.cross(cell); });
        for (std::size_t colour = 0; colour < colours; ++colour)
            if (colour != image_[i])
                changes_.push_back({{cell, static_cast<std::uint8_t>(colour)}, may_be_unique});
    }
}

bool RepairMap::advance(std::size_t changes, Watch& watch) {
    for (; changes > 0 && tried_ < changes_.size(); --changes, ++tried_) {
        const auto [cell, colour] = changes_[tried_].change;
        effects_[(cell.row * columns_ + cell.column) * colours_ + colour] = effect(changes_[tried_], watch);
    }
    return tried_ == changes_.size();
}

Effect RepairMap::effect(const Trial& trial, Watch& watch) const {
    const std::span<const Change> change(&trial.change, 1);
    if (trials_.open_after(change, true, watch)[0] == 0 && trials_.open_after(change, false, watch)[0] == 0)
        return Effect::kSimple;
    if (!trial.may_be_unique) return Effect::kNone;
    ImageTrials::Image changed = image_;
    changed[trial.change.cell.row * columns_ + trial.change.cell.column] = trial.change.colour;
    const PuzzleClues clues = clues_of_image(changed, columns_, colours_);
    AmbiguitySearch search(clues, changed, watch);
    search.decide(kPatience, watch);
    switch (search.solutions()) {
        case Solutions::kOne:
            return Effect::kUnique;
        case Solutions::kUnknown:
            return Effect::kUndecided;
        default:
            return Effect::kNone;
    }
}

}  // namespace nonocsp
