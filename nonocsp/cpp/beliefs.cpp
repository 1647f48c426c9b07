#include "beliefs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planes.hpp"

namespace nonocsp {
namespace {

void normalise(std::vector<double>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
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
      seen_(rows_ + columns_),
      shares_(clues.colours),
      before_(clues.colours) {
    reset();
}

void Beliefs::reset() {
    const std::size_t cells = rows_ * columns_, planes = clues_.colours - 1;
    for (Messages& messages : messages_) messages.assign(planes * cells, 1.0);
    beliefs_.assign(planes * cells, 1.0 / static_cast<double>(clues_.colours));
    for (Seen& seen : seen_) seen.moved = true;
}

double Beliefs::sweep(const Board& board) {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        for (std::size_t i = 0; i < board.lines(axis); ++i) pass({axis, i}, board);
    return clues_.colours == 2 ? update<true>(board) : update<false>(board);
}

std::size_t Beliefs::run(const Board& board, std::size_t sweeps, double tolerance, Watch& watch) {
    for (std::size_t done = 0; done < sweeps; ++done) {
        watch.check();
        if (sweep(board) < tolerance) return done + 1;
    }
    return sweeps;
}

void Beliefs::pass(LineId id, const Board& board) {
    const std::span<const Word> line = board.line(id);
    if (!has_open_cells(line, words_for(board.length(id.axis)))) return;
    Seen& seen = seen_[number_(id)];
    const bool news = look_at(id, line);
    if (!seen.fits || !(news || seen.moved)) return;
    seen.moved = false;
    if (!find_marginals(id, line)) return;
    clues_.colours == 2 ? tell<true>(id, line) : tell<false>(id, line);
}

// Finds the possible starts of a line; whether its known cells are others than the last time.
bool Beliefs::look_at(LineId id, std::span<const Word> line) {
    Seen& seen = seen_[number_(id)];
    if (std::equal(line.begin(), line.end(), seen.line.begin(), seen.line.end())) return false;
    const Clue& clue = clues_[id];
    seen.line.assign(line.begin(), line.end());
    seen.offsets.resize(clue.blocks.size() * words_for(clue.slack + 1));
    seen.fits = settlers_[index(id.axis)]->offsets(clue, line, seen.offsets);
    return true;
}

bool Beliefs::find_marginals(LineId id, std::span<const Word> line) {
    Marginals& marginals = marginals_[index(id.axis)];
    const Places places = places_of(id);
    const std::size_t length = clues_[id].length;
    for (std::size_t colour = 0; colour < clues_.colours; ++colour) {
        if (colour == 1) continue;
        const double* messages = &messages_[index(id.axis)][plane_at(colour) + places.first];
        double* weights = marginals.weights(colour);
        for (std::size_t i = 0; i < length; ++i) weights[i] = messages[i * places.step];
    }
    double* background = marginals.weights(0);
    for (std::size_t i = 0; i < length; ++i)
        background[i] *= static_cast<double>(line[i / kWordBits] >> i % kWordBits & 1);
    ++lines_;
    return marginals.find(clues_[id], seen_[number_(id)].offsets);
}

template <bool kOneColour>
void Beliefs::tell(LineId id, std::span<const Word> line) {
    const std::size_t words = words_for(clues_[id].length);
    const Places places = places_of(id);
    for (std::size_t word = 0; word < words; ++word)
        for_each_cell(open_cells(line, words, word), word * kWordBits, [&](std::size_t i) {
            const std::size_t cell = places.first + i * places.step;
            const bool moved = kOneColour ? tell_background(id.axis, cell, i) : tell_shares(id.axis, cell, i);
            if (moved) seen_[number_({crossing(id.axis), i})].moved = true;
        });
}

// One colour: the odds of the background, with those that came in divided out. Whether they moved is asked of
// the shares w / (1 + w), without dividing.
bool Beliefs::tell_background(Axis axis, std::size_t cell, std::size_t position) {
    const double share = marginals_[index(axis)].cells(1)[position];
    const double odds = (1 - share) / (share * messages_[index(axis)][cell]);
    const double told = std::clamp(odds, 1 / kLargestWeight, kLargestWeight);
    double& message = messages_[index(crossing(axis))][cell];
    const double difference = std::abs(told - message);
    const bool moved = difference >= kTolerance * (1 + told) * (1 + message);
    message = told;
    return moved;
}

bool Beliefs::tell_shares(Axis axis, std::size_t cell, std::size_t position) {
    const Marginals& marginals = marginals_[index(axis)];
    const Messages& incoming = messages_[index(axis)];
    Messages& outgoing = messages_[index(crossing(axis))];
    const std::size_t colours = clues_.colours;
    double background = 1;
    for (std::size_t colour = 1; colour < colours; ++colour) {
        const double share = marginals.cells(colour)[position];
        background -= share;
        shares_[colour] = colour == 1 ? share : share / incoming[plane_at(colour) + cell];
    }
    shares_[0] = std::max(background, 0.0) / incoming[plane_at(0) + cell];
    normalise(shares_);
    for (double& share : shares_) share = std::clamp(share, kLeastShare, 1 - kLeastShare);
    normalise(shares_);
    bool moved = false;
    write_shares(outgoing, cell, before_);
    for (std::size_t colour = 0; colour < colours; ++colour) {
        moved |= std::abs(shares_[colour] - before_[colour]) >= kTolerance;
        if (colour != 1) outgoing[plane_at(colour) + cell] = shares_[colour] / shares_[1];
    }
    return moved;
}

// A cell's shares, of one message or of the product of both.
void Beliefs::write_shares(const Messages& messages, std::size_t cell, std::vector<double>& shares) const {
    for (std::size_t colour = 0; colour < clues_.colours; ++colour)
        shares[colour] = colour == 1 ? 1 : messages[plane_at(colour) + cell];
    normalise(shares);
}

template <bool kOneColour>
double Beliefs::update(const Board& board) {
    double largest = 0;
    board.for_each_open([&](Cell cell) {
        const std::size_t at = cell.row * columns_ + cell.column;
        largest = std::max(largest, kOneColour ? update_one_colour(at) : update_shares(at));
    });
    return largest;
}

double Beliefs::update_one_colour(std::size_t cell) {
    const double belief = 1 / (1 + messages_[0][cell] * messages_[1][cell]);
    const double moved = std::abs(belief - beliefs_[cell]);
    beliefs_[cell] = belief;
    return moved;
}

double Beliefs::update_shares(std::size_t cell) {
    for (std::size_t colour = 0; colour < clues_.colours; ++colour)
        shares_[colour] =
            colour == 1 ? 1 : messages_[0][plane_at(colour) + cell] * messages_[1][plane_at(colour) + cell];
    normalise(shares_);
    double largest = 0;
    for (std::size_t colour = 1; colour < clues_.colours; ++colour) {
        double& belief = beliefs_[(colour - 1) * rows_ * columns_ + cell];
        largest = std::max(largest, std::abs(shares_[colour] - belief));
        belief = shares_[colour];
    }
    return largest;
}

double Beliefs::belief(std::size_t cell, std::size_t colour) const {
    const std::size_t cells = rows_ * columns_;
    if (colour > 0) return beliefs_[(colour - 1) * cells + cell];
    double background = 1;
    for (std::size_t at = cell; at < beliefs_.size(); at += cells) background -= beliefs_[at];
    return background;
}

bool Beliefs::starts(LineId id, const Board& board, std::vector<double>& shares) {
    const Clue& clue = clues_[id];
    look_at(id, board.line(id));
    if (!seen_[number_(id)].fits || !find_marginals(id, board.line(id))) return false;
    shares.assign(clue.blocks.size() * clue.length, 0.0);
    for (std::size_t block = 0; block < clue.blocks.size(); ++block) {
        const auto row = shares.begin() + static_cast<std::ptrdiff_t>(block * clue.length);
        marginals_[index(id.axis)].for_each_start(
            block, [&](std::size_t cell, double share) { row[static_cast<std::ptrdiff_t>(cell)] = share; });
        std::partial_sum(row, row + static_cast<std::ptrdiff_t>(clue.length), row);
    }
    return true;
}

}  // namespace nonocsp
