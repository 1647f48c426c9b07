// What settling lines removed from a board, line by line, for a proof.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "grid/board.hpp"
#include "grid/small_board.hpp"

namespace nonocsp {

// The planes of a line as words.
inline std::span<const Word> words_of(std::span<const Word> line) { return line; }
inline std::array<Word, 2> words_of(const SmallBoard::Line& line) { return line.words(); }

class SettleTrail {
  public:
    // A line that lost candidates: its planes before, and what they lost.
    struct Step {
        LineId id;
        std::span<const Word> before;
        std::span<Word> lost;
    };

    std::size_t size() const { return lines_.size(); }
    Step operator[](std::size_t i) {
        const std::size_t begin = lines_[i].begin, end = i + 1 < size() ? lines_[i + 1].begin : words_.size();
        const std::span<Word> words = std::span(words_).subspan(begin, end - begin);
        return {lines_[i].id, words.first(words.size() / 2), words.last(words.size() / 2)};
    }
    // The line that no placement fits.
    std::optional<LineId> contradiction() const { return contradiction_; }

    // Starts anew and makes `propagate(settled)` settle lines; whether they fit. It is to call
    // settled(line, planes, planes when settled), which says where a line leads.
    template <class Propagate>
    bool record(Propagate propagate) {
        lines_.clear();
        words_.clear();
        contradiction_ =
            propagate([this](LineId id, auto before, auto settled) { add(id, before, settled); });
        return !contradiction_;
    }

  private:
    struct Line {
        LineId id;
        std::size_t begin;  // of its words
    };

    template <class Words>
    void add(LineId id, const Words& before, const Words& settled) {
        Word any = 0;
        for (std::size_t i = 0; i < before.size(); ++i) any |= before[i] & ~settled[i];
        if (any == 0) return;
        lines_.push_back({id, words_.size()});
        words_.insert(words_.end(), before.begin(), before.end());
        for (std::size_t i = 0; i < before.size(); ++i) words_.push_back(before[i] & ~settled[i]);
    }

    std::vector<Line> lines_;
    std::vector<Word> words_;  // [line]: its planes before, then what they lost
    std::optional<LineId> contradiction_;
};

}  // namespace nonocsp
