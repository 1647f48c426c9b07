#include "grading/refuter.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace nonocsp {

Progressed Refuter::find(const Board& grid, std::int64_t& trials, Watch& watch) {
    const std::size_t columns = grid.lines(Axis::kColumn);
    for (;;) {
        while (!is_scanning_ && !failed_.empty()) {
            const Failure failure = failed_.back();
            failed_.pop_back();
            const Cell cell{failure.cell / columns, failure.cell % columns};
            const Word left = grid.candidates(cell);
            if ((left >> failure.colour & 1) == 0 || std::has_single_bit(left)) continue;
            std::vector<LineId> trail = trial_.trail(grid, cell, failure.colour, watch);
            const LineId contradiction = trail.back();
            trail.pop_back();
            found_ = {cell, failure.colour, std::move(trail), contradiction};
            return Progressed::kFound;
        }
        if (!scan(grid, trials, watch)) return Progressed::kPaused;
        if (failed_.empty()) return Progressed::kNothing;
        std::ranges::sort(failed_, std::greater());
    }
}

// Tries every candidate of every open cell; false if it paused before the end.
bool Refuter::scan(const Board& grid, std::int64_t& trials, Watch& watch) {
    const std::size_t columns = grid.lines(Axis::kColumn), cells = grid.lines(Axis::kRow) * columns;
    if (!is_scanning_) next_ = 0;
    is_scanning_ = true;
    for (; next_ < cells; ++next_) {
        const Cell cell{next_ / columns, next_ % columns};
        const Word left = grid.candidates(cell);
        if (std::has_single_bit(left)) continue;
        if (trials <= 0) return false;
        for_each_cell(left, 0, [&](std::size_t colour) {
            --trials;
            if (const std::int64_t settles = trial_.settles_to_contradiction(grid, cell, colour, watch))
                failed_.push_back({settles, next_, colour});
        });
    }
    is_scanning_ = false;
    return true;
}

}  // namespace nonocsp
