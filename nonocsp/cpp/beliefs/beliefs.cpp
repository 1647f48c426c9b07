#include "beliefs/beliefs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

#include "line/planes.hpp"

namespace nonocsp {
namespace {

void normalise(std::vector<double>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    assert(sum > 0 && std::isfinite(sum));
    for (double& share : shares) share /= sum;
}

// A loop, since lines are almost always a few words.
bool is_equal(std::span<const Word> a, const std::vector<Word>& b) {
    if (a.size() != b.size()) return false;
    Word different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different |= a[i] ^ b[i];
    return different == 0;
}

}  // namespace

Beliefs::Beliefs(const PuzzleClues& clues)
    : clues_(clues),
      number_(clues.rows.size()),
      rows_(clues.rows.size()),
      columns_(clues.columns.size()),
      marginals_{Marginals(columns_, clues.colours, kLargestWeight),
                 Marginals(rows_, clues.colours, kLargestWeight)},
      settlers_{make_settler(columns_), make_settler(rows_)},
      messages_{Messages(rows_, columns_, clues.colours), Messages(columns_, rows_, clues.colours)},
      beliefs_((clues.colours - 1) * rows_ * columns_),
      states_(rows_ + columns_),
      moved_(rows_ + columns_),
      odds_(std::max(rows_, columns_)),
      shares_(clues.colours),
      other_(clues.colours) {
    reset();
}

void Beliefs::reset() {
    for (Messages& messages : messages_) messages.planes.fill(1.0);
    std::fill(beliefs_.begin(), beliefs_.end(), 1.0 / static_cast<double>(clues_.colours));
    std::fill(moved_.begin(), moved_.end(), 1U);
}

double Beliefs::sweep(const Board& board, Watch& watch) {
    assert(board.lines(Axis::kRow) == rows_ && board.lines(Axis::kColumn) == columns_);
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < board.lines(axis); ++i) {
            watch.check();
            pass({axis, i}, board);
        }
    return clues_.colours == 2 ? update_one_colour(board) : update(board);
}

std::size_t Beliefs::run(const Board& board, std::size_t sweeps, double tolerance, Watch& watch) {
    for (std::size_t done = 0; done < sweeps; ++done)
        if (sweep(board, watch) < tolerance) return done + 1;
    return sweeps;
}

void Beliefs::pass(LineId id, const Board& board) {
    const std::span<const Word> line = board.line(id);
    if (!has_open_cells(line, words_for(board.length(id.axis)))) return;
    std::uint32_t& moved = moved_[number_(id)];
    if (!update_state(id, line) && moved == 0) return;
    moved = 0;
    if (!find_marginals(id, line)) return;
    clues_.colours == 2 ? send_one_colour(id) : send(id);
}

// Finds the possible starts of a line; whether the line changed since its last pass.
bool Beliefs::update_state(LineId id, std::span<const Word> line) {
    LineState& state = states_[number_(id)];
    if (is_equal(line, state.line)) return false;
    const Clue& clue = clues_[id];
    state.line.assign(line.begin(), line.end());
    state.offsets.resize(clue.blocks.size() * words_for(clue.slack + 1));
    state.fits = settlers_[index(id.axis)]->offsets(clue, line, state.offsets);
    state.open.assign(words_for(clue.length), Word{0});
    if (!state.fits) return true;
    lay_out(clue, state.offsets, state.layout);
    add_cells(state.open.data(), state.layout.begin, state.layout.end);
    for (std::size_t word = 0; word < state.open.size(); ++word)
        state.open[word] &= open_cells(line, state.open.size(), word);
    return true;
}

// False if no placement fits. The weights of the background are 0 where it is excluded.
bool Beliefs::find_marginals(LineId id, std::span<const Word> line) {
    const LineState& state = states_[number_(id)];
    if (!state.fits) return false;
    ++lines_;
    Marginals& marginals = marginals_[index(id.axis)];
    const Messages& messages = messages_[index(id.axis)];
    const std::size_t begin = state.layout.begin / 4 * 4, end = state.layout.end;
    assert(end <= clues_[id].length);
    const double* background = messages.line(0, id.position);
    const std::span<const Word> possible = line.first(words_for(clues_[id].length));
    for (std::size_t cell = begin; cell <= end; cell += 4) {
        const Word bits = cell < clues_[id].length ? possible[cell / kWordBits] >> cell % kWordBits : 0;
        for (std::size_t i = 0; i < 4; ++i)
            marginals.weights(0)[cell + i] = background[cell + i] * kNibbles[bits & 15][i];
    }
    for (std::size_t colour = 2; colour < clues_.colours; ++colour)
        std::copy(messages.line(colour, id.position) + begin, messages.line(colour, id.position) + end,
                  marginals.weights(colour) + begin);
    return marginals.find(clues_[id], state.offsets, state.layout);
}

// Computes the odds of the background divided by the incoming message. It takes all cells that may be open
// and has no branch, so that the compiler divides several at once.
void Beliefs::find_odds(LineId id) {
    constexpr double kLeast = 1 / kLargestWeight;
    const Marginals& marginals = marginals_[index(id.axis)];
    const MarginalLayout& layout = states_[number_(id)].layout;
    const double total = marginals.total(), *background = marginals.background();
    const double* incoming = messages_[index(id.axis)].line(0, id.position);
    for (std::size_t i = layout.begin; i < layout.end; ++i) {
        const double rest = total - background[i];
        const double odds = background[i] / ((rest > 0 ? rest : 0) * incoming[i]);
        const double most = odds < kLargestWeight ? odds : kLargestWeight;
        odds_[i] = most > kLeast ? most : kLeast;
    }
}

// Sends the odds. Whether a message moved is decided on the shares w / (1 + w), without dividing.
void Beliefs::send_one_colour(LineId id) {
    find_odds(id);
    const Axis other = crossing(id.axis);
    double* outgoing = messages_[index(other)].line(0, 0) + id.position;
    const std::size_t stride = messages_[index(other)].stride;
    std::uint32_t* moved = &moved_[number_({other, 0})];
    for_each_open(id, [&](std::size_t i) {
        const double sent = odds_[i];
        assert(1 / kLargestWeight <= sent && sent <= kLargestWeight);
        double& message = outgoing[i * stride];
        const double least = kTolerance * (1 + sent) * (1 + message);
        moved[i] |= static_cast<std::uint32_t>(std::abs(sent - message) >= least);
        message = sent;
    });
}

// Sends the shares of several colours.
void Beliefs::send(LineId id) {
    const Marginals& marginals = marginals_[index(id.axis)];
    const Messages& incoming = messages_[index(id.axis)];
    Messages& outgoing = messages_[index(crossing(id.axis))];
    for_each_open(id, [&](std::size_t position) {
        double rest = marginals.total();
        for (std::size_t colour = 0; colour < clues_.colours; ++colour) {
            if (colour == 1) continue;
            const double weight =
                (colour == 0 ? marginals.background() : marginals.coloured(colour))[position];
            shares_[colour] = std::max(weight, 0.0) / incoming.line(colour, id.position)[position];
            rest -= weight;
        }
        shares_[1] = std::max(rest, 0.0);
        normalise(shares_);
        for (double& share : shares_) share = std::clamp(share, kLeastShare, 1 - kLeastShare);
        normalise(shares_);
        write_shares(crossing(id.axis), position, id.position, other_);
        std::uint32_t& moved = moved_[number_({crossing(id.axis), position})];
        for (std::size_t colour = 0; colour < clues_.colours; ++colour) {
            assert(0 < shares_[colour] && shares_[colour] < 1);
            if (std::abs(shares_[colour] - other_[colour]) >= kTolerance) moved = 1;
            if (colour != 1) outgoing.line(colour, position)[id.position] = shares_[colour] / shares_[1];
        }
    });
}

// Writes a message as shares.
void Beliefs::write_shares(Axis axis, std::size_t line, std::size_t position,
                           std::vector<double>& shares) const {
    for (std::size_t colour = 0; colour < clues_.colours; ++colour)
        shares[colour] = colour == 1 ? 1 : messages_[index(axis)].line(colour, line)[position];
    normalise(shares);
}

double Beliefs::update_one_colour(const Board& board) {
    double largest = 0;
    const std::size_t stride = messages_[1].stride;
    for (std::size_t row = 0; row < rows_; ++row) {
        const std::span<const Word> line = board.line({Axis::kRow, row});
        const std::size_t words = line.size() / 2;
        const double *of_row = messages_[0].line(0, row), *of_columns = messages_[1].line(0, 0) + row;
        double* beliefs = &beliefs_[row * columns_];
        for (std::size_t word = 0; word < words; ++word)
            for_each_cell(line[word] & line[words + word], word * kWordBits, [&](std::size_t i) {
                const double belief = 1 / (1 + of_row[i] * of_columns[i * stride]);
                assert(0 < belief && belief < 1);
                largest = std::max(largest, std::abs(belief - beliefs[i]));
                beliefs[i] = belief;
            });
    }
    return largest;
}

double Beliefs::update(const Board& board) {
    double largest = 0;
    board.for_each_open([&](Cell cell) {
        write_shares(Axis::kRow, cell.row, cell.column, shares_);
        write_shares(Axis::kColumn, cell.column, cell.row, other_);
        std::transform(shares_.begin(), shares_.end(), other_.begin(), shares_.begin(), std::multiplies<>());
        normalise(shares_);
        for (std::size_t colour = 1; colour < clues_.colours; ++colour) {
            double& belief = beliefs_[((colour - 1) * rows_ + cell.row) * columns_ + cell.column];
            largest = std::max(largest, std::abs(shares_[colour] - belief));
            belief = shares_[colour];
        }
    });
    return largest;
}

double Beliefs::belief(std::size_t cell, std::size_t colour) const {
    const std::size_t cells = rows_ * columns_;
    assert(cell < cells && colour < clues_.colours);
    if (colour > 0) return beliefs_[(colour - 1) * cells + cell];
    double background = 1;
    for (std::size_t at = cell; at < beliefs_.size(); at += cells) background -= beliefs_[at];
    assert(background > -1e-9);  // the shares of a cell add up to 1
    return background;
}

bool Beliefs::starts(LineId id, const Board& board, std::vector<double>& shares) {
    const Clue& clue = clues_[id];
    update_state(id, board.line(id));
    if (!find_marginals(id, board.line(id))) return false;
    shares.assign(clue.blocks.size() * clue.length, 0.0);
    marginals_[index(id.axis)].for_each_start([&](std::size_t block, std::size_t cell, double share) {
        shares[block * clue.length + cell] = share;
    });
    for (auto row = shares.begin(); row != shares.end(); row += static_cast<std::ptrdiff_t>(clue.length))
        std::partial_sum(row, row + static_cast<std::ptrdiff_t>(clue.length), row);
    return true;
}

}  // namespace nonocsp
