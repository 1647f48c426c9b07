// Finds, for each cell of an image and each other colour, whether that single change leaves the image's
// puzzle one solution, and whether line solving then finds it.
//
// Two observations spare most of the work. Where line solving is stuck it stays stuck unless a line with an
// open cell changes. And if a change touches no line in which another solution differs from the image, that
// solution with the same change has the clues of the changed image, so there are still two. Adapt's search
// for the best change of an image is here, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "grid/image_trials.hpp"
#include "judging/ambiguity.hpp"

namespace nonocsp {

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
//
// Returns the index of the change with the least `alpha * open + cost`, where `open` counts the cells that
// line solving then leaves open; the first of several. There is a change, and a cost for each.
std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, Watch& watch);

// The same, with a lower bound of `open` for each change.
std::size_t best_change(const ImageTrials& trials, std::span<const Change> changes,
                        std::span<const double> costs, double alpha, std::span<const std::int32_t> least,
                        Watch& watch);

enum class Effect : std::uint8_t { kNone, kUndecided, kUnique, kSimple };

class RepairMap {
  public:
    // Conflicts after which it stays undecided whether a changed image is the only solution.
    static constexpr std::int64_t kPatience = 2000;

    // `others`: known solutions of the image's puzzle, one after the other, each with the cells of the image.
    // Without any, the image is taken to be the only solution, and only line solving is asked.
    RepairMap(ImageTrials::Image image, std::size_t columns, std::size_t colours,
              std::span<const std::uint8_t> others, Watch& watch);

    // Tries up to `changes` more changes; true once all are tried.
    bool advance(std::size_t changes, Watch& watch);

    std::size_t tried() const { return tried_; }
    std::size_t changes() const { return changes_.size(); }
    // [cell][colour]; kNone for the image's own colour.
    std::span<const Effect> effects() const { return effects_; }

  private:
    // A change that may help, and whether it may leave one solution that line solving does not find.
    struct Trial {
        Change change;
        bool may_be_unique;
    };

    Effect effect(const Trial& trial, Watch& watch) const;

    ImageTrials::Image image_;
    std::size_t columns_, colours_;
    ImageTrials trials_;
    std::vector<Trial> changes_;
    std::size_t tried_ = 0;
    std::vector<Effect> effects_;
};

}  // namespace nonocsp
