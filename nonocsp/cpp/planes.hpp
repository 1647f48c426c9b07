// Lines as Python sees them, one candidate set a cell, to and from planes, one set of cells a colour.
#pragma once

#include <algorithm>
#include <cstddef>

#include "bits.hpp"

namespace nonocsp {

// Packs `length` cells, `stride` apart, into planes of words_for(length) words; colours beyond the planes are
// dropped.
inline void pack_line(const Word* cells, std::size_t stride, std::size_t length, std::size_t colours,
                      Word* planes) {
    const std::size_t words = words_for(length);
    std::fill_n(planes, colours * words, Word{0});
    for (std::size_t i = 0; i < length; ++i) {
        const Word candidates = cells[i * stride];
        for (std::size_t colour = 0; colour < colours; ++colour)
            planes[colour * words + i / kWordBits] |= (candidates >> colour & 1) << i % kWordBits;
    }
}

inline void unpack_line(const Word* planes, std::size_t length, std::size_t colours, Word* cells) {
    const std::size_t words = words_for(length);
    std::fill_n(cells, length, Word{0});
    for (std::size_t colour = 0; colour < colours; ++colour)
        for (std::size_t i = 0; i < length; ++i)
            cells[i] |= (planes[colour * words + i / kWordBits] >> i % kWordBits & 1) << colour;
}

}  // namespace nonocsp
