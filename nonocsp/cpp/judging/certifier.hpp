// Makes a certificate of a puzzle that has one solution: the formula and the proof that there is no other
// (docs/explanation/certificates.md), by line solving and the learning search, in portions of conflicts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/watch.hpp"
#include "cdcl/solver.hpp"
#include "grid/components.hpp"
#include "line/clue.hpp"
#include "proofs/component_proof.hpp"
#include "proofs/proof_log.hpp"

namespace nonocsp {

class Certifier {
  public:
    // Solves lines. `clues` must outlive it; the solution has the colours of all cells, row by row. Throws
    // Unsupported if the formula becomes too long.
    Certifier(const PuzzleClues& clues, std::span<const std::uint8_t> solution, Watch& watch);

    // Goes on for at most about so many conflicts; true once the proof is complete. Throws Unsupported if it
    // becomes too long, and std::logic_error if there is another solution.
    bool advance(std::int64_t conflicts, Watch& watch);

    const std::string& formula() const { return formula_; }
    const std::string& proof() const { return log_.bytes(); }

  private:
    // Starts to search a component for another solution than its part of the known one.
    void begin(const Component& component);

    std::string formula_;
    ProofLog log_;
    Board solution_;
    std::vector<Component> open_;  // components that are not refuted; the last one is searched
    bool is_alone_ = false;        // whether there is one component
    std::unique_ptr<ComponentProof> proof_;
    std::unique_ptr<CdclSolver> solver_;  // none before a component is begun
};

}  // namespace nonocsp
