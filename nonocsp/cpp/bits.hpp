// Sets of cells of one line: bit i = cell i. A line of up to 64 cells is a plain Word, a longer one a
// Wide<N>. Both offer the same operations (&, |, shift_up, shift_down, past_end, fill_up, reversed), so that
// algorithms are written once, as templates over Bits. Every operation costs O(N) word operations, with N
// known to the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
    Wide& operator&=(const Wide& b) { return *this = *this & b; }
    Wide& operator|=(const Wide& b) { return *this = *this | b; }
    bool operator==(const Wide&) const = default;
};

template <class Bits>
inline constexpr std::size_t kWords = sizeof(Bits) / sizeof(Word);

// The words of a line: a power of two, so that a few instances of Wide serve every length.
constexpr std::size_t words_for(std::size_t length) {
    return std::bit_ceil((length + kWordBits - 1) / kWordBits);
}

template <class Bits>
Bits load(const Word* words) {
    Bits bits;
    std::memcpy(&bits, words, sizeof bits);
    return bits;
}

template <class Bits>
void store(Word* words, const Bits& bits) {
    std::memcpy(words, &bits, sizeof bits);
}

// The set of one cell.
template <class Bits>
Bits single(std::size_t cell) {
    std::array<Word, kWords<Bits>> words{};
    words[cell / kWordBits] = Word{1} << cell % kWordBits;
    return std::bit_cast<Bits>(words);
}

// Moved by whole words, 1 <= count <= words. By value and out of line, so that the short shifts around it,
// nearly all, stay in registers.
template <std::size_t N>
[[gnu::noinline]] Wide<N> words_up(Wide<N> x, std::size_t count) {
    Wide<N> y{};
    std::copy(x.words.begin(), x.words.end() - static_cast<std::ptrdiff_t>(count),
              y.words.begin() + static_cast<std::ptrdiff_t>(count));
    return y;
}

template <std::size_t N>
[[gnu::noinline]] Wide<N> words_down(Wide<N> x, std::size_t count) {
    Wide<N> y{};
    std::copy(x.words.begin() + static_cast<std::ptrdiff_t>(count), x.words.end(), y.words.begin());
    return y;
}

// Every cell moved `distance` cells up, 0 <= distance < 64 * words; what leaves the top is lost.
inline Word shift_up(Word x, std::size_t distance) { return x << distance; }

template <std::size_t N>
Wide<N> shift_up(const Wide<N>& x, std::size_t distance) {
    if (distance >= kWordBits) return shift_up(words_up(x, distance / kWordBits), distance % kWordBits);
    Wide<N> y;
    for (std::size_t i = N; i-- > 1;)
        y.words[i] = x.words[i] << distance | x.words[i - 1] >> 1 >> (kWordBits - 1 - distance);
    y.words[0] = x.words[0] << distance;
    return y;
}

// The cells after blocks of `length` cells with these starts, 1 <= length <= 64 * words.
inline Word past_end(Word starts, std::size_t length) { return starts << (length - 1) << 1; }

template <std::size_t N>
Wide<N> past_end(const Wide<N>& starts, std::size_t length) {
    return shift_up(starts, length);
}

// Every cell moved `distance` cells down, 0 <= distance < 64 * words.
inline Word shift_down(Word x, std::size_t distance) { return x >> distance; }

template <std::size_t N>
Wide<N> shift_down(const Wide<N>& x, std::size_t distance) {
    if (distance >= kWordBits) return shift_down(words_down(x, distance / kWordBits), distance % kWordBits);
    Wide<N> y;
    for (std::size_t i = 0; i + 1 < N; ++i)
        y.words[i] = x.words[i] >> distance | x.words[i + 1] << 1 << (kWordBits - 1 - distance);
    y.words[N - 1] = x.words[N - 1] >> distance;
    return y;
}

// The cells reached from `from`, a subset of `through`, by steps up inside `through`: a carry runs through
// the ones.
inline Word fill_up(Word from, Word through) { return (through & (~through - from)) | from; }

template <std::size_t N>
Wide<N> fill_up(const Wide<N>& from, const Wide<N>& through) {
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

// The line read backwards: cell i becomes cell 64 * words - 1 - i, so a line that begins at 0 ends at the
// top.
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

// Calls visit(cell) for every cell of a set, in order.
template <class Visit>
void for_each_cell(Word word, std::size_t offset, Visit visit) {
    for (; word != 0; word &= word - 1) visit(offset + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace nonocsp
