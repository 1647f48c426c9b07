// What settling a line gave, kept for the next time that the line is in the same state: probing settles the
// same few states of each line over and over. Direct-mapped, a small table a line: one that does not fit
// into the processor's caches costs more than it saves.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "bits.hpp"
#include "clue.hpp"
#include "settler.hpp"

namespace nonocsp {

class SettleCache {
  public:
    // For lines whose planes have `line_words` words together.
    SettleCache(std::size_t lines, std::size_t line_words)
        : line_words_(line_words),
          entry_words_(1 + 2 * line_words),
          entries_(
              std::bit_floor(std::clamp(kWordsInAll / (lines * entry_words_), std::size_t{1}, kMostEntries))),
          table_(lines * entries_ * entry_words_) {}

    // What a line settles to, always with the same clue, valid until the next call; null if no placement
    // fits.
    const Word* settle(std::size_t line, const Clue& clue, std::span<const Word> state, Settler& settler) {
        Word* entry = &table_[(line * entries_ + slot(state)) * entry_words_];
        Word *known_state = entry + 1, *settled = known_state + line_words_;
        if (*entry == kUnknown || !is_equal(state, known_state)) {
            std::ranges::copy(state, known_state);
            *entry = settler.settle(clue, state, {settled, line_words_}) ? kFits : kContradicts;
        }
        return *entry == kFits ? settled : nullptr;
    }

  private:
    enum Known : Word { kUnknown, kFits, kContradicts };  // the first word of an entry
    static constexpr std::size_t kMostEntries = 256;      // a line
    static constexpr std::size_t kWordsInAll = std::size_t{1} << 18;

    // A loop, since the call of a library function takes longer than a line of a few words.
    static bool is_equal(std::span<const Word> state, const Word* known) {
        for (std::size_t i = 0; i < state.size(); ++i)
            if (state[i] != known[i]) return false;
        return true;
    }

    std::size_t slot(std::span<const Word> state) const {
        Word hash = 0;
        for (const Word word : state) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
            hash ^= hash >> 32;
        }
        return hash & (entries_ - 1);
    }

    std::size_t line_words_, entry_words_, entries_;
    std::vector<Word> table_;  // [line][entry]: Known, state, result
};

}  // namespace nonocsp
