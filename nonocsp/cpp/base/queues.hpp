// Queues of numbers below a bound, in which each number waits at most once.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

// First in, first out. Memory: 5 bytes a number.
class OnceQueue {
  public:
    // Of the numbers below `count`.
    explicit OnceQueue(std::size_t count) : waiting_(count), ring_(count) {}

    bool empty() const { return count_ == 0; }

    void push(std::size_t number) {
        assert(number < waiting_.size());
        if (waiting_[number] != 0) return;
        waiting_[number] = 1;
        assert(count_ < ring_.size());  // no number waits twice, so there is room for one more
        const std::size_t last = first_ + count_++;
        ring_[last < ring_.size() ? last : last - ring_.size()] = static_cast<std::uint32_t>(number);
    }

    std::size_t pop() {
        assert(!empty());
        const std::size_t number = ring_[first_];
        assert(waiting_[number] != 0);
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

// Goes up and down like a lift: it serves the waiting numbers in ascending order, turns at the last one, and
// serves those that wait then in descending order. A change that passes along a chain of numbers, in either
// direction, reaches the end in one run. Memory: 1 bit a number.
class LiftQueue {
  public:
    // Of the numbers below `count`.
    explicit LiftQueue(std::size_t count) : count_(count), waiting_(words_for(count)) {}

    bool empty() const { return size_ == 0; }

    void push(std::size_t number) {
        assert(number < count_);
        Word& word = waiting_[number / kWordBits];
        const Word bit = Word{1} << number % kWordBits;
        if ((word & bit) == 0) ++size_;
        word |= bit;
    }

    std::size_t pop() {
        assert(!empty());
        std::optional<std::size_t> next = goes_up_ ? above() : below();
        if (!next) {
            goes_up_ = !goes_up_;
            next = goes_up_ ? above() : below();
        }
        assert(next);  // size_ counts the waiting numbers
        position_ = *next;
        waiting_[position_ / kWordBits] ^= Word{1} << position_ % kWordBits;
        --size_;
        return position_;
    }

    void push_all() {
        for (std::size_t number = 0; number < count_; ++number) push(number);
    }

    void clear() {
        while (!empty()) pop();
    }

  private:
    std::optional<std::size_t> above() const {
        Word ahead = ~Word{0} << position_ % kWordBits;
        for (std::size_t word = position_ / kWordBits; word < waiting_.size(); ++word, ahead = ~Word{0})
            if (const Word found = waiting_[word] & ahead)
                return word * kWordBits + static_cast<std::size_t>(std::countr_zero(found));
        return std::nullopt;
    }

    std::optional<std::size_t> below() const {
        Word ahead = ~Word{0} >> (kWordBits - 1 - position_ % kWordBits);
        for (std::size_t word = position_ / kWordBits + 1; word-- > 0; ahead = ~Word{0})
            if (const Word found = waiting_[word] & ahead)
                return word * kWordBits + static_cast<std::size_t>(std::bit_width(found)) - 1;
        return std::nullopt;
    }

    std::size_t count_;
    std::vector<Word> waiting_;
    std::size_t size_ = 0;
    std::size_t position_ = 0;
    bool goes_up_ = true;
};

}  // namespace nonocsp
