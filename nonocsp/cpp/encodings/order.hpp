// The order encoding of a puzzle: variables "block j starts at s or before" besides those of the cells (order
// variables after Crawford & Baker 1994; for nonograms as in Tamura's Copris). Only what `candidates` leaves
// open is encoded: there is one order variable between two neighbouring possible starts of a block, and none
// for decided blocks.
//
// Seen from one cell, its line passes through stages: gap 0, block 0, gap 1, … The line enters a stage at its
// threshold: block j starts by the cell, or by the cell minus its length. One clause a stage gives the cell
// its colour. A threshold equal to another one or to a cell's literal shares its variable, which saves a
// tenth of the variables. Cost: linear in the clauses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "encodings/line_encoder.hpp"

namespace nonocsp {

// The thresholds of one line, "block j starts at s or before", as a union-find: equal ones share a root. A
// root may be the alias of a cell literal.
class Thresholds {
  public:
    using Id = std::int32_t;
    static constexpr Id kPassed = -1;  // always true: no later start is possible
    static constexpr Id kNotYet = -2;  // always false: no start so early is possible

    void assign(const BlockStarts& starts);

    // The root of the threshold.
    Id started_by(std::size_t block, std::int32_t position) const;
    // Joins two thresholds, unless both are aliases already.
    void unite(Id a, Id b);
    // Makes a root the alias of a literal, unless it is one already.
    void alias(Id root, Literal literal);
    // Gives a variable to every root that is no alias, and calls visit(block, position) for it. `literal` may
    // be called afterwards.
    template <class Visit>
    void number(Clauses& clauses, Visit visit);
    Literal literal(Id root) const;

  private:
    struct Window {
        std::int32_t earliest, latest;  // starts
        std::size_t offset;             // of the window in ranks_
    };
    Id root(Id id) const;

    std::vector<Window> windows_;    // [block]
    std::vector<Id> ranks_;          // [window offset + position - earliest]; each block has ids of its own
    std::vector<Id> parents_;        // [id]; a root is its own parent
    std::vector<Literal> literals_;  // [id]; 0: none yet
};

class OrderEncoder final : public LineEncoder {
  public:
    using LineEncoder::LineEncoder;
    void add_line(const EncodedLine& line, const BlockStarts& starts) override;

  private:
    struct Stage {
        Thresholds::Id threshold;
        std::uint32_t colour;
    };

    template <class Visit>
    void visit_cells(const EncodedLine& line, Visit visit);
    void list_stages(const EncodedLine& line, std::int32_t position, std::size_t block);
    bool enter_stage(Thresholds::Id threshold, std::uint32_t colour);
    bool unite_impossible(std::size_t cell);
    void alias_only_threshold(std::size_t cell);
    void add_order_clauses(const EncodedLine& line, const BlockStarts& starts);
    void add_stage_clauses(std::size_t cell);

    Thresholds thresholds_of_line_;
    std::vector<Stage> stages_;
};

inline constexpr Encode& encode_order = encode_by<OrderEncoder>;

}  // namespace nonocsp
