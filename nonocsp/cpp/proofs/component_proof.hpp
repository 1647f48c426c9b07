// The part of a proof that the searches of one component write. They know the component as a puzzle of its
// own, and have to look for another solution of it; the formula only forbids the first solution of the whole
// puzzle. So where there are other components, a variable stands for "this component differs from its part of
// the first solution", and all lemmas after that solution begin with its negation.
#pragma once

#include <span>
#include <vector>

#include "grid/components.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {

class ComponentProof {
  public:
    // `log` must outlive it.
    ComponentProof(ProofLog& log, const Component& component, bool is_alone);

    // Of a cell and a line of the component, as in ProofLog.
    Literal removes(Cell cell, std::size_t colour) const {
        return log_.removes({cell.row + first_.row, cell.column + first_.column}, colour);
    }
    Literal started(LineId line, std::size_t block, std::size_t position) const;

    // From now on this solution of the component is excluded; later calls change nothing.
    void exclude(const Board& solution);

    void add(std::span<const Literal> clause) { log_.add(guarded(clause)); }
    void erase(std::span<const Literal> clause) { log_.erase(guarded(clause)); }

  private:
    std::span<const Literal> guarded(std::span<const Literal> clause);

    ProofLog& log_;
    Cell first_;
    std::array<std::vector<std::size_t>, 2> first_blocks_;
    std::vector<Cell> open_;
    bool needs_guard_;
    std::vector<Literal> guard_, clause_;  // the guard is empty, or one literal
};

}  // namespace nonocsp
