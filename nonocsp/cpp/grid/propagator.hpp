// Line propagation (Batenburg & Kosters 2009): settles dirty lines until nothing changes. The fixpoint does
// not depend on the order. The number of alternating sweeps, rows first, is the difficulty of a puzzle
// (Batenburg et al., simple Nonograms).
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/queues.hpp"
#include "base/watch.hpp"
#include "grid/board.hpp"
#include "grid/settle_cache.hpp"
#include "line/clue.hpp"
#include "line/settler.hpp"

namespace nonocsp {

// The lines that wait to be settled: first in, first out, each at most once.
class DirtyLines {
  public:
    DirtyLines(std::size_t rows, std::size_t columns) : number_(rows), queue_(rows + columns) {}

    bool empty() const { return queue_.empty(); }
    void push(LineId id) { queue_.push(number_(id)); }
    LineId pop() { return number_.line(queue_.pop()); }
    void push_all() { queue_.push_all(); }
    void clear() { queue_.clear(); }

  private:
    LineNumbers number_;
    OnceQueue queue_;
};

// Does nothing.
struct Ignore {
    void operator()(auto&&...) const {}
};

struct Sweeps {
    std::optional<LineId> contradiction;        // the first line that no placement fits
    std::int64_t count = 0;                     // up to the last one that changed a cell
    std::int64_t useful = 0;                    // lines that changed when they were settled
    std::vector<std::int32_t> decided_in = {};  // by cell, row by row: the sweep that decided it, or 0
};

// Settles lines of boards of one puzzle and counts them. Owns the settlers' memory and the dirty lines, so it
// serves one thread at a time. Interrupted leaves it unusable, and the board sound.
class Propagator {
  public:
    explicit Propagator(const PuzzleClues& clues);

    // Keeps results from now on: worth it where lines come back in the same states.
    void remember();

    // Removes candidates of a cell; its lines become dirty.
    void narrow_cell(Board& board, Cell cell, Word candidates);

    // Marks a line, or all of them, dirty.
    void touch(LineId id) { dirty_.push(id); }
    void touch_all() { dirty_.push_all(); }

    // Settles the dirty lines and those that get dirty, in that order; returns the first line that no
    // placement fits. No line is dirty afterwards. Calls seen(line) for every line that was dirty, before it
    // is settled, if it is, and report(line, planes, planes when settled) before the board is narrowed.
    template <class Seen, class Report = Ignore>
    std::optional<LineId> to_fixpoint(Board& board, Watch& watch, Seen seen, Report report = {});
    std::optional<LineId> to_fixpoint(Board& board, Watch& watch) {
        return to_fixpoint(board, watch, [](LineId) {});
    }

    // Settles all lines to the fixpoint in alternating sweeps, those of an axis first. A sweep passes over
    // clean lines, which would not change. Interrupted leaves what it found in `sweeps`.
    void by_sweeps(Board& board, Watch& watch, Sweeps& sweeps, Axis first = Axis::kRow);
    Sweeps by_sweeps(Board& board, Watch& watch) {
        Sweeps sweeps;
        by_sweeps(board, watch, sweeps);
        return sweeps;
    }

    // Settles all lines of one axis; returns the first one that no placement fits.
    std::optional<LineId> sweep(Board& board, Axis axis, Watch& watch);

    std::int64_t settles() const { return settles_; }

    // The settles that a kept result answered.
    std::int64_t hits() const {
        std::int64_t hits = 0;
        for (const auto& cache : caches_) hits += cache ? cache->hits() : 0;
        return hits;
    }

  private:
    // Settles one line and calls changed(crossing position) for its changes; false if no placement fits.
    template <class Changed, class Report = Ignore>
    bool settle(Board& board, LineId id, Watch& watch, Changed changed, Report report = {});

    // The settled line, valid until the next call; null if no placement fits.
    const Word* settled(LineId id, std::span<const Word> line) {
        const std::size_t axis = index(id.axis);
        const auto settle = [&](std::span<Word> out) {
            return settlers_[axis]->settle(clues_[id], line, out);
        };
        if (caches_[axis]) return caches_[axis]->find(id.position, line, settle);
        return settle(std::span(settled_).first(line.size())) ? settled_.data() : nullptr;
    }

    const PuzzleClues& clues_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::array<std::optional<SettleCache>, 2> caches_;
    DirtyLines dirty_;
    std::vector<Word> settled_;
    std::int64_t settles_ = 0;
};

template <class Changed, class Report>
bool Propagator::settle(Board& board, LineId id, Watch& watch, Changed changed, Report report) {
    watch.check();
    assert(board.lines(id.axis) == clues_.of(id.axis).size() && board.colours() == clues_.colours);
    const std::span<const Word> line = board.line(id);
    ++settles_;
    const Word* settled_line = settled(id, line);
    if (settled_line == nullptr) return false;
    report(id, line, std::span(settled_line, line.size()));
    board.narrow(id, {settled_line, line.size()}, changed);
    return true;
}

template <class Seen, class Report>
std::optional<LineId> Propagator::to_fixpoint(Board& board, Watch& watch, Seen seen, Report report) {
    while (!dirty_.empty()) {
        const LineId id = dirty_.pop();
        seen(id);
        const Axis other = crossing(id.axis);
        const auto changed = [&](std::size_t position) { dirty_.push({other, position}); };
        if (settle(board, id, watch, changed, report)) continue;
        while (!dirty_.empty()) seen(dirty_.pop());
        return id;
    }
    assert(board.planes_agree());
    return std::nullopt;
}

}  // namespace nonocsp
