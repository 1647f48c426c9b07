#include "probing/implications.hpp"

#include <string>

#include "search/search.hpp"

namespace nonocsp {

CandidateNumbers::CandidateNumbers(const Board& board)
    : columns_(board.lines(Axis::kColumn)),
      colours_(board.colours()),
      numbers_(board.lines(Axis::kRow) * columns_ * colours_) {
    board.for_each_open([&](Cell cell) {
        for_each_cell(board.candidates(cell), 0, [&](std::size_t colour) {
            numbers_[(cell.row * columns_ + cell.column) * colours_ + colour] =
                static_cast<std::uint32_t>(candidates_.size());
            candidates_.push_back({cell, colour});
        });
    });
}

Implications::Implications(const Board& board, bool transitive)
    : numbers_(std::make_shared<const CandidateNumbers>(board)),
      transitive_(transitive),
      words_(words_for(numbers_->size())) {
    if (numbers_->size() > kMostCandidates)
        throw Unsupported("fp2 and fp3 take at most " + std::to_string(kMostCandidates) +
                          " open candidates; line solving leaves " + std::to_string(numbers_->size()));
    excluded_.resize(numbers_->size() * words_);
}

}  // namespace nonocsp
