// The step of Adapt (Batenburg, Henstra, Kosters & Palenstijn 2009, figure 8): find the best single change of
// an image, without trying all of them.
//
// The value of a change is alpha times the number of cells that line solving leaves open in the changed
// image, plus a cost known beforehand. The exact number, line solving from the clues alone, is expensive. A
// lower bound, which costs a fraction of it, makes most of these numbers unnecessary.
//
// Let K be what line solving knows of the image. Everything in K except the changed cell is also true of the
// changed image, and every line except the two through that cell keeps its clue. Settling is monotone: from
// more true knowledge it reaches at least as much. So settling from K without that cell leaves at most as
// many cells open as settling from the clues alone. All other lines are at their fixpoint, so only those two
// are dirty at first. If K leaves nothing open, the bound is 0 without settling.
//
// Changes are tried exactly in the order of their bounds. The search ends at the first change whose bound is
// not below the best value. It returns what trying all changes would, ties included, after 1 to 10 exact
// trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/watch.hpp"
#include "grid/image_trials.hpp"

namespace nonocsp {

// The index of the change with the least `alpha * open + cost`, where `open` counts the cells that line
// solving then leaves open; the first of several. There is a change, and a cost for each.
std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, Watch& watch);

// The same, with a lower bound of `open` for each change.
std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, std::span<const std::int32_t> least,
                        Watch& watch);

}  // namespace nonocsp
