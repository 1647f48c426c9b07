// What settling a line gave, kept for the next time that the line is in the same state: probing settles the
// same few states of each line over and over. Direct-mapped, a small table a line: one that does not fit
// into the processor's caches costs more than it saves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

class SettleCache {
  public:
    // For lines whose planes have `line_words` words together.
    SettleCache(std::size_t lines, std::size_t line_words)
        : line_words_(line_words),
          entries_(std::bit_floor(
              std::clamp(kEntriesWords / (lines * 2 * line_words), std::size_t{1}, kMostEntries))),
          table_(lines * entries_ * 2 * line_words) {}

    // What a line settles to, valid until the next call; null if no placement fits. Calls settle(settled) if
    // that is not known, always the same function of a line's state.
    template <class Settle>
    const Word* find(std::size_t line, std::span<const Word> state, Settle settle) {
        Word* known_state = &table_[(line * entries_ + slot(state)) * 2 * line_words_];
        const std::span<Word> settled(known_state + line_words_, line_words_);
        if (is_equal(state, known_state)) {
            ++hits_;
        } else {
            std::ranges::copy(state, known_state);
            if (!settle(settled)) std::ranges::fill(settled, Word{0});
        }
        return is_empty(settled) ? nullptr : settled.data();
    }

    // Calls that found the result known.
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
        Word hash = 0;
        for (const Word word : state) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
            hash ^= hash >> 32;
        }
        return hash & (entries_ - 1);
    }

    std::size_t line_words_, entries_;
    // [line][entry]: state, result. No candidates are the result of a contradiction, and of what no entry has
    // been written for: a state without any candidate.
    std::vector<Word> table_;
    std::int64_t hits_ = 0;
};

}  // namespace nonocsp
