// The formula of certificates (docs/explanation/certificates.md) as a text in the DIMACS format. The verifier
// makes it again from the clues, by nonocsp/certificates/formula.py, which shares nothing with this.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "line/clue.hpp"

namespace nonocsp {

// Clauses whose models are the solutions but this one, the colours of all cells row by row. Throws
// Unsupported for more than a million clauses.
std::string formula_without(const PuzzleClues& clues, std::span<const std::uint8_t> solution);

}  // namespace nonocsp
