// The order encoding of a puzzle: variables "block j starts at s or before" besides those of the cells (order
// variables after Crawford & Baker 1994; for nonograms as in Tamura's Copris). Only what `candidates` leaves
// open is encoded: there is one order variable between two neighbouring possible starts of a block, and none
// for decided blocks.
//
// Seen from one cell, its line passes through stages: gap 0, block 0, gap 1, … The line enters a stage at its
// threshold: block j starts by the cell, or by the cell minus its length. One clause a stage gives the cell
// its colour. A threshold equal to another one or to a cell's literal shares its variable, which saves a
// tenth of the variables. Cost: linear in the clauses.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {
namespace {

// The thresholds of one line, "block j starts at s or before", as a union-find: equal ones share a root. A
// root may be the alias of a cell literal.
class Thresholds {
  public:
    using Id = std::int32_t;
    static constexpr Id kPassed = -1;  // always true: no later start is possible
    static constexpr Id kNotYet = -2;  // always false: no start so early is possible

    void assign(const BlockStarts& starts) {
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

    // The root of the threshold.
    Id started_by(std::size_t block, std::int32_t position) const {
        const Window& window = windows_[block];
        if (position < window.earliest) return kNotYet;
        if (position >= window.latest) return kPassed;
        return root(ranks_[window.offset + static_cast<std::size_t>(position - window.earliest)]);
    }

    // Joins two thresholds, unless both are aliases already.
    void unite(Id a, Id b) {
        assert(a >= 0 && b >= 0);  // not one of the constants
        a = root(a);
        b = root(b);
        if (literals_[static_cast<std::size_t>(a)] != 0) std::swap(a, b);
        if (literals_[static_cast<std::size_t>(a)] == 0) parents_[static_cast<std::size_t>(a)] = b;
    }

    // Makes a root the alias of a literal, unless it is one already.
    void alias(Id root, Literal literal) {
        if (literals_[static_cast<std::size_t>(root)] == 0)
            literals_[static_cast<std::size_t>(root)] = literal;
    }

    // Gives a variable to every root that is no alias, and calls visit(block, position) for it. `literal` may
    // be called afterwards.
    template <class Visit>
    void number(Clauses& clauses, Visit visit) {
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

    Literal literal(Id root) const {
        if (root == kPassed) return kTrue;
        if (root == kNotYet) return kFalse;
        assert(parents_[static_cast<std::size_t>(root)] == root &&
               literals_[static_cast<std::size_t>(root)] != 0);
        return literals_[static_cast<std::size_t>(root)];
    }

  private:
    struct Window {
        std::int32_t earliest, latest;  // starts
        std::size_t offset;             // of the window in ranks_
    };

    Id root(Id id) const {
        while (parents_[static_cast<std::size_t>(id)] != id) id = parents_[static_cast<std::size_t>(id)];
        return id;
    }

    std::vector<Window> windows_;    // [block]
    std::vector<Id> ranks_;          // [window offset + position - earliest]; each block has ids of its own
    std::vector<Id> parents_;        // [id]; a root is its own parent
    std::vector<Literal> literals_;  // [id]; 0: none yet
};

class OrderEncoder final : public LineEncoder {
  public:
    using LineEncoder::LineEncoder;

    void add_line(const EncodedLine& line, const BlockStarts& starts) override {
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

  private:
    struct Stage {
        Thresholds::Id threshold;
        std::uint32_t colour;
    };

    // Visits the cells that are not known to be background, each with the first block that may end at it or
    // after it. Known background cells need no clauses: no possible start contradicts them.
    template <class Visit>
    void visit_cells(const EncodedLine& line, Visit visit) {
        std::size_t block = 0;
        for (std::int32_t position = 0; position < line.cells; ++position) {
            if (cells_.candidates(line.cell(position)) == 1) continue;
            while (block < line.blocks() && thresholds_of_line_.started_by(
                                                block, position - line.length(block)) == Thresholds::kPassed)
                ++block;
            visit(position, block);
        }
    }

    // Lists the stages that the line may be in at a cell, from the gap before `block` on.
    void list_stages(const EncodedLine& line, std::int32_t position, std::size_t block) {
        stages_.assign(1, {Thresholds::kPassed, 0});
        for (; block < line.blocks(); ++block) {
            if (!enter_stage(thresholds_of_line_.started_by(block, position), line.colour(block))) return;
            if (!enter_stage(thresholds_of_line_.started_by(block, position - line.length(block)), 0)) return;
        }
    }

    // Appends a stage. Earlier stages that end where they begin are dropped, and a stage continues one of its
    // own colour. Returns false if the line cannot reach the stage here.
    bool enter_stage(Thresholds::Id threshold, std::uint32_t colour) {
        if (threshold == Thresholds::kNotYet) return false;
        while (!stages_.empty() &&
               (threshold == Thresholds::kPassed || stages_.back().threshold == threshold))
            stages_.pop_back();
        if (stages_.empty() || stages_.back().colour != colour) stages_.push_back({threshold, colour});
        return true;
    }

    // Joins the thresholds of each stage whose colour the cell cannot have: it ends where it begins. Returns
    // whether there was such a stage.
    bool unite_impossible(std::size_t cell) {
        bool united = false;
        for (std::size_t i = 1; i + 1 < stages_.size(); ++i) {
            if (cells_.has_colour(cell, stages_[i].colour) != kFalse) continue;
            thresholds_of_line_.unite(stages_[i].threshold, stages_[i + 1].threshold);
            united = true;
        }
        return united;
    }

    // If a single threshold decides the cell, it equals the cell's literal.
    void alias_only_threshold(std::size_t cell) {
        if (stages_.size() != 2) return;
        const Literal literal = cells_.has_colour(cell, stages_[1].colour);
        if (literal != kTrue && literal != kFalse) thresholds_of_line_.alias(stages_[1].threshold, literal);
    }

    // A block that starts by s also starts by its next start, and the block before it starts early enough. A
    // clause of the latter kind is left out if that of a later start implies it.
    void add_order_clauses(const EncodedLine& line, const BlockStarts& starts) {
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
    void add_stage_clauses(std::size_t cell) {
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const Literal left =
                i + 1 < stages_.size() ? thresholds_of_line_.literal(stages_[i + 1].threshold) : kFalse;
            clauses_.add({-thresholds_of_line_.literal(stages_[i].threshold), left,
                          cells_.has_colour(cell, stages_[i].colour)});
        }
    }

    Thresholds thresholds_of_line_;
    std::vector<Stage> stages_;
};

}  // namespace

Encoding encode_order(const PuzzleClues& clues, std::span<const Word> candidates) {
    return encode_by<OrderEncoder>(clues, candidates);
}

}  // namespace nonocsp
