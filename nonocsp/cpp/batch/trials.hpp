// Tries changes of an image on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "grid/image_trials.hpp"

namespace nonocsp {

// What ImageTrials::open_after returns. `look` is called in the calling thread, which works as well; an
// exception in one thread ends all of them.
std::vector<std::int32_t> open_after(const ImageTrials& trials, std::span<const Change> changes, bool least,
                                     std::size_t threads, const StopFlag* stop, std::optional<double> seconds,
                                     void (*look)());

}  // namespace nonocsp
