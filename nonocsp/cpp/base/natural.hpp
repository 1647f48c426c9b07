// Natural numbers of any size, for counts: words of 64 bits, the least significant first. A `Natural` owns
// its words and has no leading zeros. The spans of the free functions have a fixed number of words, as tables
// of counts have them.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

// Adds a number to one of at least as many words; returns the carry.
inline Word add_to(std::span<Word> sum, std::span<const Word> number) {
    assert(sum.size() >= number.size());
    Word carry = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
        if (i >= number.size() && carry == 0) break;
        const Word added = sum[i] + carry;
        carry = added < carry;
        sum[i] = added + (i < number.size() ? number[i] : 0);
        carry += sum[i] < added;
    }
    return carry;
}

// The words up to the highest one that is not zero.
inline std::span<const Word> significant(std::span<const Word> number) {
    while (!number.empty() && number.back() == 0) number = number.first(number.size() - 1);
    return number;
}

// The binary logarithm, to a double's precision; that of zero is minus infinity.
inline double log2_of(std::span<const Word> number) {
    number = significant(number);
    if (number.empty()) return -INFINITY;
    double top = static_cast<double>(number.back());
    if (number.size() > 1) top += std::ldexp(static_cast<double>(number[number.size() - 2]), -64);
    return std::log2(top) + 64.0 * static_cast<double>(number.size() - 1);
}

class Natural {
  public:
    Natural() = default;
    explicit Natural(Word number) : words_(number == 0 ? 0 : 1, number) {}
    explicit Natural(std::span<const Word> number) {
        number = significant(number);
        words_.assign(number.begin(), number.end());
    }

    std::span<const Word> words() const { return words_; }
    bool is_zero() const { return words_.empty(); }
    std::size_t bits() const {
        return is_zero()
                   ? 0
                   : words_.size() * kWordBits - static_cast<std::size_t>(std::countl_zero(words_.back()));
    }
    bool operator==(const Natural&) const = default;
    bool operator<(const Natural& other) const {
        if (words_.size() != other.words_.size()) return words_.size() < other.words_.size();
        for (std::size_t i = words_.size(); i-- > 0;)
            if (words_[i] != other.words_[i]) return words_[i] < other.words_[i];
        return false;
    }

    void add(std::span<const Word> number) {
        number = significant(number);
        if (words_.size() < number.size()) words_.resize(number.size());
        if (const Word carry = add_to(words_, number); carry != 0) words_.push_back(carry);
    }

    // Long multiplication, with the halves of words as digits.
    Natural operator*(const Natural& other) const {
        const std::vector<Word> a = halves(words_), b = halves(other.words_);
        std::vector<Word> digits(a.size() + b.size() + 1);
        for (std::size_t i = 0; i < a.size(); ++i) {
            Word carry = 0;
            for (std::size_t j = 0; j < b.size() || carry != 0; ++j) {
                carry += digits[i + j] + (j < b.size() ? a[i] * b[j] : 0);
                digits[i + j] = carry & kHalf;
                carry >>= kWordBits / 2;
            }
        }
        std::vector<Word> product(digits.size() / 2 + 1);
        for (std::size_t i = 0; i < digits.size(); ++i)
            product[i / 2] |= digits[i] << i % 2 * (kWordBits / 2);
        return Natural(std::span<const Word>(product));
    }

    // Hexadecimal digits, the most significant first.
    std::string hex() const {
        std::string text;
        for (std::size_t i = words_.size() * kWordBits / 4; i-- > 0;)
            text += "0123456789abcdef"[words_[i * 4 / kWordBits] >> i * 4 % kWordBits & 15];
        return text.empty() ? "0" : text;
    }

  private:
    static constexpr Word kHalf = 0xffffffff;

    static std::vector<Word> halves(std::span<const Word> number) {
        std::vector<Word> halves;
        for (const Word word : number) {
            halves.push_back(word & kHalf);
            halves.push_back(word >> kWordBits / 2);
        }
        return halves;
    }

    std::vector<Word> words_;
};

}  // namespace nonocsp
