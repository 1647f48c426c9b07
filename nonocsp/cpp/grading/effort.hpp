// What a puzzle asks of a person. The walk goes in rounds: each takes the lowest grade of technique that
// helps in any line, and applies all that the grade finds, in all lines at once. Where lines alone are stuck,
// it asks what-if questions: of the assumptions that end in a contradiction, those that do so soonest are
// refuted together. So neither turning nor mirroring a puzzle changes its level.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/watch.hpp"
#include "grading/deductions.hpp"
#include "grading/trial.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"

namespace nonocsp {

// How hard a puzzle is for people, easiest first: grades 1 and 2; 3; 4 or a few short questions; more.
enum class Level : std::uint8_t { kEasy, kMedium, kHard, kExpert };
inline constexpr std::array<std::string_view, 4> kLevelNames{"easy", "medium", "hard", "expert"};

class Effort {
  public:
    // `start` is the empty grid; `clues` must outlive it.
    Effort(const PuzzleClues& clues, Deductions start);

    // Goes on to the end, or until the level is expert for sure, with about so many trials of questions; true
    // once it is over. Interrupted leaves it as far as it came.
    bool advance(std::int64_t trials, Watch& watch);

    // Whether the walk ended: it does not once the level is expert for sure.
    bool is_complete() const { return is_complete_; }
    bool is_full() const { return grid().open_cells() == 0 && !contradiction(); }
    const Board& grid() const { return deductions_.grid(); }
    const std::optional<LineId>& contradiction() const { return deductions_.contradiction(); }

    // The lowest level that the walk so far allows, provided that there is one solution.
    Level least() const;

    // How often each technique tells something new; how often nothing easier than each grade helps anywhere.
    const std::array<std::int64_t, kTechniques>& techniques() const { return techniques_; }
    std::array<std::int64_t, kGrades> rounds() const;

    // Sweeps of the longest question, 0 without one; cells that stay open where lines alone get stuck first.
    int chain() const { return chain_; }
    std::size_t open_cells() const { return open_cells_; }

    // The grade of each round, and for each cell the round that decides it, from 1; 0 if none does.
    const std::vector<std::uint8_t>& grades() const { return grades_; }
    const std::vector<std::uint32_t>& decided_in() const { return decided_in_; }

  private:
    // Tries the assumptions that are left, or those of a new question; kFound once it is answered.
    Progressed ask(std::int64_t& trials, Watch& watch);
    void apply_all(const std::vector<const Deduction*>& deductions);
    void apply(const std::vector<CellChange>& changes, int grade);
    void count(Technique technique) { ++techniques_[nonocsp::index(technique)]; }

    Deductions deductions_;
    Trial trial_;
    std::array<std::int64_t, kTechniques> techniques_{};
    std::vector<std::uint8_t> grades_;
    std::vector<std::uint32_t> decided_in_;
    int chain_ = 0;
    std::size_t open_cells_ = 0;
    bool is_complete_ = false, is_over_ = false;

    // The question at hand: the next cell to try, the sweeps of the soonest contradiction, and the candidates
    // that it leaves of each cell.
    bool is_asking_ = false;
    std::size_t next_ = 0;
    int shortest_ = 0;
    std::map<std::size_t, Word> refuted_;
};

}  // namespace nonocsp
