#include "counting/sweep.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace nonocsp {
namespace {

constexpr std::size_t kStatesPerCheck = 256;

}  // namespace

ChainsOfGrid::ChainsOfGrid(const Board& board, const PuzzleClues& clues, bool reversed, Watch& watch)
    : reversed(reversed) {
    const std::size_t cells = board.lines(Axis::kRow) * board.lines(Axis::kColumn);
    for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
        place_of[index(axis)].resize(cells);
        for (std::size_t i = 0; i < board.lines(axis); ++i) {
            watch.check();
            for (Chain& chain : chains_of(board, {axis, i}, clues[{axis, i}], reversed)) {
                const auto number = static_cast<std::uint32_t>(chains[index(axis)].size());
                for (std::uint32_t k = 0; k < chain.cells.size(); ++k)
                    place_of[index(axis)][chain.cells[k]] = {number, k};
                chains[index(axis)].push_back(std::move(chain));
            }
        }
    }
}

FrontierSweep::FrontierSweep(const ChainsOfGrid& grid, Axis along, std::span<const std::uint32_t> cells,
                             std::size_t columns) {
    std::vector<std::uint32_t> sorted(cells.begin(), cells.end());
    if (along == Axis::kColumn)
        std::ranges::stable_sort(sorted, {}, [&](std::uint32_t cell) { return cell % columns; });
    if (grid.reversed) std::ranges::reverse(sorted);
    used_.push_back(0);
    std::map<const Chain*, Field> fields;
    for (const std::uint32_t cell : sorted) {
        Step step;
        for (const Axis axis : {Axis::kRow, Axis::kColumn}) {
            const auto [number, position] = grid.place_of[index(axis)][cell];
            const Chain& chain = grid.chains[index(axis)][number];
            if (position == 0) fields[&chain] = allocate(std::bit_width(chain.widest() - 1));
            step[index(axis)] = {&chain, position, fields.at(&chain)};
        }
        for (const Part& part : step) {
            if (part.position + 1 < part.chain->cells.size()) continue;
            used_[part.field.word] &= ~(part.field.mask << part.field.shift);  // its state is 0 from here on
            fields.erase(part.chain);
        }
        steps_.push_back(step);
    }
    assert(fields.empty());
    key_.resize(used_.size());
}

// The first bits of the key that no chain of the frontier has.
FrontierSweep::Field FrontierSweep::allocate(std::size_t bits) {
    if (bits == 0) return {};
    const Word mask = (Word{1} << bits) - 1;
    for (std::size_t word = 0;; ++word) {
        if (word == used_.size()) used_.push_back(0);
        for (std::size_t shift = 0; shift + bits <= kWordBits; ++shift) {
            if ((used_[word] & mask << shift) != 0) continue;
            used_[word] |= mask << shift;
            return {word, shift, mask};
        }
    }
}

SweepResult FrontierSweep::run(std::size_t width, std::size_t memory, Watch& watch) {
    SweepResult result;
    std::ranges::fill(key_, 0);
    frontier_.clear();
    layer_.reset(key_.size(), 1);
    layer_.add(key_, std::array{Word{1}});
    for (std::size_t i = 0; i < steps_.size() && layer_.size() > 0; ++i) {
        // every state hands its count to at most two states
        const std::size_t words = words_for(layer_.total().bits() + 1);
        next_.reset(key_.size(), words);
        advance(steps_[i], watch);
        pass(steps_[i]);
        std::swap(layer_, next_);
        result.states += layer_.size();
        result.widest = std::max<std::uint64_t>(result.widest, layer_.size());
        // a layer, and the next one with up to twice its states
        const std::size_t fitting = memory / (3 * FrontierStates::bytes_of_entry(key_.size(), words)) + 1;
        const std::size_t room = std::min(fitting, FrontierStates::kMost / 2);
        const std::size_t kept = std::min(width, room);
        if (layer_.size() <= kept) continue;
        result.exact = false;
        result.out_of_memory |= room < width;
        result.excess += std::log2(static_cast<double>(layer_.size()) / static_cast<double>(kept));
        cut(kept, watch);
    }
    assert(layer_.size() <= 1);  // all chains have ended
    result.count = layer_.total();
    layer_ = next_ = FrontierStates();  // frees their memory
    return result;
}

void FrontierSweep::advance(const Step& step, Watch& watch) {
    const auto& [row, column] = step;
    for (std::size_t entry = 0; entry < layer_.size(); ++entry) {
        if (entry % kStatesPerCheck == 0) watch.check();
        const std::span<const Word> key = layer_.key(entry), count = significant(layer_.count(entry));
        const ChainState &in_row = row.state(key), &in_column = column.state(key);
        const auto lead_to = [&](std::uint32_t row_state, std::uint32_t column_state) {
            std::ranges::copy(key, key_.begin());
            row.field.write(key_, row_state);
            column.field.write(key_, column_state);
            next_.add(key_, count);
        };
        if (in_row.background != kDead && in_column.background != kDead)
            lead_to(in_row.background, in_column.background);
        if (in_row.colour != 0 && in_row.colour == in_column.colour) lead_to(in_row.block, in_column.block);
    }
}

// Moves the chains of a step to their next cells.
void FrontierSweep::pass(const Step& step) {
    for (Part part : step) {
        const auto known = std::ranges::find(frontier_, part.chain, &Part::chain);
        const bool is_new = known == frontier_.end();
        if (++part.position < part.chain->cells.size())
            is_new ? frontier_.push_back(part) : void(*known = part);
        else if (!is_new)
            frontier_.erase(known);
    }
}

// Keeps the states that would lead to the most solutions if the chains were independent.
void FrontierSweep::cut(std::size_t kept, Watch& watch) {
    std::vector<float> merits(layer_.size());
    for (std::size_t entry = 0; entry < layer_.size(); ++entry) {
        if (entry % kStatesPerCheck == 0) watch.check();
        double merit = log2_of(layer_.count(entry));
        for (const Part& part : frontier_) merit += part.state(layer_.key(entry)).log2_completions;
        merits[entry] = static_cast<float>(merit);
    }
    std::vector<std::uint32_t> best(layer_.size());
    std::iota(best.begin(), best.end(), 0u);
    std::ranges::nth_element(best, best.begin() + static_cast<std::ptrdiff_t>(kept), std::greater{},
                             [&](std::uint32_t entry) { return merits[entry]; });
    best.resize(kept);
    next_.reset(key_.size(), layer_.count(0).size());
    for (const std::uint32_t entry : best) next_.add(layer_.key(entry), layer_.count(entry));
    std::swap(layer_, next_);
}

}  // namespace nonocsp
