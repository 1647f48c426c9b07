#include "grading/windows.hpp"

#include <bit>
#include <cassert>

namespace nonocsp {
namespace {

// Each block at all places in its line.
std::vector<Window> all_places(const Clue& clue) {
    std::vector<Window> windows;
    windows.reserve(clue.blocks.size());
    for (const Block& block : clue.blocks) {
        const auto length = static_cast<int>(block.length());
        windows.push_back({0, static_cast<int>(clue.length) - length, length, block.colour});
    }
    return windows;
}

// Pushes the blocks to the left, or `mirrored` to the right, within their windows, which become narrower.
// With `clear`, no block touches a decided cell of its colour that it does not cover.
void push(std::vector<Window>& windows, std::span<const Word> cells, bool clear, bool mirrored) {
    const auto size = static_cast<int>(cells.size());
    const auto cell = [&](int i) { return cells[static_cast<std::size_t>(mirrored ? size - 1 - i : i)]; };
    int at = 0;
    std::size_t before = 0;
    for (std::size_t j = 0; j < windows.size(); ++j) {
        Window& window = windows[mirrored ? windows.size() - 1 - j : j];
        const int length = window.length;
        const Word colour = Word{1} << window.colour;
        at = std::max(at + (window.colour == before ? 1 : 0),
                      mirrored ? size - window.latest - length : window.earliest);
        for (int i = at;; ++at) {
            for (; i < at + length; ++i) {
                assert(i < size);  // some placement fits
                if ((cell(i) & colour) == 0) at = i + 1;
            }
            if (!clear || !((at > 0 && cell(at - 1) == colour) || (i < size && cell(i) == colour))) break;
        }
        (mirrored ? window.latest : window.earliest) = mirrored ? size - at - length : at;
        at += length;
        before = window.colour;
    }
}

void push_both_ways(std::vector<Window>& windows, std::span<const Word> cells, bool clear) {
    push(windows, cells, clear, false);
    push(windows, cells, clear, true);
}

}  // namespace

std::vector<Run> runs_of(std::span<const Word> cells) {
    std::vector<Run> runs;
    for (int i = 0; i < static_cast<int>(cells.size()); ++i) {
        const Word candidates = cells[static_cast<std::size_t>(i)];
        if (!std::has_single_bit(candidates) || candidates == 1) continue;
        const auto colour = static_cast<std::size_t>(std::countr_zero(candidates));
        if (!runs.empty() && runs.back().last == i - 1 && runs.back().colour == colour)
            runs.back().last = i;
        else
            runs.push_back({i, i, colour});
    }
    return runs;
}

std::vector<Window> bare_windows(const Clue& clue) {
    return packed_windows(clue, std::vector<Word>(clue.length, ~Word{0}));
}

std::vector<Window> packed_windows(const Clue& clue, std::span<const Word> cells) {
    std::vector<Window> windows = all_places(clue);
    push_both_ways(windows, cells, false);
    return windows;
}

std::vector<Window> anchored_windows(const Clue& clue, std::span<const Word> cells,
                                     std::span<const Run> runs) {
    std::vector<Window> windows = all_places(clue);
    push_both_ways(windows, cells, true);
    for (;;) {
        // Some block covers each run. So the first block that can cover it does not start behind it, and the
        // last one does not end before it.
        std::vector<Window> held = windows;
        for (const Run& run : runs) {
            const auto covers = [&](const Window& window) { return window.can_cover(run); };
            const auto first = std::ranges::find_if(windows, covers) - windows.begin();
            auto last = std::ssize(windows) - 1;
            while (last > first && !covers(windows[static_cast<std::size_t>(last)])) --last;
            assert(first < std::ssize(windows));
            Window &soon = held[static_cast<std::size_t>(first)],
                   &late = held[static_cast<std::size_t>(last)];
            soon.latest = std::min(soon.latest, run.first);
            late.earliest = std::max(late.earliest, run.last - late.length + 1);
        }
        push_both_ways(held, cells, true);
        if (held == windows) return windows;
        windows = std::move(held);
    }
}

}  // namespace nonocsp
