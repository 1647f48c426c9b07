// Finds the ambiguous cells of a puzzle: those in which two of its solutions differ. The other cells are the
// backbone of its formula (Marques-Silva, Janota & Lynce, On computing backbones of propositional theories,
// 2010). One solution is the reference. Then the learning search looks, again and again, for a solution in
// which one of the cells that have agreed so far differs from the reference. It tries other colours in all of
// them first, so that each solution finds many ambiguous cells. If there is none, the cells that still agree
// are the backbone. The first such search also decides whether the puzzle has one solution or several.
//
// Each independent component of what line solving leaves has a search of its own, so none sees more than it
// must. Two learning searches take turns on it, over cells and over starts of blocks, as those of backend
// hybrid do. All work goes in portions of counted conflicts, so that a caller without threads stays free.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "cdcl/solver.hpp"
#include "grid/board.hpp"
#include "grid/components.hpp"
#include "grid/propagator.hpp"
#include "line/clue.hpp"

namespace nonocsp {

enum class Solutions : std::uint8_t { kUnknown, kNone, kOne, kSeveral };

class AmbiguitySearch {
  public:
    // Solves lines. `solution` is a known solution, its cells' colours row by row, or empty. `clues` must
    // outlive the search. Throws std::invalid_argument if line solving refutes the solution.
    AmbiguitySearch(const PuzzleClues& clues, std::span<const std::uint8_t> solution, Watch& watch);
    ~AmbiguitySearch();
    AmbiguitySearch(AmbiguitySearch&&) noexcept;

    // Goes on for about so many conflicts; true once all is known.
    bool advance(std::int64_t conflicts, Watch& watch);
    // The same, but only until `solutions` is known.
    bool decide(std::int64_t conflicts, Watch& watch);

    // What line solving leaves, and its sweeps until nothing changes.
    const Board& known() const { return known_; }
    std::int64_t sweeps() const { return sweeps_; }

    Solutions solutions() const;
    // Whether no other cell is ambiguous.
    bool is_complete() const;
    // Whether two known solutions differ in a cell, row by row.
    const std::vector<std::uint8_t>& ambiguous() const { return ambiguous_; }
    // The reference and the last solution that differs from it, the colours of all cells; empty if none is
    // known.
    std::vector<std::uint8_t> reference() const;
    std::vector<std::uint8_t> other() const;

  private:
    class Part;

    template <class Done>
    bool search(std::int64_t conflicts, Done done, Watch& watch);
    std::vector<std::uint8_t> joined(bool others) const;
    void note(const Part& part);

    Board known_;
    std::int64_t sweeps_ = 0;
    bool is_refuted_ = false;
    std::vector<Part> parts_;
    std::vector<std::uint8_t> ambiguous_;
};

}  // namespace nonocsp
