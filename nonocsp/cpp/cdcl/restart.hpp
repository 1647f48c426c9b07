// When to restart: the fast average of the glue of learnt clauses exceeds the slow one by a margin (Audemard
// & Simon 2009; as exponential moving averages, Biere & Fröhlich 2015), or after Luby's sequence (Luby,
// Sinclair & Zuckerman 1993).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "cdcl/options.hpp"

namespace nonocsp {

class Restart {
  public:
    explicit Restart(const SearchOptions& options) : options_(options) {}

    // Notes a clause learnt from a conflict.
    void note_conflict(std::int32_t glue) {
        assert(glue > 0);
        ++conflicts_;
        ++since_restart_;
        fast_ += (glue - fast_) / static_cast<double>(options_.glue_fast_window);
        // A plain mean until the window is full.
        slow_ += (glue - slow_) / static_cast<double>(std::min(options_.glue_slow_window, conflicts_));
        assert(fast_ >= 0 && slow_ >= 0);
    }

    bool is_due() const {
        if (options_.restart == RestartPolicy::kLuby) return since_restart_ >= luby_ * options_.luby_unit;
        return since_restart_ >= options_.restart_interval && fast_ > options_.restart_margin * slow_;
    }

    // Begins a new run.
    void note_restart() {
        since_restart_ = 0;
        // Knuth's reluctant doubling: luby_ runs through 1, 1, 2, 1, 1, 2, 4, …
        if ((luby_state_ & -luby_state_) == luby_) {
            ++luby_state_;
            luby_ = 1;
        } else {
            luby_ *= 2;
        }
        assert((luby_ & (luby_ - 1)) == 0);
    }

    double fast_glue() const { return fast_; }
    double slow_glue() const { return slow_; }

  private:
    SearchOptions options_;
    double fast_ = 0, slow_ = 0;  // glue, in levels
    std::int64_t conflicts_ = 0, since_restart_ = 0;
    std::int64_t luby_state_ = 1, luby_ = 1;
};

}  // namespace nonocsp
