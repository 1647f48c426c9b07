// Ends long work in time: when another thread sets a flag, when a deadline passes, or when the caller's own
// callback (which looks for a pending Ctrl-C, say) throws. It also carries what the work tells of its
// progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>

#include "base/progress.hpp"

namespace nonocsp {

// A flag that one thread sets and the searches of other threads poll; they tell their progress in return.
class StopFlag {
  public:
    void set() { flag_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag_.load(std::memory_order_relaxed); }

    Progress& progress() const { return progress_; }

  private:
    std::atomic<bool> flag_{false};
    mutable Progress progress_;
};

// Thrown by Watch::check. The interrupted object is unusable unless its class says otherwise.
class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "told to stop"; }
};

// Thrown for a puzzle that is too large for a method; the message names the limit and the figure.
class Unsupported : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Watch {
  public:
    using Clock = std::chrono::steady_clock;

    // Never ends anything.
    Watch() = default;

    // Calls `look` every few milliseconds.
    Watch(const StopFlag* stop, std::optional<double> seconds, void (*look)() = nullptr)
        : stop_(stop), look_(look) {
        if (seconds) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(capped(*seconds));
    }

    // Call it about every hundred microseconds: it reads the clock at the first call, then at every 64th.
    void check() {
        check_flag();
        if (calls_++ % kCallsPerLook == 0) check_clock();
    }

    // The same, with the clock, for a thread that waits for others.
    void check_now() {
        check_flag();
        check_clock();
    }

    // Where the work tells its progress; nobody may read it.
    Progress& progress() { return stop_ == nullptr ? unread_ : stop_->progress(); }

  private:
    static constexpr std::uint32_t kCallsPerLook = 64;
    static constexpr std::chrono::milliseconds kLookEvery{10};

    // A longer time would overflow the clock.
    static std::chrono::duration<double> capped(double seconds) {
        return std::chrono::duration<double>(seconds < 1e9 ? seconds : 1e9);
    }

    void check_flag() const {
        if (stop_ != nullptr && stop_->is_set()) throw Interrupted();
    }

    void check_clock() {
        const Clock::time_point now = Clock::now();
        if (deadline_ && now >= *deadline_) throw Interrupted();
        if (look_ == nullptr || now < next_look_) return;
        next_look_ = now + kLookEvery;
        look_();
    }

    const StopFlag* stop_ = nullptr;
    void (*look_)() = nullptr;
    std::optional<Clock::time_point> deadline_;
    Clock::time_point next_look_;
    std::uint32_t calls_ = 0;
    Progress unread_;
};

}  // namespace nonocsp
