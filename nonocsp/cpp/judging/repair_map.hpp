// Finds, for each cell of an image and each other colour, whether that single change leaves the image's
// puzzle one solution, and whether line solving then finds it.
//
// Two observations spare most of the work. Where line solving is stuck it stays stuck unless a line with an
// open cell changes. And if a change touches no line in which another solution differs from the image, that
// solution with the same change has the clues of the changed image, so there are still two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "grid/image_trials.hpp"
#include "judging/ambiguity.hpp"

namespace nonocsp {

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
