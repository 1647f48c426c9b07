#include "batch/batch.hpp"

#include <cassert>
#include <chrono>
#include <utility>

namespace nonocsp {
namespace {

using std::chrono::milliseconds, std::chrono::microseconds;

// Waiting puzzles for each thread that are worth another thread.
constexpr std::size_t kWorthThread = 32;
constexpr milliseconds kAlone{1};
// After so long without a finding, another thread starts if a puzzle waits.
constexpr milliseconds kLong{1};
constexpr milliseconds kLookEvery{10};
// How long the caller works on one puzzle, and before it hands findings on.
constexpr double kBriefSeconds = 0.002;
constexpr microseconds kTurn{200};

}  // namespace

Batch::Batch(Method method, const Question& question, std::size_t threads)
    : method_(std::move(method)),
      question_(question),
      most_threads_(threads),
      threads_from_(Watch::Clock::now() + kAlone) {
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
        const bool is_worth_it = tasks_.size() > kWorthThread * threads_.size();
        if (is_worth_it && Watch::Clock::now() >= threads_from_) start_thread();
    }
    puzzles.size() == 1 ? has_task_.notify_one() : has_task_.notify_all();
}

std::vector<Finding> Batch::take(std::size_t most, bool waits, void (*look)()) {
    const auto turn_ends = Watch::Clock::now() + kTurn;
    std::vector<Finding> taken;
    Lock lock(mutex_);
    for (;;) {
        collect(taken, most);
        if (taken.size() == most || !waits || findings_.empty()) return taken;
        if (has_task_for_caller() && (taken.empty() || Watch::Clock::now() < turn_ends)) {
            work_here(lock, look);
            continue;
        }
        if (!taken.empty()) return taken;
        const bool starts = threads_.size() < most_threads_ && !tasks_.empty();
        if (has_first_.wait_for(lock, starts ? kLong : kLookEvery, [&] { return is_ready(); })) continue;
        if (starts) start_thread();
        lock.unlock();
        look();
        lock.lock();
    }
}

void Batch::collect(std::vector<Finding>& taken, std::size_t most) {
    while (taken.size() < most && is_ready()) {
        taken.push_back(std::move(*findings_.front()));
        findings_.pop_front();
        ++first_;
    }
}

void Batch::work_here(Lock& lock, void (*look)()) {
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    if (task.is_long) {
        Watch watch(&stop_, question_.seconds, look);
        Finding finding = run(method_, task.puzzle, question_, watch, CpuOf::kThread);
        lock.lock();
        findings_.front() = std::move(finding);
        return;
    }
    const bool is_limit_brief = question_.seconds && *question_.seconds <= kBriefSeconds;
    Watch watch(&stop_, is_limit_brief ? *question_.seconds : kBriefSeconds);
    Finding finding = run_in_thread(task.puzzle, watch);
    lock.lock();
    if (finding.end == End::kInterrupted && !is_limit_brief) {
        task.is_long = true;
        tasks_.push_front(std::move(task));
        start_thread();
        has_task_.notify_one();
    } else {
        findings_.front() = std::move(finding);
    }
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
        ++idle_;
        has_task_.wait(lock, [&] { return stop_.is_set() || !tasks_.empty(); });
        --idle_;
        if (stop_.is_set()) return;
        const Task task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        Watch watch(&stop_, question_.seconds);
        Finding finding = run_in_thread(task.puzzle, watch);
        lock.lock();
        assert(task.number >= first_ && task.number - first_ < findings_.size());
        findings_[task.number - first_] = std::move(finding);
        if (task.number == first_) has_first_.notify_one();
    }
}

Finding Batch::run_in_thread(const OwnedPuzzle& puzzle, Watch& watch) {
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
