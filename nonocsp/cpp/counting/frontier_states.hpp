// A set of states of a frontier, each with the number of ways that lead to it: a hash table with open
// addressing over arrays, so that a layer is read from the first entry to the last. Keys and counts have as
// many words as the layer needs. Memory: 8 bytes a word of key and count, and 6 to 12 bytes for the slots.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/natural.hpp"

namespace nonocsp {

class FrontierStates {
  public:
    static constexpr std::size_t kMost = 0xfffffffe;  // entries

    // An empty table. The sum of all counts must fit into `count_words`.
    void reset(std::size_t key_words, std::size_t count_words) {
        key_words_ = key_words;
        count_words_ = count_words;
        keys_.clear();
        counts_.clear();
        slots_.assign(kFewest, kEmpty);
    }

    std::size_t size() const { return key_words_ == 0 ? 0 : keys_.size() / key_words_; }
    std::size_t bytes() const {
        return (keys_.capacity() + counts_.capacity()) * sizeof(Word) +
               slots_.capacity() * sizeof(std::uint32_t);
    }
    // The most bytes an entry takes: vectors double, and hold the old and the new words while they grow.
    static std::size_t bytes_of_entry(std::size_t key_words, std::size_t count_words) {
        return 3 * (key_words + count_words) * sizeof(Word) + 4 * sizeof(std::uint32_t);
    }

    std::span<const Word> key(std::size_t entry) const { return {&keys_[entry * key_words_], key_words_}; }
    std::span<const Word> count(std::size_t entry) const {
        return {&counts_[entry * count_words_], count_words_};
    }

    // Adds to the count of a state.
    void add(std::span<const Word> key, std::span<const Word> count) {
        assert(key.size() == key_words_ && count.size() <= count_words_);
        const std::size_t slot = slot_of(key);
        if (slots_[slot] != kEmpty) {
            [[maybe_unused]] const Word carry =
                add_to({&counts_[slots_[slot] * count_words_], count_words_}, count);
            assert(carry == 0);
            return;
        }
        assert(size() < kMost);
        slots_[slot] = static_cast<std::uint32_t>(size());
        keys_.insert(keys_.end(), key.begin(), key.end());
        counts_.insert(counts_.end(), count.begin(), count.end());
        counts_.resize(size() * count_words_);
        if (2 * size() > slots_.size()) rehash();
    }

    // The sum of all counts.
    Natural total() const {
        std::vector<Word> sum(count_words_ + 1);
        for (std::size_t entry = 0; entry < size(); ++entry) add_to(sum, count(entry));
        return Natural(std::span<const Word>(sum));
    }

  private:
    static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kFewest = 16;

    static std::size_t hash(std::span<const Word> key) {
        Word mixed = 0x9e3779b97f4a7c15;
        for (const Word word : key) {
            mixed = (mixed ^ word) * 0xff51afd7ed558ccd;
            mixed ^= mixed >> 32;
        }
        return static_cast<std::size_t>(mixed * 0xc4ceb9fe1a85ec53 >> 20);
    }

    std::size_t slot_of(std::span<const Word> key) const {
        std::size_t slot = hash(key) & (slots_.size() - 1);
        while (slots_[slot] != kEmpty && !std::ranges::equal(this->key(slots_[slot]), key))
            slot = (slot + 1) & (slots_.size() - 1);
        return slot;
    }

    void rehash() {
        slots_.assign(2 * slots_.size(), kEmpty);
        for (std::size_t entry = 0; entry < size(); ++entry) {
            const std::size_t slot = slot_of(key(entry));
            slots_[slot] = static_cast<std::uint32_t>(entry);
        }
    }

    std::size_t key_words_ = 0, count_words_ = 0;
    std::vector<Word> keys_, counts_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace nonocsp
