// The methods between line solving and nested what-if, the weakest first: 2-SAT without search (Batenburg &
// Kosters 2009), and fully probing on its three levels (Wu et al. 2013). The first that fills the grid names
// the class of a puzzle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "line/clue.hpp"

namespace nonocsp {

inline constexpr std::array<std::string_view, 4> kMethods{"2-sat", "fp1", "fp2", "fp3"};

// One of the methods at work on a grid of candidates at the fixpoint of settle.
class MethodRun {
  public:
    virtual ~MethodRun() = default;

    // Goes on for about so many probes (2-SAT at once to the end); true once it is over. Throws Unsupported.
    virtual bool advance(std::int64_t probes, Watch& watch) = 0;

    // What it leaves of the grid, once it is over; nothing at a contradiction.
    virtual std::optional<std::vector<Word>> left() const = 0;
};

// `clues` must outlive it.
std::unique_ptr<MethodRun> start_method(std::size_t method, const PuzzleClues& clues,
                                        std::span<const Word> grid);

// Tries the methods one after the other until one fills the grid.
class WeakestMethod {
  public:
    // `clues` must outlive it. The puzzle has one solution.
    WeakestMethod(const PuzzleClues& clues, std::vector<Word> grid) : clues_(clues), grid_(std::move(grid)) {}

    // Goes on for about so many probes; true once it is over.
    bool advance(std::int64_t probes, Watch& watch);

    // The method by its place in kMethods; their number if none fills the grid.
    std::size_t found() const { return method_; }

  private:
    const PuzzleClues& clues_;
    std::vector<Word> grid_;
    std::unique_ptr<MethodRun> run_;
    std::size_t method_ = 0;
    bool is_over_ = false;
};

}  // namespace nonocsp
