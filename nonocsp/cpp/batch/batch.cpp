#include "batch/batch.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

namespace nonocsp {
namespace {

// Waiting puzzles for each thread that are worth another thread.
constexpr std::size_t kWorthThread = 32;
// After so long without a finding, the puzzles are hard: all threads start.
constexpr std::chrono::milliseconds kLong{1};
constexpr std::chrono::milliseconds kLookEvery{10};

}  // namespace

Batch::Batch(Method method, const Question& question, std::size_t threads)
    : method_(std::move(method)), question_(question), most_threads_(threads) {
    assert(threads > 0);
}

Batch::~Batch() {
    {
        const std::scoped_lock lock(mutex_);  // no thread is between its look at the flag and its wait
        stop_.set();
    }
    has_task_.notify_all();
}

void Batch::put(std::vector<OwnedPuzzle> puzzles) {
    {
        const std::scoped_lock lock(mutex_);
        for (OwnedPuzzle& puzzle : puzzles) {
            tasks_.push_back({first_ + findings_.size(), std::move(puzzle)});
            findings_.emplace_back();
        }
        if (threads_.empty() || tasks_.size() > kWorthThread * threads_.size()) start_thread();
    }
    puzzles.size() == 1 ? has_task_.notify_one() : has_task_.notify_all();
}

std::vector<Finding> Batch::take(std::size_t most, bool waits, const std::function<void()>& look) {
    std::unique_lock lock(mutex_);
    while (waits && !findings_.empty() && !is_ready()) {
        const bool starts = threads_.size() < most_threads_ && !tasks_.empty();
        if (has_first_.wait_for(lock, starts ? kLong : kLookEvery, [&] { return is_ready(); })) break;
        if (starts) start_thread();
        lock.unlock();
        look();
        lock.lock();
    }
    std::vector<Finding> taken;
    while (taken.size() < most && is_ready()) {
        taken.push_back(std::move(*findings_.front()));
        findings_.pop_front();
        ++first_;
    }
    return taken;
}

std::size_t Batch::size() const {
    const std::scoped_lock lock(mutex_);
    return findings_.size();
}

std::size_t Batch::waiting() const {
    const std::scoped_lock lock(mutex_);
    return tasks_.size();
}

void Batch::start_thread() {
    if (threads_.size() < most_threads_) threads_.emplace_back([this] { work(); });
}

void Batch::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        has_task_.wait(lock, [&] { return stop_.is_set() || !tasks_.empty(); });
        if (stop_.is_set()) return;
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        Finding finding = run_in_thread(task.puzzle);
        lock.lock();
        assert(task.number >= first_ && task.number - first_ < findings_.size());
        findings_[task.number - first_] = std::move(finding);
        if (task.number == first_) has_first_.notify_one();
    }
}

Finding Batch::run_in_thread(const OwnedPuzzle& puzzle) {
    Watch watch(&stop_, question_.seconds);
    try {
        return run(method_, puzzle, question_, watch, CpuOf::kThread);
    } catch (...) {  // must not leave the thread
        Finding finding;
        finding.end = End::kFault;
        finding.message = "an unknown exception";
        return finding;
    }
}

}  // namespace nonocsp
