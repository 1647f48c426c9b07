// Sets of cells of one line: bit i = cell i. A line of up to 64 cells is a plain Word, a longer one a
// Wide<N>. Both offer the same operations (&, |, shift_up, shift_down, past_end, fill_up, reversed), so that
// algorithms are written once, as templates over Bits. Every operation costs O(N) word operations, with N
// known to the compiler.
#pragma once

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

// The set of cell 0 alone.
template <class Bits>
Bits first_cell() {
    Bits bits{};
    const Word one = 1;
    std::memcpy(&bits, &one, sizeof one);
    return bits;
}

// Every cell moved `distance` cells up, 0 <= distance < 64 * words; what leaves the top is lost.
inline Word shift_up(Word x, std::size_t distance) { return x << distance; }

template <std::size_t N>
Wide<N> shift_up(const Wide<N>& x, std::size_t distance) {
    std::array<Word, 2 * N + 1> padded{};
    std::memcpy(&padded[N + 1], &x, sizeof x);
    const Word* from = &padded[N + 1 - distance / kWordBits];
    const std::size_t offset = distance % kWordBits;
    Wide<N> y;
    for (std::size_t i = 0; i < N; ++i) y.words[i] = from[i] << offset | from[i - 1] >> 1 >> (63 - offset);
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
    std::array<Word, 2 * N + 1> padded{};
    std::memcpy(&padded[0], &x, sizeof x);
    const Word* from = &padded[distance / kWordBits];
    const std::size_t offset = distance % kWordBits;
    Wide<N> y;
    for (std::size_t i = 0; i < N; ++i) y.words[i] = from[i] >> offset | from[i + 1] << 1 << (63 - offset);
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

// The bits of a word in the opposite order.
inline Word mirrored(Word x) {
    x = ((x >> 1) & 0x5555555555555555U) | ((x & 0x5555555555555555U) << 1);
    x = ((x >> 2) & 0x3333333333333333U) | ((x & 0x3333333333333333U) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fU) | ((x & 0x0f0f0f0f0f0f0f0fU) << 4);
    return __builtin_bswap64(x);
}

// The line read backwards: cell i of `length` becomes cell length-1-i; cells beyond the length are lost.
inline Word reversed(Word x, std::size_t length) { return mirrored(x) >> (kWordBits - length); }

template <std::size_t N>
Wide<N> reversed(const Wide<N>& x, std::size_t length) {
    Wide<N> y;
    for (std::size_t i = 0; i < N; ++i) y.words[i] = mirrored(x.words[N - 1 - i]);
    return shift_down(y, N * kWordBits - length);
}

// Calls visit(cell) for every cell of a set, in order.
template <class Visit>
void for_each_cell(Word word, std::size_t offset, Visit visit) {
    for (; word != 0; word &= word - 1) visit(offset + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace nonocsp
