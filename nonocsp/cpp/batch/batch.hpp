// Runs a method on many puzzles in threads and hands the findings on in the order of the puzzles.
//
// A thread costs more than an easy puzzle, and a busy machine may wake it late. So the caller begins alone,
// and threads start only after a millisecond, as many as have work. Later, too, the caller itself solves the
// puzzle that it waits for if no thread has begun it, but hands it over when that takes long.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
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

    // The findings whose turn has come, at most `most`. If there is none yet, works or waits for the first if
    // told to, and meanwhile calls `look` every few milliseconds, which may throw.
    std::vector<Finding> take(std::size_t most, bool waits, void (*look)());

    // Puzzles whose findings were not taken, and those of them that no thread has begun.
    std::size_t size() const;
    std::size_t waiting() const;

  private:
    struct Task {
        std::size_t number;
        OwnedPuzzle puzzle;
        bool is_long = false;  // for the caller only if no thread is idle: all may be busy for hours
    };
    using Lock = std::unique_lock<std::mutex>;

    void collect(std::vector<Finding>& taken, std::size_t most);
    // Works on the first task, with the lock open.
    void work_here(Lock& lock, void (*look)());
    void start_thread();
    void work();
    Finding run_in_thread(const OwnedPuzzle& puzzle, Watch& watch);
    bool has_task_for_caller() const {
        if (tasks_.empty() || tasks_.front().number != first_) return false;
        return !tasks_.front().is_long || (threads_.size() == most_threads_ && idle_ == 0);
    }
    bool is_ready() const { return !findings_.empty() && findings_.front().has_value(); }

    const Method method_;
    const Question question_;
    const std::size_t most_threads_;
    const Watch::Clock::time_point threads_from_;  // before, the caller is alone
    StopFlag stop_;
    mutable std::mutex mutex_;  // guards what follows
    std::condition_variable has_task_, has_first_;
    std::deque<Task> tasks_;
    std::deque<std::optional<Finding>> findings_;  // from number first_ on
    std::size_t first_ = 0;
    std::size_t idle_ = 0;               // threads
    std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace nonocsp
