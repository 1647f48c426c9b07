// Converts lines between the form of Python, one candidate set a cell, and planes, one set of cells a colour.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

#include "base/bits.hpp"

namespace nonocsp {

// Packs `length` cells, `stride` apart, into planes of words_for(length) words. Colours without a plane are
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

// The cells that have more than one candidate, in one of the `words` words of a line's planes.
inline Word open_cells(std::span<const Word> line, std::size_t words, std::size_t word) {
    assert(word < words && line.size() % words == 0);
    Word some = 0, several = 0;
    for (std::size_t at = word; at < line.size(); at += words) {
        several |= some & line[at];
        some |= line[at];
    }
    return several;
}

inline bool has_open_cells(std::span<const Word> line, std::size_t words) {
    for (std::size_t word = 0; word < words; ++word)
        if (open_cells(line, words, word) != 0) return true;
    return false;
}

// Whether every cell of a line has a candidate. For assertions.
inline bool has_candidates(std::span<const Word> line, std::size_t length) {
    const std::size_t words = words_for(length);
    std::size_t cells = 0;
    for (std::size_t word = 0; word < words; ++word) {
        Word some = 0;
        for (std::size_t at = word; at < line.size(); at += words) some |= line[at];
        cells += static_cast<std::size_t>(std::popcount(some));
    }
    return cells == length;
}

// Calls visit(cell, colour) for every candidate of the open cells of a line.
template <class Visit>
void for_each_open_candidate(std::span<const Word> line, std::size_t words, Visit visit) {
    for (std::size_t word = 0; word < words; ++word) {
        const Word open = open_cells(line, words, word);
        for (std::size_t colour = 0; open != 0 && colour < line.size() / words; ++colour)
            for_each_cell(open & line[colour * words + word], word * kWordBits,
                          [&](std::size_t cell) { visit(cell, colour); });
    }
}

}  // namespace nonocsp
