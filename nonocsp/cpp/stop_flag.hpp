// A flag that one thread sets and the searches of other threads poll.
#pragma once

#include <atomic>

namespace nonocsp {

class StopFlag {
  public:
    void set() { flag_.store(true, std::memory_order_relaxed); }
    bool is_set() const { return flag_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> flag_{false};
};

}  // namespace nonocsp
