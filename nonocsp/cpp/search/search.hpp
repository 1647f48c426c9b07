// The interface of every search of the core: a stream of solutions, with statistics.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/bits.hpp"
#include "base/watch.hpp"
#include "line/clue.hpp"

namespace nonocsp {

using Statistic = std::variant<std::int64_t, double, std::string>;
using Statistics = std::vector<std::pair<std::string_view, Statistic>>;  // names are literals

// Thrown by a method that keeps states, when they would take more memory than it may use.
class TooManyStates : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Thrown by a search that gives up early. The solutions that it has yielded are valid.
class BudgetSpent : public std::exception {
  public:
    const char* what() const noexcept override { return "the budget of the search is spent"; }
};

// Yields every solution of a puzzle once. An interrupted search cannot be resumed.
class Search {
  public:
    // `clues` must outlive the search.
    explicit Search(const PuzzleClues& clues) : clues_(clues) {}
    virtual ~Search() = default;

    // Writes the next solution as candidate sets, row by row; false if none is left. Throws Interrupted and
    // Unsupported.
    virtual bool next(Watch& watch, std::span<Word> cells) = 0;

    // The counts so far, in the order in which reports show them.
    virtual Statistics statistics() const = 0;

    const PuzzleClues& clues() const { return clues_; }

  private:
    const PuzzleClues& clues_;
};

// Starts a search of any puzzle with options that it keeps; threads may share it. The clues must outlive the
// search.
using Method = std::function<std::unique_ptr<Search>(const PuzzleClues&)>;

}  // namespace nonocsp
