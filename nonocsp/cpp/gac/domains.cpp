#include "gac/domains.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace nonocsp {
namespace {

std::size_t popcount(Word word) { return static_cast<std::size_t>(std::popcount(word)); }

}  // namespace

Domains::Domains(std::span<const std::size_t> sizes) {
    for (const std::size_t size : sizes) {
        assert(size > 0);
        lines_.push_back({words_.size(), words_for(size), size});
        for (std::size_t i = 0; i < words_for(size); ++i) {
            const std::size_t placements = std::min(size - i * kWordBits, kWordBits);
            positions_.push_back(static_cast<std::uint32_t>(i));
            words_.push_back(~Word{0} >> (kWordBits - placements));
        }
    }
}

std::size_t Domains::count(std::size_t line, const Word* plane) const {
    std::size_t count = 0;
    for_each_word(line,
                  [&](Word word, std::size_t first) { count += popcount(word & plane[first / kWordBits]); });
    return count;
}

template <class Left>
std::size_t Domains::keep(std::size_t line, Left left) {
    Line& l = lines_[line];
    std::size_t kept = l.first, removed = 0;
    for (std::size_t i = l.first; i < l.first + l.words; ++i) {
        const Word word = left(words_[i], positions_[i]);
        assert((word & ~words_[i]) == 0);
        if (word != words_[i]) removed += popcount(words_[i] & ~word);
        words_[kept] = word;
        positions_[kept] = positions_[i];
        kept += word != 0 ? 1 : 0;
    }
    l.words = kept - l.first;
    l.size -= removed;
    return removed;
}

std::size_t Domains::remove(std::size_t line, const Word* plane) {
    return keep(line, [&](Word word, std::size_t position) { return word & ~plane[position]; });
}

std::size_t Domains::remove_one(std::size_t line, std::size_t placement) {
    return keep(line, [&](Word word, std::size_t position) {
        return position == placement / kWordBits ? word & ~(Word{1} << placement % kWordBits) : word;
    });
}

std::size_t Domains::remove_others(std::size_t line, std::size_t placement) {
    return keep(line, [&](Word word, std::size_t position) {
        return position == placement / kWordBits ? word & Word{1} << placement % kWordBits : Word{0};
    });
}

std::size_t Domains::nth(std::size_t line, std::size_t place) const {
    assert(place < size(line));
    std::size_t i = lines_[line].first;
    for (; place >= popcount(words_[i]); ++i) place -= popcount(words_[i]);
    Word word = words_[i];
    for (; place > 0; --place) word &= word - 1;
    return positions_[i] * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
}

void Domains::compact() {
    std::size_t end = 0;
    for (Line& line : lines_) {
        const std::size_t first = std::exchange(line.first, end);
        assert(end <= first);  // lines move down, so no word is overwritten before it is read
        for (std::size_t i = first; i < first + line.words; ++i, ++end) {
            words_[end] = words_[i];
            positions_[end] = positions_[i];
        }
    }
    assert(end <= words_.size());
    words_.resize(end);
    positions_.resize(end);
}

}  // namespace nonocsp
