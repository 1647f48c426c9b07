#include "grading/windows.hpp"

#include <bit>
#include <cassert>

namespace nonocsp {
namespace {

struct Piece {
    int length;
    std::size_t colour;
};

// Pushes the blocks of a line to the left. With `clear`, no block touches a decided cell of its colour that
// it does not cover.
class Push {
  public:
    Push(std::vector<Piece> pieces, std::vector<Word> cells, bool clear)
        : pieces_(std::move(pieces)), cells_(std::move(cells)), clear_(clear) {
        std::size_t colours = 0;
        for (const Piece& piece : pieces_) colours = std::max(colours, piece.colour + 1);
        room_.resize(colours);
        for (const Piece& piece : pieces_)
            if (room_[piece.colour].empty()) room_[piece.colour] = room_for(piece.colour);
    }

    // The starts of the blocks, none of them before its `least` one.
    std::vector<int> starts(const std::vector<int>& least) const {
        std::vector<int> starts;
        int at = 0;
        std::size_t before = 0;
        for (std::size_t j = 0; j < pieces_.size(); ++j) {
            const auto [length, colour] = pieces_[j];
            const std::vector<int>& room = room_[colour];
            at = std::max(at + (colour == before ? 1 : 0), least[j]);
            for (;;) {
                assert(at + length <= static_cast<int>(cells_.size()));  // some placement fits
                const int free = room[static_cast<std::size_t>(at)];
                if (free < length)
                    at += free + 1;
                else if (clear_ && touches(at, length, Word{1} << colour))
                    ++at;
                else
                    break;
            }
            starts.push_back(at);
            at += length;
            before = colour;
        }
        return starts;
    }

  private:
    // By cell: the number of cells from it to the next wall for the colour.
    std::vector<int> room_for(std::size_t colour) const {
        std::vector<int> room(cells_.size() + 1);
        for (std::size_t i = cells_.size(); i-- > 0;)
            room[i] = (cells_[i] >> colour & 1) != 0 ? room[i + 1] + 1 : 0;
        return room;
    }

    // Whether a cell beside a block is decided to have its colour.
    bool touches(int start, int length, Word decided) const {
        const auto end = static_cast<std::size_t>(start + length);
        return (start > 0 && cells_[static_cast<std::size_t>(start - 1)] == decided) ||
               (end < cells_.size() && cells_[end] == decided);
    }

    std::vector<Piece> pieces_;
    std::vector<Word> cells_;
    bool clear_;
    std::vector<std::vector<int>> room_;  // [colour][cell]
};

std::vector<Piece> pieces_of(const Clue& clue) {
    std::vector<Piece> pieces;
    for (const Block& block : clue.blocks) pieces.push_back({static_cast<int>(block.length()), block.colour});
    return pieces;
}

template <class T>
std::vector<T> backwards(const std::vector<T>& items) {
    return {items.rbegin(), items.rend()};
}

// Pushes the blocks of a line to the left and to the right.
class BothWays {
  public:
    BothWays(const Clue& clue, std::span<const Word> cells, bool clear)
        : pieces_(pieces_of(clue)),
          size_(static_cast<int>(cells.size())),
          left_(pieces_, {cells.begin(), cells.end()}, clear),
          right_(backwards(pieces_), {cells.rbegin(), cells.rend()}, clear) {}

    std::vector<Window> windows() const {
        return windows(std::vector<int>(pieces_.size(), 0), std::vector<int>(pieces_.size(), size_));
    }

    // The windows between the given starts of each block.
    std::vector<Window> windows(const std::vector<int>& earliest, const std::vector<int>& latest) const {
        std::vector<int> mirrored;
        for (std::size_t j = pieces_.size(); j-- > 0;)
            mirrored.push_back(size_ - latest[j] - pieces_[j].length);
        const std::vector<int> starts = left_.starts(earliest), ends = backwards(right_.starts(mirrored));
        std::vector<Window> windows;
        for (std::size_t j = 0; j < pieces_.size(); ++j) {
            const auto [length, colour] = pieces_[j];
            windows.push_back({starts[j], size_ - ends[j] - length, length, colour});
        }
        return windows;
    }

  private:
    std::vector<Piece> pieces_;
    int size_;
    Push left_, right_;
};

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
    return BothWays(clue, cells, false).windows();
}

std::vector<Window> anchored_windows(const Clue& clue, std::span<const Word> cells,
                                     std::span<const Run> runs) {
    const BothWays pushes(clue, cells, true);
    std::vector<Window> windows = pushes.windows();
    for (;;) {
        // Some block covers each run. So the first block that can cover it does not start behind it, and the
        // last one does not end before it.
        std::vector<int> earliest, latest;
        for (const Window& window : windows) {
            earliest.push_back(window.earliest);
            latest.push_back(window.latest);
        }
        for (const Run& run : runs) {
            const auto covers = [&](const Window& window) { return window.can_cover(run); };
            const auto first = std::ranges::find_if(windows, covers) - windows.begin();
            auto last = std::ssize(windows) - 1;
            while (last > first && !covers(windows[static_cast<std::size_t>(last)])) --last;
            assert(first < std::ssize(windows));
            int& latest_start = latest[static_cast<std::size_t>(first)];
            int& earliest_start = earliest[static_cast<std::size_t>(last)];
            latest_start = std::min(latest_start, run.first);
            earliest_start =
                std::max(earliest_start, run.last - windows[static_cast<std::size_t>(last)].length + 1);
        }
        std::vector<Window> held = pushes.windows(earliest, latest);
        if (held == windows) return windows;
        windows = std::move(held);
    }
}

}  // namespace nonocsp
