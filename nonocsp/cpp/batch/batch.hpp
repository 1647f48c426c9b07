// Runs a method on many puzzles in threads and hands the findings on in the order of the puzzles. Threads
// start as they are needed: one with the first puzzles, another whenever many wait or the caller waits long.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/watch.hpp"
#include "batch/run.hpp"

namespace nonocsp {

// `put` and `take` belong to one thread. Destruction interrupts all runs.
class Batch {
  public:
    Batch(Method method, const Question& question, std::size_t threads);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    void put(std::vector<OwnedPuzzle> puzzles);

    // The findings whose turn has come, at most `most`. If there is none yet, waits for the first if told to,
    // and meanwhile calls `look` every few milliseconds, which may throw.
    std::vector<Finding> take(std::size_t most, bool waits, const std::function<void()>& look);

    // Puzzles whose findings were not taken, and those of them that no thread has begun.
    std::size_t size() const;
    std::size_t waiting() const;

  private:
    struct Task {
        std::size_t number;
        OwnedPuzzle puzzle;
    };

    void start_thread();
    void work();
    Finding run_in_thread(const OwnedPuzzle& puzzle);
    bool is_ready() const { return !findings_.empty() && findings_.front().has_value(); }

    const Method method_;
    const Question question_;
    const std::size_t most_threads_;
    StopFlag stop_;
    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable has_task_, has_first_;
    std::deque<Task> tasks_;
    std::deque<std::optional<Finding>> findings_;  // from number first_ on
    std::size_t first_ = 0;
    std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace nonocsp
