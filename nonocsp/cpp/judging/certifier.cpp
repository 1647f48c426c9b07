#include "judging/certifier.hpp"

#include <algorithm>
#include <stdexcept>

#include "grid/propagator.hpp"
#include "grid/settle_trail.hpp"
#include "proofs/board_proof.hpp"
#include "proofs/formula.hpp"

namespace nonocsp {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 28;  // of a proof
constexpr std::size_t kMemory = std::size_t{64} << 20;    // bytes for clauses of the search

Board board_of(const PuzzleClues& clues, std::span<const std::uint8_t> solution) {
    std::vector<Word> cells(solution.size());
    std::ranges::transform(solution, cells.begin(), [](std::uint8_t colour) { return Word{1} << colour; });
    return grid_of<Board>(clues, cells);
}

}  // namespace

Certifier::Certifier(const PuzzleClues& clues, std::span<const std::uint8_t> solution, Watch& watch)
    : formula_(formula_without(clues, solution)), log_(kMostBytes), solution_(board_of(clues, solution)) {
    log_.begin(clues);
    Board board = grid_of<Board>(clues);
    Propagator propagator(clues);
    propagator.touch_all();
    SettleTrail trail;
    trail.record([&](auto settled) { return propagator.to_fixpoint(board, watch, Ignore(), settled); });
    BoardProof lines(clues, log_);
    lines.settle(trail);
    lines.write();
    if (board.open_cells() > 0) open_ = components_of(clues, board);
    is_alone_ = open_.size() == 1;
}

bool Certifier::advance(std::int64_t conflicts, Watch& watch) {
    for (; !open_.empty(); solver_.reset(), open_.pop_back()) {
        if (!solver_) begin(open_.back());
        const std::int64_t before = solver_->statistics().conflicts;
        const CdclSolver::End end = solver_->search(std::max(conflicts, std::int64_t{1}), watch);
        if (end == CdclSolver::End::kSolution) throw std::logic_error("the puzzle has another solution");
        conflicts -= solver_->statistics().conflicts - before;
        if (end == CdclSolver::End::kSpent) return false;
    }
    log_.add({});
    return true;
}

void Certifier::begin(const Component& component) {
    const Board known = cut_out(solution_, component);
    proof_ = std::make_unique<ComponentProof>(log_, component, is_alone_);
    proof_->exclude(known);
    solver_ = std::make_unique<CdclSolver>(*component.clues, component.board, Variables::kCellsAndStarts,
                                           kMemory, SearchOptions(), &*proof_);
    solver_->block(known);
}

}  // namespace nonocsp
