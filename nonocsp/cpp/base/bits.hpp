// Sets of positions: bit i = position i. A set of up to 64 positions is a plain Word, a larger one a Wide<N>.
// Both offer the same operations (&, |, step_up, step_down, fill_up, reversed), so that algorithms are
// written once, as templates over Bits. Every operation costs O(N) word operations, with N known to the
// compiler.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

namespace nonocsp {

using Word = std::uint64_t;
inline constexpr std::size_t kWordBits = 64;
inline constexpr std::size_t kMaxLength = 4096;

template <std::size_t N>
struct Wide {
    std::array<Word, N> words;

    friend Wide operator&(Wide a, const Wide& b) {
        for (std::size_t i = 0; i < N; ++i) a.words[i] &= b.words[i];
        return a;
    }
    friend Wide operator|(Wide a, const Wide& b) {
        for (std::size_t i = 0; i < N; ++i) a.words[i] |= b.words[i];
        return a;
    }
    friend Wide operator~(Wide a) {
        for (Word& word : a.words) word = ~word;
        return a;
    }
    Wide& operator&=(const Wide& b) { return *this = *this & b; }
    Wide& operator|=(const Wide& b) { return *this = *this | b; }
    bool operator==(const Wide&) const = default;
};

template <class Bits>
inline constexpr std::size_t kWords = sizeof(Bits) / sizeof(Word);

constexpr std::size_t words_for(std::size_t cells) { return (cells + kWordBits - 1) / kWordBits; }

template <class Bits>
Bits load(const Word* words) {
    std::array<Word, kWords<Bits>> bits;
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = words[i];
    return std::bit_cast<Bits>(bits);
}

template <class Bits>
void store(Word* words, const Bits& bits) {
    const auto from = std::bit_cast<std::array<Word, kWords<Bits>>>(bits);
    for (std::size_t i = 0; i < from.size(); ++i) words[i] = from[i];
}

// The set of one position.
template <class Bits>
Bits single(std::size_t position) {
    assert(position < kWords<Bits> * kWordBits);
    std::array<Word, kWords<Bits>> words{};
    words[position / kWordBits] = Word{1} << position % kWordBits;
    return std::bit_cast<Bits>(words);
}

// Every position moved up by one; the topmost drops out.
inline Word step_up(Word x) { return x << 1; }

template <std::size_t N>
Wide<N> step_up(const Wide<N>& x) {
    Wide<N> y;
    y.words[0] = x.words[0] << 1;
    for (std::size_t i = 1; i < N; ++i) y.words[i] = x.words[i] << 1 | x.words[i - 1] >> (kWordBits - 1);
    return y;
}

// Every position moved down by one.
inline Word step_down(Word x) { return x >> 1; }

template <std::size_t N>
Wide<N> step_down(const Wide<N>& x) {
    Wide<N> y;
    for (std::size_t i = 0; i + 1 < N; ++i) y.words[i] = x.words[i] >> 1 | x.words[i + 1] << (kWordBits - 1);
    y.words[N - 1] = x.words[N - 1] >> 1;
    return y;
}

// The positions reached from `from`, a subset of `through`, by steps up inside `through`: a carry runs
// through the ones.
inline Word fill_up(Word from, Word through) {
    assert((from & ~through) == 0);
    return (through & (~through - from)) | from;
}

template <std::size_t N>
Wide<N> fill_up(const Wide<N>& from, const Wide<N>& through) {
    assert((from & ~through) == Wide<N>{});
    Wide<N> filled;
    Word carry = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const Word partial = through.words[i] + from.words[i];
        const Word sum = partial + carry;
        carry = Word{partial < from.words[i]} | Word{sum < partial};
        filled.words[i] = (through.words[i] & ~sum) | from.words[i];
    }
    return filled;
}

// The set read backwards: position i becomes position 64 * words - 1 - i.
inline Word reversed(Word x) {
    x = ((x >> 1) & 0x5555555555555555U) + ((x & 0x5555555555555555U) << 1);
    x = ((x >> 2) & 0x3333333333333333U) + ((x & 0x3333333333333333U) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fU) + ((x & 0x0f0f0f0f0f0f0f0fU) << 4);
    return __builtin_bswap64(x);
}

template <std::size_t N>
Wide<N> reversed(const Wide<N>& x) {
    Wide<N> y;
    for (std::size_t i = 0; i < N; ++i) y.words[i] = reversed(x.words[N - 1 - i]);
    return y;
}

// Whether a cell is in a set of any length.
inline bool contains(const Word* words, std::size_t cell) {
    return (words[cell / kWordBits] >> cell % kWordBits & 1) != 0;
}

// Whether one set of any length is part of another.
inline bool is_subset(std::span<const Word> part, std::span<const Word> whole) {
    assert(part.size() == whole.size());
    Word beyond = 0;
    for (std::size_t i = 0; i < part.size(); ++i) beyond |= part[i] & ~whole[i];
    return beyond == 0;
}

// Adds the cells first..end - 1 to a set of any length.
inline void add_cells(Word* words, std::size_t first, std::size_t end) {
    while (first < end) {
        const std::size_t low = first % kWordBits;
        const std::size_t cells = end - first < kWordBits - low ? end - first : kWordBits - low;
        words[first / kWordBits] |= ~Word{0} >> (kWordBits - cells) << low;
        first += cells;
    }
}

// The positions reached from `from`, a subset of `through`, by steps down inside `through`.
template <class Bits>
Bits fill_down(const Bits& from, const Bits& through) {
    return reversed(fill_up(reversed(from), reversed(through)));
}

// Every position moved up by `count`, which is less than the number of positions.
inline Word moved_up(Word x, std::size_t count) {
    assert(count < kWordBits);
    return x << count;
}

template <std::size_t N>
Wide<N> moved_up(const Wide<N>& x, std::size_t count) {
    assert(count < N * kWordBits);
    const std::size_t words = count / kWordBits, low = count % kWordBits;
    Wide<N> y{};
    for (std::size_t i = words; i < N; ++i) {
        y.words[i] = x.words[i - words] << low;
        if (i > words) y.words[i] |= x.words[i - words - 1] >> 1 >> (kWordBits - 1 - low);
    }
    return y;
}

// Every position moved down by `count`, which is less than the number of positions.
inline Word moved_down(Word x, std::size_t count) {
    assert(count < kWordBits);
    return x >> count;
}

template <std::size_t N>
Wide<N> moved_down(const Wide<N>& x, std::size_t count) {
    assert(count < N * kWordBits);
    const std::size_t words = count / kWordBits, low = count % kWordBits;
    Wide<N> y{};
    for (std::size_t i = 0; i + words < N; ++i) {
        y.words[i] = x.words[i + words] >> low;
        if (i + words + 1 < N) y.words[i] |= x.words[i + words + 1] << 1 << (kWordBits - 1 - low);
    }
    return y;
}

// Calls visit(cell) for every cell of a set, in order.
template <class Visit>
void for_each_cell(Word word, std::size_t offset, Visit visit) {
    for (; word != 0; word &= word - 1) visit(offset + static_cast<std::size_t>(std::countr_zero(word)));
}

// The number of positions in a set.
template <class Bits>
std::size_t size_of(const Bits& bits) {
    std::size_t size = 0;
    for (const Word word : std::bit_cast<std::array<Word, kWords<Bits>>>(bits))
        size += static_cast<std::size_t>(std::popcount(word));
    return size;
}

// The 64 positions of a set of any length from `position` on; those beyond the set are absent.
inline Word word_from(std::span<const Word> words, std::size_t position) {
    assert(position < words.size() * kWordBits);
    const std::size_t i = position / kWordBits, low = position % kWordBits;
    const Word above = i + 1 < words.size() ? words[i + 1] : 0;
    return words[i] >> low | above << 1 << (kWordBits - 1 - low);
}

// The lowest and the highest position of a set of any length, which must not be empty.
inline std::size_t lowest(const Word* words) {
    std::size_t i = 0;
    while (words[i] == 0) ++i;
    return i * kWordBits + static_cast<std::size_t>(std::countr_zero(words[i]));
}

inline std::size_t highest(const Word* words, std::size_t count) {
    assert(std::any_of(words, words + count, [](Word word) { return word != 0; }));
    while (words[count - 1] == 0) --count;
    return count * kWordBits - 1 - static_cast<std::size_t>(std::countl_zero(words[count - 1]));
}

template <class Visit, class Bits>
void for_each_position(const Bits& bits, Visit visit) {
    const auto words = std::bit_cast<std::array<Word, kWords<Bits>>>(bits);
    for (std::size_t i = 0; i < words.size(); ++i) for_each_cell(words[i], i * kWordBits, visit);
}

}  // namespace nonocsp
