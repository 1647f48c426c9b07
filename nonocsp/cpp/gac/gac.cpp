#include "gac/gac.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "line/planes.hpp"
#include "search/search.hpp"

namespace nonocsp {

Gac::Gac(const PuzzleClues& clues)
    : clues_(clues),
      number_(clues.rows.size()),
      dirty_(clues.rows.size(), clues.columns.size()),
      supported_(clues.colours * words_for(std::max(clues.rows.line_length(), clues.columns.line_length()))),
      conflicts_(clues.rows.size() * clues.columns.size()) {}

std::optional<Domains> Gac::tabulate(const Board& board, std::uint64_t most, Watch& watch) {
    std::vector<Placements> streams;
    for (std::size_t line = 0; line < line_count(); ++line) {
        watch.check();
        const LineId id = number_.line(line);
        const std::uint64_t count = streams.emplace_back(clues_[id], board.line(id)).count();
        if (count == 0) return std::nullopt;
        if (count > most) refuse(id, count, most);
    }
    std::vector<std::size_t> sizes;
    for (std::size_t line = 0; line < line_count(); ++line) {
        const LineId id = number_.line(line);
        assert(tables_.size() == line);
        tables_.emplace_back(streams[line], board.line(id), clues_[id].length, watch);
        hints_.emplace_back(board.colours() * clues_[id].length);
        sizes.push_back(tables_[line].size());
        placements_ += static_cast<std::int64_t>(sizes[line]);
        largest_ = std::max(largest_, static_cast<std::int64_t>(sizes[line]));
    }
    dirty_.push_all();
    return Domains(sizes);
}

void Gac::refuse(LineId id, std::uint64_t count, std::uint64_t most) const {
    const std::string line = id.axis == Axis::kRow ? "row " : "column ";
    throw Unsupported(line + std::to_string(id.position + 1) + " has " +
                      (count == Placements::kCountless ? "more than 1.8e19" : std::to_string(count)) +
                      " placements, more than max_placements=" + std::to_string(most) +
                      "; allow more (each takes two bits a cell), or choose a backend that lists none");
}

void Gac::branch(GacNode& node, LineId id, std::size_t placement, bool is_kept) {
    const std::size_t line = number_(id);
    removed_ += static_cast<std::int64_t>(is_kept ? node.domains.remove_others(line, placement)
                                                  : node.domains.remove_one(line, placement));
    dirty_.push(id);
}

bool Gac::to_fixpoint(GacNode& node, Watch& watch) {
    while (!dirty_.empty()) {
        watch.check();
        if (filter(node, dirty_.pop())) continue;
        dirty_.clear();
        return false;
    }
    assert(node.board.planes_agree());
    return true;
}

// Removes the candidates of a line that its domain does not support; false if that empties another domain.
bool Gac::filter(GacNode& node, LineId id) {
    const std::size_t line = number_(id), length = clues_[id].length, words = words_for(length);
    const std::span<const Word> cells = node.board.line(id);
    const std::span<Word> supported = std::span(supported_).first(cells.size());
    std::ranges::copy(cells, supported.begin());
    const Domains::View domain = node.domains.view(line);
    const PlacementTable& table = tables_[line];
    assert(domain.count > 0);
    std::vector<std::uint32_t>& hints = hints_[line];
    bool consistent = true;
    for_each_open_candidate(cells, words, [&](std::size_t cell, std::size_t colour) {
        if (!consistent || domain.meets(table.with(cell, colour), hints[colour * length + cell])) return;
        supported[colour * words + cell / kWordBits] &= ~(Word{1} << cell % kWordBits);
        consistent = remove(node.domains, {crossing(id.axis), cell}, id.position, colour);
    });
    if (consistent) node.board.narrow(id, supported, [](std::size_t) {});
    return consistent;
}

// Removes the placements of a line that give one of its cells a colour; false if none is left.
bool Gac::remove(Domains& domains, LineId id, std::size_t cell, std::size_t colour) {
    const std::size_t line = number_(id);
    removed_ += static_cast<std::int64_t>(domains.remove(line, tables_[line].with(cell, colour)));
    dirty_.push(id);
    if (domains.size(line) > 0) return true;
    ++conflicts_[place(cell_of(id, cell))];
    return false;
}

}  // namespace nonocsp
