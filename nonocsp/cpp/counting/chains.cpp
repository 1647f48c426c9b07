#include "counting/chains.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <tuple>

namespace nonocsp {
namespace {

// The automaton of a clue. Each state has at most two successors. Background leads to the state itself (a
// gap) or to the next one (the cell that must part two blocks of a colour); a colour leads to the next one.
struct Automaton {
    enum class Background : std::uint8_t { kNone, kStay, kStep };
    struct State {
        Background background;
        std::uint32_t colour;  // 0: none
    };

    Automaton(const Clue& clue, bool reversed) {
        for (std::size_t i = 0; i < clue.blocks.size(); ++i) {
            const Block& block = clue.blocks[reversed ? clue.blocks.size() - 1 - i : i];
            if (i > 0 && states.back().colour == block.colour) states.push_back({Background::kStep, 0});
            states.push_back({Background::kStay, block.colour});
            states.resize(states.size() + block.length() - 1, {Background::kNone, block.colour});
        }
        states.push_back({Background::kStay, 0});
    }

    std::uint32_t after_background(std::uint32_t state) const {
        return state + (states[state].background == Background::kStep);
    }

    std::vector<State> states;  // the first is the start, the last the only accepting one
};

struct LineCells {
    std::vector<std::uint32_t> cells;
    std::vector<Word> candidates;
};

LineCells cells_of(const Board& board, LineId line, bool reversed) {
    LineCells found;
    const std::size_t columns = board.lines(Axis::kColumn);
    for (std::size_t i = 0; i < board.length(line.axis); ++i) {
        const Cell cell = cell_of(line, i);
        found.cells.push_back(static_cast<std::uint32_t>(cell.row * columns + cell.column));
        found.candidates.push_back(board.candidates(cell));
    }
    if (reversed) {
        std::ranges::reverse(found.cells);
        std::ranges::reverse(found.candidates);
    }
    return found;
}

// The states that the cells before each cell can lead to.
std::vector<std::vector<std::uint32_t>> reachable(const Automaton& automaton,
                                                  const std::vector<Word>& candidates) {
    std::vector<std::vector<std::uint32_t>> reached{{0}};
    for (const Word cell : candidates) {
        std::vector<std::uint32_t> next;
        for (const std::uint32_t state : reached.back()) {
            const auto [background, colour] = automaton.states[state];
            if ((cell & 1) != 0 && background != Automaton::Background::kNone)
                next.push_back(automaton.after_background(state));
            if (colour != 0 && (cell >> colour & 1) != 0) next.push_back(state + 1);
        }
        std::ranges::sort(next);
        next.erase(std::ranges::unique(next).begin(), next.end());
        reached.push_back(std::move(next));
    }
    return reached;
}

double log2_sum(double a, double b) {
    if (a < b) std::swap(a, b);
    return std::isinf(b) ? a : a + std::log2(1 + std::exp2(b - a));
}

// The minimal states before each open cell, the last cell first.
struct Layer {
    std::uint32_t cell;
    std::vector<ChainState> states;
};

std::vector<Layer> minimal_layers(const Automaton& automaton, const LineCells& line) {
    const auto reached = reachable(automaton, line.candidates);
    std::vector<Layer> layers;
    std::vector<std::uint32_t> after(automaton.states.size(), kDead), before(after);  // minimal state of each
    after.back() = 0;
    const auto log2_of = [&](std::uint32_t state) -> double {
        if (state == kDead) return -INFINITY;
        return layers.empty() ? 0.0 : layers.back().states[state].log2_completions;
    };
    for (std::size_t i = line.cells.size(); i-- > 0;) {
        const Word cell = line.candidates[i];
        const bool is_open = !std::has_single_bit(cell);
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
        std::vector<ChainState> states;
        std::ranges::fill(before, kDead);
        for (const std::uint32_t state : reached[i]) {
            const auto [background, colour] = automaton.states[state];
            ChainState made;
            if ((cell & 1) != 0 && background != Automaton::Background::kNone)
                made.background = after[automaton.after_background(state)];
            if (colour != 0 && (cell >> colour & 1) != 0) made.block = after[state + 1];
            if (made.background == kDead && made.block == kDead) continue;
            if (made.block != kDead) made.colour = colour;
            if (!is_open) {
                before[state] = std::min(made.background, made.block);  // the other one is dead
                continue;
            }
            const auto number = static_cast<std::uint32_t>(states.size());
            const auto [known, is_new] =
                numbers.try_emplace({made.background, made.block, made.colour}, number);
            before[state] = known->second;
            if (!is_new) continue;
            made.log2_completions = log2_sum(log2_of(made.background), log2_of(made.block));
            states.push_back(made);
        }
        if (is_open) layers.push_back({line.cells[i], std::move(states)});
        std::swap(before, after);
    }
    assert(after.front() == 0);  // at the fixpoint every line has a placement
    return layers;
}

}  // namespace

std::size_t Chain::widest() const {
    std::size_t widest = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) widest = std::max(widest, width(i));
    return widest;
}

std::vector<Chain> chains_of(const Board& board, LineId line, const Clue& clue, bool reversed) {
    std::vector<Layer> layers = minimal_layers(Automaton(clue, reversed), cells_of(board, line, reversed));
    std::ranges::reverse(layers);
    std::vector<Chain> chains;
    for (std::size_t first = 0, end; first < layers.size(); first = end) {
        for (end = first + 1; end < layers.size() && layers[end].states.size() > 1;) ++end;
        const double beyond = end < layers.size() ? layers[end].states.front().log2_completions : 0;
        Chain& chain = chains.emplace_back();
        for (std::size_t i = first; i < end; ++i) {
            chain.cells.push_back(layers[i].cell);
            chain.offset.push_back(static_cast<std::uint32_t>(chain.states.size()));
            for (ChainState state : layers[i].states) {
                state.log2_completions -= beyond;
                chain.states.push_back(state);
            }
        }
        chain.offset.push_back(static_cast<std::uint32_t>(chain.states.size()));
    }
    return chains;
}

}  // namespace nonocsp
