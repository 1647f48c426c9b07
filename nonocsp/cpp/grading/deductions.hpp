// A grid on the way to its solution, with the deductions that its lines allow. Only lines that changed are
// settled again, and only lines that settle changes are searched for the technique that shows it. A technique
// runs once for each state of a line, and only when no cheaper one finds anything in any line.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/coordinates.hpp"
#include "base/watch.hpp"
#include "grading/line_state.hpp"
#include "grid/board.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"

namespace nonocsp {

// A cell that loses candidates.
struct CellChange {
    Cell cell;
    Word before, after;
};

// Everything that one technique finds in one line.
struct Deduction {
    LineId line;
    Technique technique;
    std::vector<CellChange> changes;  // in the order of the cells
    BlockList blocks;                 // that the reasons are about
    std::vector<StepReason> reasons;  // the first of them
    std::size_t more = 0;             // reasons besides
};

// The most reasons that a deduction has.
inline constexpr std::size_t kMostReasons = 3;

// The number of changes that decide their cell.
std::size_t decided(std::span<const CellChange> changes);

// Copies share what they find in lines that are the same.
class Deductions {
  public:
    // Settles all lines of a grid. `clues` must outlive it.
    Deductions(const PuzzleClues& clues, Board grid);

    const Board& grid() const { return grid_; }

    // A line that no placement fits; once there is one, nothing more is deduced.
    const std::optional<LineId>& contradiction() const { return contradiction_; }

    // The deductions of the lowest grade that finds anything, in the order of techniques and lines; valid
    // until the next change.
    std::vector<const Deduction*> easiest();

    // That one of them that decides most cells, and narrows most; null without any.
    const Deduction* cheapest();

    // Narrows cells, and settles their lines again.
    void apply(std::span<const CellChange> changes);

    // The cells that lose colours because one of their lines does not have them.
    std::vector<CellChange> unshared_colours() const;

  private:
    // A line in which settle finds something, with the deductions so far.
    struct Prospect {
        LineState state;
        std::array<bool, kTechniques> is_searched{};
        std::array<std::unique_ptr<Deduction>, kTechniques> deductions{};
    };

    LineId line(std::size_t number) const { return number_.line(number); }
    // Settles a line to find whether it changes; false if no placement fits.
    bool look_at(std::size_t number);
    const Deduction* deduction(std::size_t number, Technique technique);

    const PuzzleClues& clues_;
    Board grid_;
    LineNumbers number_;
    std::array<std::shared_ptr<Settler>, 2> settlers_;
    std::vector<std::shared_ptr<Prospect>> prospects_;  // by number of the line
    std::vector<Word> settled_;
    std::optional<LineId> contradiction_;
};

}  // namespace nonocsp
