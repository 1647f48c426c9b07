// What a long search tells of itself to a thread that waits for it. The search writes now and then, any
// thread reads at any time; the numbers need not be of the same moment.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nonocsp {

enum class Stage {
    kSearching,  // any search without stages
    kEncoding,
    kBacktracking,
    kProbing,
    kLearning,
    kCounting,
};

class Progress {
  public:
    static constexpr std::int64_t kUnknown = -1;

    struct Snapshot {
        Stage stage;
        std::int64_t conflicts;   // dead ends that taught a clause
        std::int64_t open_cells;  // at the root, or kUnknown
        double share;             // of the stage's work that is done, or negative if nobody can tell
    };

    // A new stage, of which nothing is done; the same stage again changes nothing.
    void begin(Stage stage) {
        if (stage_.exchange(stage, std::memory_order_relaxed) != stage) note_share(kUnknown);
    }
    // Takes over what threads tell that work for this search.
    void follow(const Progress& other) {
        conflicts_.store(other.conflicts_, std::memory_order_relaxed);
        open_cells_.store(other.open_cells_, std::memory_order_relaxed);
    }
    void count_conflict() { conflicts_.fetch_add(1, std::memory_order_relaxed); }
    void note_open_cells(std::size_t cells) {
        open_cells_.store(static_cast<std::int64_t>(cells), std::memory_order_relaxed);
    }
    void note_share(double share) { share_.store(share, std::memory_order_relaxed); }

    Snapshot snapshot() const {
        return {stage_.load(std::memory_order_relaxed), conflicts_.load(std::memory_order_relaxed),
                open_cells_.load(std::memory_order_relaxed), share_.load(std::memory_order_relaxed)};
    }

  private:
    std::atomic<Stage> stage_{Stage::kSearching};
    std::atomic<std::int64_t> conflicts_{0}, open_cells_{kUnknown};
    std::atomic<double> share_{kUnknown};
};

}  // namespace nonocsp
