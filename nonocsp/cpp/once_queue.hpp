// A queue of numbers, first in, first out, each waiting at most once. Memory: 5 bytes a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nonocsp {

class OnceQueue {
  public:
    // Of the numbers below `count`.
    explicit OnceQueue(std::size_t count) : waiting_(count), ring_(count) {}

    bool empty() const { return count_ == 0; }

    void push(std::size_t number) {
        if (waiting_[number] != 0) return;
        waiting_[number] = 1;
        const std::size_t last = first_ + count_++;
        ring_[last < ring_.size() ? last : last - ring_.size()] = static_cast<std::uint32_t>(number);
    }

    std::size_t pop() {
        const std::size_t number = ring_[first_];
        if (++first_ == ring_.size()) first_ = 0;
        --count_;
        waiting_[number] = 0;
        return number;
    }

    void push_all() {
        for (std::size_t number = 0; number < waiting_.size(); ++number) push(number);
    }

    void clear() {
        while (!empty()) pop();
    }

  private:
    std::vector<std::uint8_t> waiting_;
    std::vector<std::uint32_t> ring_;
    std::size_t first_ = 0, count_ = 0;
};

}  // namespace nonocsp
