// The domains of lines: the remaining placements of each line, as sparse bit sets. Words without a placement
// are dropped, the others keep their order, so a copy costs as much as what remains.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"

namespace nonocsp {

class Domains {
  public:
    // No lines.
    Domains() = default;

    // Full domains, of lines with these numbers of placements.
    explicit Domains(std::span<const std::size_t> sizes);

    std::size_t size(std::size_t line) const { return lines_[line].size; }

    // How many of the placements in `plane`, a set of all of the line's, remain.
    std::size_t count(std::size_t line, const Word* plane) const;

    // The domain of a line, valid until it changes.
    struct View {
        const Word* words;
        const std::uint32_t* positions;
        std::size_t count;

        // Whether any of the placements in `plane` remains. `hint` keeps where the last one was found (a
        // residue: Lecoutre & Hemery 2007). Removing moves words down, backtracking moves them up again.
        bool meets(const Word* plane, std::uint32_t& hint) const;
    };
    View view(std::size_t line) const {
        const std::size_t first = lines_[line].first;
        return {words_.data() + first, positions_.data() + first, lines_[line].words};
    }

    // Remove placements; return how many of them there were.
    std::size_t remove(std::size_t line, const Word* plane);
    std::size_t remove_one(std::size_t line, std::size_t placement);
    std::size_t remove_others(std::size_t line, std::size_t placement);

    // Calls visit(placements, first) for the words of a line: bit i is placement first + i.
    template <class Visit>
    void for_each_word(std::size_t line, Visit visit) const;

    // The placement at this place in the order of those that remain.
    std::size_t nth(std::size_t line, std::size_t place) const;

    // Frees the memory of removed placements.
    void compact();

  private:
    struct Line {
        std::size_t first, words, size;
    };

    // Replaces every word by left(word, its position in a plane).
    template <class Left>
    std::size_t keep(std::size_t line, Left left);

    std::vector<Line> lines_;
    std::vector<std::uint32_t> positions_;
    std::vector<Word> words_;
};

inline bool Domains::View::meets(const Word* plane, std::uint32_t& hint) const {
    const auto found = [&](std::size_t i) {
        if ((words[i] & plane[positions[i]]) == 0) return false;
        hint = static_cast<std::uint32_t>(i);
        return true;
    };
    assert(count > 0);
    const std::size_t after = std::min<std::size_t>(hint, count - 1) + 1;
    for (std::size_t i = after; i-- > 0;)
        if (found(i)) return true;
    for (std::size_t i = after; i < count; ++i)
        if (found(i)) return true;
    return false;
}

template <class Visit>
void Domains::for_each_word(std::size_t line, Visit visit) const {
    const Line& l = lines_[line];
    for (std::size_t i = l.first; i < l.first + l.words; ++i)
        visit(words_[i], std::size_t{positions_[i]} * kWordBits);
}

}  // namespace nonocsp
