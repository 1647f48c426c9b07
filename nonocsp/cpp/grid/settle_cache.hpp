// Keeps the results of settling, for the next time that a line is in the same state: probing settles the same
// few states of each line over and over. Direct-mapped, with a small table a line: a table that does not fit
// into the processor's caches costs more than it saves.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

class SettleCache {
  public:
    // For lines whose planes take `line_words` words.
    SettleCache(std::size_t lines, std::size_t line_words)
        : line_words_(line_words),
          entries_(std::bit_floor(
              std::clamp(kEntriesWords / (lines * 2 * line_words), std::size_t{1}, kMostEntries))),
          table_(lines * entries_ * 2 * line_words) {}

    // The settled line, valid until the next call; null if no placement fits. Calls settle(settled) if no
    // result is kept; what it writes must depend on the line's state alone.
    template <class Settle>
    const Word* find(std::size_t line, std::span<const Word> state, Settle settle) {
        assert(state.size() == line_words_);
        Word* known_state = &table_[(line * entries_ + slot(state)) * 2 * line_words_];
        const std::span<Word> settled(known_state + line_words_, line_words_);
        if (is_equal(state, known_state)) {
            assert(is_empty(settled) || is_subset(settled, state));
            ++hits_;
        } else {
            std::ranges::copy(state, known_state);
            if (!settle(settled)) std::ranges::fill(settled, Word{0});
        }
        return is_empty(settled) ? nullptr : settled.data();
    }

    // The calls that a kept result answered.
    std::int64_t hits() const { return hits_; }

  private:
    static constexpr std::size_t kMostEntries = 128;  // a line
    static constexpr std::size_t kEntriesWords = std::size_t{1} << 18;

    // A loop, since the call of a library function takes longer than a line of a few words.
    static bool is_equal(std::span<const Word> state, const Word* known) {
        for (std::size_t i = 0; i < state.size(); ++i)
            if (state[i] != known[i]) return false;
        return true;
    }

    static bool is_empty(std::span<const Word> settled) {
        Word any = 0;
        for (const Word word : settled) any |= word;
        return any == 0;
    }

    std::size_t slot(std::span<const Word> state) const {
        assert(std::has_single_bit(entries_));  // so that the mask takes the hash to any of them
        Word hash = 0;
        for (const Word word : state) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
            hash ^= hash >> 32;
        }
        return hash & (entries_ - 1);
    }

    std::size_t line_words_, entries_;
    // [line][entry]: state, result. A result without candidates is a contradiction. A fresh entry is right
    // too: a state without candidates is one.
    std::vector<Word> table_;
    std::int64_t hits_ = 0;
};

}  // namespace nonocsp
