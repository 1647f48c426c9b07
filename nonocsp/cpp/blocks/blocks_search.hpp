// Depth-first search over the placements of lines: where forcing stops, it streams the placements of the
// undecided line that has the fewest, and forces each in turn. A level keeps its stream, not a list; there
// are never more levels than lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "blocks/blocks.hpp"
#include "search/search.hpp"

namespace nonocsp {

class BlocksSearch final : public Search {
  public:
    BlocksSearch(const PuzzleClues& clues, Axis first) : Search(clues), forcing_(clues, first) {}

    bool next(Watch& watch, std::span<Word> cells) override;
    Statistics statistics() const override;

  private:
    struct Level {
        Board board;
        LineId line;
        Placements placements;  // the next one is the next branch
    };

    bool enter_root(Watch& watch);
    bool enter_next(Watch& watch);
    bool enter(Board board, Watch& watch);
    Level branch(Board board, Watch& watch) const;

    BlockForcing forcing_;
    std::vector<Level> levels_;
    std::optional<Board> solution_;  // the last one
    std::int64_t nodes_ = 0, painted_ = 0;
};

}  // namespace nonocsp
