#include "blocks/blocks_search.hpp"

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "blocks/blocks.hpp"

namespace nonocsp {
namespace {

class BlocksSearch final : public Search {
  public:
    BlocksSearch(const PuzzleClues& clues, Axis first) : Search(clues), forcing_(clues, first) {}

    bool next(Watch& watch, std::span<Word> cells) override {
        bool found = nodes_ == 0 && enter_root(watch);
        while (!found && !levels_.empty()) found = enter_next(watch);
        assert(!found || solution_->open_cells() == 0);
        assert(levels_.size() <= clues().rows.size() + clues().columns.size());
        if (found) solution_->write(cells);
        return found;
    }

    Statistics statistics() const override {
        return {{"nodes", nodes_},
                {"painted", painted_},
                {"lines", forcing_.lines()},
                {"placements", forcing_.placements()}};
    }

  private:
    struct Level {
        Board board;
        LineId line;
        Placements placements;  // the next one is the next branch
    };

    bool enter_root(Watch& watch) {
        const bool found = enter(Board(clues().rows.size(), clues().columns.size(), clues().colours), watch);
        if (found) painted_ = decided_cells(*solution_);
        if (!levels_.empty()) painted_ = decided_cells(levels_.back().board);
        return found;
    }

    bool enter_next(Watch& watch) {
        Level& deepest = levels_.back();
        if (!deepest.placements.next()) {
            levels_.pop_back();
            return false;
        }
        Board child = deepest.board;
        forcing_.force(child, deepest.line, deepest.placements);
        return enter(std::move(child), watch);
    }

    // Whether the node is a solution. A node that is open becomes a level.
    bool enter(Board board, Watch& watch) {
        watch.check();
        ++nodes_;
        if (!forcing_.to_fixpoint(board, watch)) return false;
        if (board.open_cells() == 0) {
            solution_ = std::move(board);
            return true;
        }
        levels_.push_back(branch(std::move(board), watch));
        return false;
    }

    // Branches on the first line with the fewest placements, but several.
    Level branch(Board board, Watch& watch) const {
        std::optional<Placements> fewest;
        LineId line{};
        for (const Axis axis : {Axis::kRow, Axis::kColumn})
            for (std::size_t i = 0; i < board.lines(axis); ++i) {
                watch.check();
                Placements placements(clues()[{axis, i}], board.line({axis, i}));
                if (placements.count() < 2 || (fewest && placements.count() >= fewest->count())) continue;
                fewest = std::move(placements);
                line = {axis, i};
            }
        assert(fewest);  // some cell is open, so both of its lines have several placements
        return {std::move(board), line, std::move(*fewest)};
    }

    BlockForcing forcing_;
    std::vector<Level> levels_;
    std::optional<Board> solution_;  // the last one
    std::int64_t nodes_ = 0, painted_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_blocks_search(const PuzzleClues& clues, Axis first) {
    return std::make_unique<BlocksSearch>(clues, first);
}

}  // namespace nonocsp
