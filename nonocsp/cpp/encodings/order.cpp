#include "encodings/order.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <utility>

namespace nonocsp {

void Thresholds::assign(const BlockStarts& starts) {
    windows_.clear();
    ranks_.clear();
    Id next = 0;
    for (const std::vector<std::int32_t>& block : starts) {
        assert(!block.empty() && std::ranges::adjacent_find(block, std::greater_equal()) == block.end());
        windows_.push_back({block.front(), block.back(), ranks_.size()});
        for (std::size_t i = 0; i + 1 < block.size(); ++i, ++next)
            ranks_.resize(ranks_.size() + static_cast<std::size_t>(block[i + 1] - block[i]), next);
    }
    parents_.resize(static_cast<std::size_t>(next));
    std::iota(parents_.begin(), parents_.end(), Id{0});
    literals_.assign(static_cast<std::size_t>(next), 0);
}

Thresholds::Id Thresholds::started_by(std::size_t block, std::int32_t position) const {
    const Window& window = windows_[block];
    if (position < window.earliest) return kNotYet;
    if (position >= window.latest) return kPassed;
    return root(ranks_[window.offset + static_cast<std::size_t>(position - window.earliest)]);
}

Thresholds::Id Thresholds::root(Id id) const {
    while (parents_[static_cast<std::size_t>(id)] != id) id = parents_[static_cast<std::size_t>(id)];
    return id;
}

void Thresholds::unite(Id a, Id b) {
    assert(a >= 0 && b >= 0);  // not one of the constants
    a = root(a);
    b = root(b);
    if (literals_[static_cast<std::size_t>(a)] != 0) std::swap(a, b);
    if (literals_[static_cast<std::size_t>(a)] == 0) parents_[static_cast<std::size_t>(a)] = b;
}

void Thresholds::alias(Id root, Literal literal) {
    if (literals_[static_cast<std::size_t>(root)] == 0) literals_[static_cast<std::size_t>(root)] = literal;
}

template <class Visit>
void Thresholds::number(Clauses& clauses, Visit visit) {
    for (std::size_t block = 0; block < windows_.size(); ++block) {
        const Window& window = windows_[block];
        for (std::int32_t position = window.earliest; position < window.latest; ++position) {
            const Id id = ranks_[window.offset + static_cast<std::size_t>(position - window.earliest)];
            Literal& literal = literals_[static_cast<std::size_t>(id)];
            if (root(id) != id || literal != 0) continue;
            literal = clauses.fresh_variable();
            visit(block, position);
        }
    }
}

Literal Thresholds::literal(Id root) const {
    if (root == kPassed) return kTrue;
    if (root == kNotYet) return kFalse;
    assert(parents_[static_cast<std::size_t>(root)] == root &&
           literals_[static_cast<std::size_t>(root)] != 0);
    return literals_[static_cast<std::size_t>(root)];
}

void OrderEncoder::add_line(const EncodedLine& line, const BlockStarts& starts) {
    thresholds_of_line_.assign(starts);
    visit_cells(line, [&](std::int32_t position, std::size_t block) {
        list_stages(line, position, block);
        if (unite_impossible(line.cell(position))) list_stages(line, position, block);
        alias_only_threshold(line.cell(position));
    });
    thresholds_of_line_.number(clauses_, [&](std::size_t block, std::int32_t position) {
        thresholds_.push_back({line.id, static_cast<std::uint32_t>(block), position});
    });
    add_order_clauses(line, starts);
    visit_cells(line, [&](std::int32_t position, std::size_t block) {
        list_stages(line, position, block);
        add_stage_clauses(line.cell(position));
    });
}

// Visits the cells that are not known to be background, each with the first block that may end at it or after
// it. Known background cells need no clauses: no possible start contradicts them.
template <class Visit>
void OrderEncoder::visit_cells(const EncodedLine& line, Visit visit) {
    std::size_t block = 0;
    for (std::int32_t position = 0; position < line.cells; ++position) {
        if (cells_.candidates(line.cell(position)) == 1) continue;
        while (block < line.blocks() &&
               thresholds_of_line_.started_by(block, position - line.length(block)) == Thresholds::kPassed)
            ++block;
        visit(position, block);
    }
}

// Lists the stages that the line may be in at a cell, from the gap before `block` on.
void OrderEncoder::list_stages(const EncodedLine& line, std::int32_t position, std::size_t block) {
    stages_.assign(1, {Thresholds::kPassed, 0});
    for (; block < line.blocks(); ++block) {
        if (!enter_stage(thresholds_of_line_.started_by(block, position), line.colour(block))) return;
        if (!enter_stage(thresholds_of_line_.started_by(block, position - line.length(block)), 0)) return;
    }
}

// Appends a stage. Earlier stages that end where they begin are dropped, and a stage continues one of its own
// colour. Returns false if the line cannot reach the stage here.
bool OrderEncoder::enter_stage(Thresholds::Id threshold, std::uint32_t colour) {
    if (threshold == Thresholds::kNotYet) return false;
    while (!stages_.empty() && (threshold == Thresholds::kPassed || stages_.back().threshold == threshold))
        stages_.pop_back();
    if (stages_.empty() || stages_.back().colour != colour) stages_.push_back({threshold, colour});
    return true;
}

// Joins the thresholds of each stage whose colour the cell cannot have: it ends where it begins. Returns
// whether there was such a stage.
bool OrderEncoder::unite_impossible(std::size_t cell) {
    bool united = false;
    for (std::size_t i = 1; i + 1 < stages_.size(); ++i) {
        if (cells_.has_colour(cell, stages_[i].colour) != kFalse) continue;
        thresholds_of_line_.unite(stages_[i].threshold, stages_[i + 1].threshold);
        united = true;
    }
    return united;
}

// If a single threshold decides the cell, it equals the cell's literal.
void OrderEncoder::alias_only_threshold(std::size_t cell) {
    if (stages_.size() != 2) return;
    const Literal literal = cells_.has_colour(cell, stages_[1].colour);
    if (literal != kTrue && literal != kFalse) thresholds_of_line_.alias(stages_[1].threshold, literal);
}

// A block that starts by s also starts by its next start, and the block before it starts early enough. A
// clause of the latter kind is left out if that of a later start implies it.
void OrderEncoder::add_order_clauses(const EncodedLine& line, const BlockStarts& starts) {
    for (std::size_t j = 0; j < starts.size(); ++j) {
        Thresholds::Id next = Thresholds::kPassed, before_last = Thresholds::kPassed;
        for (std::size_t i = starts[j].size(); i-- > 0;) {
            const Thresholds::Id started = thresholds_of_line_.started_by(j, starts[j][i]);
            const Literal not_started = -thresholds_of_line_.literal(started);
            clauses_.add({not_started, thresholds_of_line_.literal(next)});
            next = started;
            if (j == 0) continue;
            const Thresholds::Id before =
                thresholds_of_line_.started_by(j - 1, line.latest_before(j, starts[j][i]));
            if (before != before_last) clauses_.add({not_started, thresholds_of_line_.literal(before)});
            before_last = before;
        }
    }
}

// In a stage, between its threshold and the next, the cell has the stage's colour.
void OrderEncoder::add_stage_clauses(std::size_t cell) {
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        const Literal left =
            i + 1 < stages_.size() ? thresholds_of_line_.literal(stages_[i + 1].threshold) : kFalse;
        clauses_.add({-thresholds_of_line_.literal(stages_[i].threshold), left,
                      cells_.has_colour(cell, stages_[i].colour)});
    }
}

}  // namespace nonocsp
