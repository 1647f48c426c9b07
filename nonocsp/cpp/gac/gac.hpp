// Generalised arc consistency between rows and columns: the variables are the lines, the values of a line its
// placements that fit, and at every crossing row and column agree on the colour of the cell. A candidate
// stays while both of its lines have a placement with it; when one line loses the last, the other line loses
// its placements with that candidate. Compact-table (Demeulenaere et al. 2016): removing is one AND over the
// words of a domain, a support is a word whose AND is not empty. Cost: O(words of the domain) a removed
// candidate, mostly O(1) a candidate that stays.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/watch.hpp"
#include "gac/domains.hpp"
#include "gac/placement_table.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"

namespace nonocsp {

// A board and the domains of its lines. At the fixpoint the candidates are those that the domains support.
struct GacNode {
    Board board;
    Domains domains = {};
};

// Narrows nodes of one puzzle; one thread at a time.
class Gac {
  public:
    explicit Gac(const PuzzleClues& clues);

    // Lists the placements that fit a board; every line gets dirty. Returns the full domains, or nothing if
    // some line has no placement. Throws Unsupported if more than `most` placements fit a line. Call it once.
    std::optional<Domains> tabulate(const Board& board, std::uint64_t most, Watch& watch);

    // Keeps one placement of a line alone, or removes it; the line gets dirty.
    void branch(GacNode& node, LineId id, std::size_t placement, bool is_kept);

    // Removes candidates and placements without support until all have one; false if a domain runs empty.
    bool to_fixpoint(GacNode& node, Watch& watch);

    const PlacementTable& table(LineId id) const { return tables_[number_(id)]; }
    std::size_t line_count() const { return clues_.rows.size() + clues_.columns.size(); }
    LineNumbers number() const { return number_; }

    // How often a domain ran empty at this cell's crossing.
    std::uint64_t conflicts(Cell cell) const { return conflicts_[place(cell)]; }

    // The placements removed from domains, those listed, and those of the line with the most.
    std::int64_t removed() const { return removed_; }
    std::int64_t placements() const { return placements_; }
    std::int64_t largest() const { return largest_; }

  private:
    std::size_t place(Cell cell) const { return cell.row * clues_.columns.size() + cell.column; }
    bool filter(GacNode& node, LineId id);
    bool remove(Domains& domains, LineId id, std::size_t cell, std::size_t colour);
    [[noreturn]] void refuse(LineId id, std::uint64_t count, std::uint64_t most) const;

    const PuzzleClues& clues_;
    LineNumbers number_;
    std::vector<PlacementTable> tables_;
    std::vector<std::vector<std::uint32_t>> hints_;  // [line][colour][cell]
    DirtyLines dirty_;
    std::vector<Word> supported_;
    std::vector<std::uint64_t> conflicts_;
    std::int64_t removed_ = 0, placements_ = 0, largest_ = 0;
};

}  // namespace nonocsp
