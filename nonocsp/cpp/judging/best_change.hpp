// The step of Adapt (Batenburg, Henstra, Kosters & Palenstijn 2009, figure 8): the best single change of an
// image. nonocsp/making/adapt.py has the same search on several threads, and the proof that the bounds do not
// change the result.
#pragma once

#include <cstddef>
#include <span>

#include "base/watch.hpp"
#include "grid/image_trials.hpp"

namespace nonocsp {

// The index of the change with the least `alpha * open + cost`, where `open` counts the cells that line
// solving then leaves open; the first of several. There is a change, and a cost for each.
std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, Watch& watch);

}  // namespace nonocsp
