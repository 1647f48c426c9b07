// Belief propagation between the rows and the columns of a puzzle: estimates the share of each colour in each
// cell over all solutions, treating the lines as independent. A line sends a message to each of its cells:
// its exact marginals there, divided by the message from the cell's other line. A cell's belief is the
// normalised product of its two messages.
//
// Messages are kept relative to the share of colour 1, as Marginals takes them. No share is below
// kLeastShare, so that no message decides a cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/watch.hpp"
#include "beliefs/marginals.hpp"
#include "grid/board.hpp"
#include "grid/propagator.hpp"
#include "line/settler.hpp"

namespace nonocsp {

class Beliefs {
  public:
    // `clues` must outlive the beliefs. Every message is uninformed.
    explicit Beliefs(const PuzzleClues& clues);

    // Forgets all messages.
    void reset();

    // One pass over the open lines of a board at the fixpoint of settle, rows first. Returns the largest
    // change of a belief. Skips a line if neither its known cells changed since its last pass nor a message
    // to it by kTolerance. A line that no placement fits keeps its messages.
    double sweep(const Board& board, Watch& watch);
    double sweep(const Board& board) {
        Watch never;
        return sweep(board, never);
    }

    // Sweeps until no belief moves by `tolerance`, at most `sweeps` times. Returns the number of sweeps.
    std::size_t run(const Board& board, std::size_t sweeps, double tolerance, Watch& watch);

    // The belief that a cell (row-major) has a colour. A cell that was known in the last sweep keeps its
    // belief from before.
    double belief(std::size_t cell, std::size_t colour) const;

    // Writes P(block starts at the cell or before it) by block and cell, given the messages to the line;
    // false if no placement fits.
    bool starts(LineId id, const Board& board, std::vector<double>& shares);

    // The lines whose marginals were computed.
    std::int64_t lines() const { return lines_; }

  private:
    static constexpr double kTolerance = .005;
    static constexpr double kLeastShare = .001;
    static constexpr double kLargestWeight = (1 - kLeastShare) / kLeastShare;

    // A line as of its last pass: its planes, and the possible starts found from them.
    struct LineState {
        std::vector<Word> line, offsets;
        std::vector<Word> open;  // the cells to send messages to
        MarginalLayout layout;
        bool fits = false;
    };

    // Messages to the lines of one axis: weights relative to colour 1, laid out as Marginals reads them.
    struct Messages {
        Messages(std::size_t lines, std::size_t length, std::size_t colours)
            : stride(length + CellPlanes::kPadding), planes(lines * stride, colours) {}

        double* line(std::size_t colour, std::size_t line) { return planes[colour] + line * stride; }
        const double* line(std::size_t colour, std::size_t line) const {
            return planes[colour] + line * stride;
        }

        std::size_t stride;
        CellPlanes planes;
    };

    // Calls visit(position) for the cells that a line sends messages to.
    template <class Visit>
    void for_each_open(LineId id, Visit visit) const {
        const std::vector<Word>& open = states_[number_(id)].open;
        for (std::size_t word = 0; word < open.size(); ++word)
            for_each_cell(open[word], word * kWordBits, visit);
    }

    void pass(LineId id, const Board& board);
    bool update_state(LineId id, std::span<const Word> line);
    bool find_marginals(LineId id, std::span<const Word> line);
    void send(LineId id);
    void send_one_colour(LineId id);
    void find_odds(LineId id);
    void write_shares(Axis axis, std::size_t line, std::size_t position, std::vector<double>& shares) const;
    double update(const Board& board);
    double update_one_colour(const Board& board);

    const PuzzleClues& clues_;
    LineNumbers number_;
    std::size_t rows_, columns_;
    std::array<Marginals, 2> marginals_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    std::array<Messages, 2> messages_;
    std::vector<double> beliefs_;         // [colour - 1][cell]
    std::vector<LineState> states_;       // by line number
    std::vector<std::uint32_t> moved_;    // by line number: whether a message to it moved since its last pass
    std::vector<double> odds_;            // of the cells of one line
    std::vector<double> shares_, other_;  // of one cell, by colour
    std::int64_t lines_ = 0;
};

}  // namespace nonocsp
