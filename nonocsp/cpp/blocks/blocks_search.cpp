#include "blocks/blocks_search.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/placements.hpp"
#include "line/planes.hpp"

namespace nonocsp {
namespace {

// Adds the cells of a placement from a block on to the planes of a line.
void add_runs(const Placements& placement, std::size_t block, std::size_t words, std::vector<Word>& planes) {
    placement.for_each_run(block, [&](std::size_t colour, std::size_t first, std::size_t end) {
        add_cells(&planes[colour * words], first, end);
    });
}

// Forced cells by enumeration of block positions (Paddy McCarthy's nonovector and newforces, 2014): stream
// all placements of a line that fit its forced cells, and force what they share. Lines are visited by sweeps
// until nothing changes. Nothing is stored, so memory stays small, but time grows with the number of
// placements. A stream ends early once it has used every candidate of the line.
class BlockForcing {
  public:
    // Sweeps begin with the lines of axis `first`; all lines are due at first.
    BlockForcing(const PuzzleClues& clues, Axis first)
        : clues_(clues),
          first_(first),
          due_{std::vector<std::uint8_t>(clues.rows.size(), 1),
               std::vector<std::uint8_t>(clues.columns.size(), 1)} {}

    // Forces the cells of one placement.
    void force(Board& board, LineId id, const Placements& placement) {
        used_.assign(board.line(id).size(), 0);
        add_runs(placement, 0, words_for(clues_[id].length), used_);
        narrow(board, id);
    }

    // Visits the due lines, axis after axis, until no line is due; false if no placement fits some line.
    bool to_fixpoint(Board& board, Watch& watch) {
        for (Axis axis = first_; any_due(); axis = crossing(axis)) {
            if (sweep(board, axis, watch)) continue;
            for (auto& due : due_) std::ranges::fill(due, std::uint8_t{0});
            return false;
        }
        assert(board.planes_agree());
        return true;
    }

    // The lines visited, and the placements streamed.
    std::int64_t lines() const { return lines_; }
    std::int64_t placements() const { return placements_; }

  private:
    bool any_due() const {
        return std::ranges::any_of(due_,
                                   [](const auto& due) { return std::ranges::find(due, 1) != due.end(); });
    }

    bool sweep(Board& board, Axis axis, Watch& watch) {
        auto& due = due_[index(axis)];
        for (std::size_t i = 0; i < due.size(); ++i)
            if (std::exchange(due[i], std::uint8_t{0}) != 0 && !visit(board, {axis, i}, watch)) return false;
        return true;
    }

    // Forces what the placements of a line share; false if there are none.
    bool visit(Board& board, LineId id, Watch& watch) {
        watch.check();
        ++lines_;
        const std::span<const Word> line = board.line(id);
        Placements placements(clues_[id], line);
        if (placements.count() == 0) return false;
        used_.assign(line.size(), 0);
        while (!std::ranges::equal(used_, line) && placements.next()) {
            watch.check();
            ++placements_;
            add_runs(placements, placements.moved(), words_for(clues_[id].length), used_);
            assert(is_subset(used_, line));
        }
        assert(has_candidates(used_, clues_[id].length));  // a placement colours every cell
        narrow(board, id);
        return true;
    }

    void narrow(Board& board, LineId id) {
        board.narrow(id, used_, [&](std::size_t position) { due_[index(crossing(id.axis))][position] = 1; });
    }

    const PuzzleClues& clues_;
    Axis first_;
    std::array<std::vector<std::uint8_t>, 2> due_;  // [axis][position]
    std::vector<Word> used_;  // the candidates that placements have used, as planes of the line at hand
    std::int64_t lines_ = 0, placements_ = 0;
};

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
