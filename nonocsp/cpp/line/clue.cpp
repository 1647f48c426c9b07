#include "line/clue.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <functional>
#include <stdexcept>
#include <utility>

#include "base/bits.hpp"

namespace nonocsp {
namespace {

constexpr std::int32_t kMaxColour = 63;

using Kind = std::pair<std::int32_t, std::int32_t>;

void check(const FlatClues& flat) {
    const bool indexed = !flat.offsets.empty() && flat.offsets.front() == 0 &&
                         std::is_sorted(flat.offsets.begin(), flat.offsets.end()) &&
                         static_cast<std::size_t>(flat.offsets.back()) == flat.lengths.size() &&
                         flat.lengths.size() == flat.colours.size();
    if (!indexed) throw std::invalid_argument("the offsets of the clues do not index their blocks");
    for (const std::int32_t length : flat.lengths)
        if (length < 1) throw std::invalid_argument("a block has at least one cell");
    for (const std::int32_t colour : flat.colours)
        if (colour < 1 || colour > kMaxColour)
            throw std::invalid_argument("a block has a colour from 1 to 63");
}

// The blocks of a line in order, its distinct kinds sorted, and the kind of each block.
struct LineKinds {
    std::vector<Kind> blocks, kinds;
    std::vector<std::uint16_t> kind_of;

    void read(const FlatClues& flat, std::size_t line) {
        blocks.clear(), kinds.clear(), kind_of.clear();
        Word lengths = 0;
        bool is_short = true;  // one colour, and lengths that fit into a set
        for (auto b = flat.offsets[line]; b < flat.offsets[line + 1]; ++b) {
            const auto at = static_cast<std::size_t>(b);
            const Kind& block = blocks.emplace_back(flat.colours[at], flat.lengths[at]);
            is_short = is_short && block.first == blocks[0].first && block.second < kWordBits;
            lengths |= Word{1} << (block.second % kWordBits);
        }
        is_short ? find_short_kinds(lengths) : find_kinds();
    }

  private:
    static constexpr std::int32_t kWordBits = nonocsp::kWordBits;

    void find_short_kinds(Word lengths) {
        std::array<std::uint16_t, kWordBits> kind_of_length;
        for (; lengths != 0; lengths &= lengths - 1) {
            const int length = std::countr_zero(lengths);
            kind_of_length[static_cast<std::size_t>(length)] = static_cast<std::uint16_t>(kinds.size());
            kinds.emplace_back(blocks[0].first, length);
        }
        for (const Kind& block : blocks)
            kind_of.push_back(kind_of_length[static_cast<std::size_t>(block.second)]);
    }

    void find_kinds() {
        kinds = blocks;
        std::ranges::sort(kinds);
        kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
        for (const Kind& block : blocks)
            kind_of.push_back(
                static_cast<std::uint16_t>(std::ranges::lower_bound(kinds, block) - kinds.begin()));
    }
};

// The fewest cells that the blocks and the gaps between them take.
std::size_t needed(const std::vector<Kind>& blocks) {
    std::size_t cells = 0;
    for (std::size_t j = 0; j < blocks.size(); ++j) {
        cells += static_cast<std::size_t>(blocks[j].second);
        cells += j > 0 && blocks[j].first == blocks[j - 1].first ? 1 : 0;
    }
    return cells;
}

// Lays the blocks as far left as they go.
void append_blocks(std::vector<Block>& compiled, const Clue& clue, const std::vector<Kind>& blocks,
                   const std::vector<std::uint16_t>& kind_of) {
    std::size_t gap = 0;
    bool open = true;
    for (std::size_t j = 0; j < blocks.size(); ++j) {
        const bool open_after = j + 1 == blocks.size() || blocks[j + 1].first != blocks[j].first;
        const std::size_t earliest = open ? gap : gap + 1;
        const std::size_t end = earliest + static_cast<std::size_t>(blocks[j].second);
        const std::size_t gap_after = std::min(end, clue.length - 1);
        assert(end + clue.slack <= clue.length);
        compiled.push_back({
            .kind = kind_of[j],
            .colour = static_cast<std::uint16_t>(blocks[j].first),
            .earliest = static_cast<std::uint16_t>(earliest),
            .earliest_last = static_cast<std::uint16_t>(end - 1),
            .gap_before = static_cast<std::uint16_t>(gap),
            .gap_after = static_cast<std::uint16_t>(gap_after),
            .open_before = open,
            .open_after = open_after,
        });
        gap = gap_after;
        open = open_after;
    }
    assert(blocks.empty() || compiled.back().earliest_last + clue.slack + 1 == clue.length);
}

// Lengthens runs from `reached` to `length`; a kind of length 1 takes one step of shift 0.
void append_steps(std::vector<Step>& steps, std::int32_t reached, std::int32_t length, std::size_t kind) {
    do {
        const std::int32_t shift = std::min(reached, length - reached);
        assert(shift <= reached);
        steps.push_back({static_cast<std::uint16_t>(shift), static_cast<std::uint16_t>(kind)});
        reached += shift;
    } while (reached < length);
    assert(reached == length);
}

void append_steps(std::vector<Step>& steps, const std::vector<Kind>& kinds) {
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const bool longer = kind > 0 && kinds[kind - 1].first == kinds[kind].first;
        append_steps(steps, longer ? kinds[kind - 1].second : 1, kinds[kind].second, kind);
    }
}

// Splits the steps of a line where the colour changes.
void append_colours(std::vector<ColourSteps>& colours, std::span<const Step> steps,
                    const std::vector<Kind>& kinds) {
    const auto colour_of = [&](std::size_t step) { return kinds[steps[step].kind].first; };
    for (std::size_t first = 0, next = 0; first < steps.size(); first = next) {
        while (next < steps.size() && colour_of(next) == colour_of(first)) ++next;
        colours.push_back({static_cast<std::uint16_t>(colour_of(first)), static_cast<std::uint16_t>(first),
                           static_cast<std::uint16_t>(next - first)});
    }
}

std::size_t line_count(const FlatClues& flat) { return std::max<std::size_t>(flat.offsets.size(), 1) - 1; }

}  // namespace

Clues::Clues(std::size_t line_length, const FlatClues& flat) : line_length_(line_length) {
    if (line_length < 1 || line_length > kMaxLength)
        throw std::invalid_argument("a line has 1 to 4096 cells");
    check(flat);
    lines_.reserve(flat.offsets.size());
    blocks_.reserve(flat.lengths.size());
    steps_.reserve(2 * flat.lengths.size());
    colours_.reserve(flat.offsets.size());
    std::vector<Parts> parts;
    parts.reserve(flat.offsets.size());
    LineKinds line_kinds;  // here, so that it is allocated once
    for (std::size_t line = 0; line + 1 < flat.offsets.size(); ++line) {
        line_kinds.read(flat, line);
        parts.push_back(append(line_kinds.blocks, line_kinds.kinds, line_kinds.kind_of));
    }
    point_lines_at(parts);
}

Clues::Parts Clues::append(const std::vector<Kind>& blocks, const std::vector<Kind>& kinds,
                           const std::vector<std::uint16_t>& kind_of) {
    const std::size_t cells = needed(blocks);
    const bool fits = cells <= line_length_;
    const bool touching =
        std::ranges::adjacent_find(blocks, std::not_equal_to(), &Kind::first) != blocks.end();
    lines_.push_back({line_length_, fits, touching, fits ? line_length_ - cells : 0, {}, {}, nullptr});
    if (!fits) return {0, 0, 0};  // its lengths may need more than 16 bits
    const std::size_t colours_before = colours_.size(), steps_before = steps_.size();
    append_blocks(blocks_, lines_.back(), blocks, kind_of);
    append_steps(steps_, kinds);
    append_colours(colours_, std::span(steps_).subspan(steps_before), kinds);
    return {blocks.size(), colours_.size() - colours_before, steps_.size() - steps_before};
}

void Clues::point_lines_at(const std::vector<Parts>& parts) {
    const Block* block = blocks_.data();
    const ColourSteps* colour = colours_.data();
    const Step* step = steps_.data();
    for (std::size_t line = 0; line < parts.size(); ++line) {
        lines_[line].blocks = {block, parts[line].blocks};
        lines_[line].colours = {colour, parts[line].colours};
        lines_[line].steps = step;
        assert(std::ranges::is_sorted(lines_[line].blocks, {}, &Block::earliest));
        block += parts[line].blocks;
        colour += parts[line].colours;
        step += parts[line].steps;
    }
    assert(block == blocks_.data() + blocks_.size() && colour == colours_.data() + colours_.size());
    assert(step == steps_.data() + steps_.size());
}

PuzzleClues::PuzzleClues(const FlatClues& row_clues, const FlatClues& column_clues, std::size_t colour_count)
    : rows(line_count(column_clues), row_clues),
      columns(line_count(row_clues), column_clues),
      colours(colour_count) {
    for (const FlatClues* flat : {&row_clues, &column_clues})
        for (const std::int32_t colour : flat->colours)
            if (static_cast<std::size_t>(colour) >= colours)
                throw std::invalid_argument("a block's colour is unknown");
    assert(rows.size() == columns.line_length() && columns.size() == rows.line_length());
}

}  // namespace nonocsp
