#include "judging/contradiction.hpp"

#include <algorithm>
#include <bit>

#include "cdcl/solver.hpp"

namespace nonocsp {
namespace {

constexpr std::int64_t kPatience = 300;                 // conflicts of a test
constexpr std::size_t kMemory = std::size_t{16} << 20;  // bytes for clauses of a test

}  // namespace

Contradiction::Contradiction(const ClueDraft& draft) : clues_(draft.compiled()), propagator_(clues_) {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < draft.lines[index(axis)].size(); ++i) kept_.push_back({axis, i});
}

bool Contradiction::advance(std::size_t tests, Watch& watch) {
    for (; tests > 0 && !is_over_; --tests) step(watch);
    return is_over_;
}

void Contradiction::step(Watch& watch) {
    if (part_ == 0) {
        if (is_refuted_ || refutes(watch)) {
            is_refuted_ = true;
            part_ = std::bit_floor(kept_.size());
        } else {
            next_method();
        }
        return;
    }
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(at_);
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(part_, kept_.size() - at_));
    std::vector<Clue> before;
    for (auto line = first; line != last; ++line) {
        Clue free = clues_[*line];
        free.is_free = true;
        before.push_back(clues_.replace(*line, free));
    }
    if (refutes(watch)) {
        kept_.erase(first, last);
    } else {
        for (auto line = first; line != last; ++line)
            clues_.replace(*line, before[static_cast<std::size_t>(line - first)]);
        at_ += part_;
    }
    if (at_ < kept_.size()) return;
    at_ = 0;
    part_ /= 2;
    if (part_ == 0) next_method();
}

void Contradiction::next_method() {
    is_over_ = method_ == Method::kSearch;
    method_ = Method::kSearch;
}

bool Contradiction::refutes(Watch& watch) {
    Board board(clues_.rows.size(), clues_.columns.size(), clues_.colours);
    propagator_.touch_all();
    if (propagator_.to_fixpoint(board, watch)) return true;
    if (method_ == Method::kLines || board.open_cells() == 0) return false;
    CdclSolver solver(clues_, board, Variables::kCells, kMemory, SearchOptions());
    return solver.search(kPatience, watch) == CdclSolver::End::kExhausted;
}

}  // namespace nonocsp
