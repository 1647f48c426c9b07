// The candidates that each open candidate excludes, as bit sets: FP2 and FP3 of Wu et al. (An efficient
// approach to solving nonograms, 2013) in any number of colours.
//
// If the probe of candidate a excludes candidate b, then b excludes a, the contrapositive, and the probe of b
// starts without a (FP2). If a excludes all candidates of a cell but c, it implies c and excludes all that c
// excludes (FP3). Each new exclusion names the cells to probe again, so that the sets reach a fixpoint, which
// does not depend on the order. Memory: a bit for every pair of open candidates.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "grid/board.hpp"

namespace nonocsp {

// The open candidates of a board, numbered row by row.
class CandidateNumbers {
  public:
    explicit CandidateNumbers(const Board& board);

    struct Candidate {
        Cell cell;
        std::size_t colour;
    };

    std::size_t size() const { return candidates_.size(); }
    const Candidate& operator[](std::size_t number) const { return candidates_[number]; }
    std::size_t number(Cell cell, std::size_t colour) const {
        const std::size_t number = numbers_[(cell.row * columns_ + cell.column) * colours_ + colour];
        assert(candidates_[number].cell == cell && candidates_[number].colour == colour);  // it was open
        return number;
    }

  private:
    std::size_t columns_, colours_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> numbers_;  // [cell][colour]
};

class Implications {
  public:
    // The most candidates: 8 MiB of sets for each open node of a search.
    static constexpr std::size_t kMostCandidates = 8192;

    Implications() = default;

    // Without exclusions. Every later board lies within this one. Throws Unsupported for too many candidates.
    Implications(const Board& board, bool transitive);

    // Calls narrow(cell, candidates) for everything on `side` that a candidate excludes.
    template <class Narrow>
    void apply(Cell cell, std::size_t colour, const Board& side, Narrow narrow) const {
        remove(row(numbers_->number(cell, colour)), side, narrow);
    }

    // If transitive, the same for the exclusions of the cells that are open on `board` and decided on `side`.
    // Returns whether there were any.
    template <class Narrow>
    bool inherit(const Board& board, const Board& side, Narrow narrow) const {
        if (!transitive_) return false;
        std::vector<Word> inherited(words_);
        board.for_each_decided_by(side, [&](Cell cell, std::size_t colour) {
            std::ranges::transform(inherited, row(numbers_->number(cell, colour)), inherited.begin(),
                                   std::bit_or());
        });
        bool any = false;
        remove(inherited, side, [&](Cell cell, Word candidates) {
            any = true;
            narrow(cell, candidates);
        });
        return any;
    }

    // Records that a candidate excludes what is on `board` and not on `side`. Calls again(cell) for every
    // cell whose probes may show more now.
    template <class Again>
    void learn(Cell cell, std::size_t colour, const Board& board, const Board& side, Again again) {
        const std::size_t probed = numbers_->number(cell, colour);
        std::vector<std::size_t> grown;
        board.for_each_candidate_beyond(side, [&](Cell other, std::size_t excluded_colour) {
            if (other == cell) return;
            const std::size_t excluded = numbers_->number(other, excluded_colour);
            if (!add(probed, excluded)) return;
            [[maybe_unused]] const bool is_new = add(excluded, probed);
            assert(is_new);  // the relation is symmetric
            again(other);
            grown.push_back(excluded);
        });
        if (!transitive_ || grown.empty()) return;
        grown.push_back(probed);
        for (const std::size_t number : grown) for_each_implying(number, board, again);
    }

  private:
    std::span<Word> row(std::size_t number) { return std::span(excluded_).subspan(number * words_, words_); }
    std::span<const Word> row(std::size_t number) const {
        return std::span(excluded_).subspan(number * words_, words_);
    }
    // Records an exclusion; whether it is new.
    bool add(std::size_t from, std::size_t to) {
        assert(from < numbers_->size() && to < numbers_->size() && from != to);
        Word& word = excluded_[from * words_ + to / kWordBits];
        const Word bit = Word{1} << to % kWordBits;
        const bool is_new = (word & bit) == 0;
        word |= bit;
        return is_new;
    }

    template <class Narrow>
    void remove(std::span<const Word> excluded, const Board& board, Narrow narrow) const {
        for (std::size_t word = 0; word < words_; ++word)
            for_each_cell(excluded[word], word * kWordBits, [&](std::size_t number) {
                const auto& [cell, colour] = (*numbers_)[number];
                const Word candidate = Word{1} << colour;
                if ((board.candidates(cell) & candidate) != 0) narrow(cell, ~candidate);
            });
    }

    // Calls again(cell) for the cells with a candidate that implies `number` on `board`. Cells of two
    // candidates are left out: there the contrapositives tell the same.
    template <class Again>
    void for_each_implying(std::size_t number, const Board& board, Again again) const {
        const CandidateNumbers::Candidate& implied = (*numbers_)[number];
        const Word others = board.candidates(implied.cell) & ~(Word{1} << implied.colour);
        if (others == 0 || std::has_single_bit(others)) return;
        std::vector<Word> implying(words_, ~Word{0});
        for_each_cell(others, 0, [&](std::size_t other) {
            const std::span<const Word> excluding = row(numbers_->number(implied.cell, other));
            std::ranges::transform(implying, excluding, implying.begin(), std::bit_and());
        });
        for (std::size_t word = 0; word < words_; ++word)
            for_each_cell(implying[word], word * kWordBits,
                          [&](std::size_t implies) { again((*numbers_)[implies].cell); });
    }

    std::shared_ptr<const CandidateNumbers> numbers_;
    bool transitive_ = false;
    std::size_t words_ = 0;
    std::vector<Word> excluded_;  // [candidate]: a set of candidates; the relation is symmetric
};

}  // namespace nonocsp
