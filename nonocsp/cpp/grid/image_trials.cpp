#include "grid/image_trials.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "grid/image_clues.hpp"
#include "grid/propagator.hpp"

namespace nonocsp {
namespace {

std::size_t checked_columns(std::span<const std::uint8_t> image, std::size_t columns) {
    if (columns == 0 || image.empty() || image.size() % columns != 0)
        throw std::invalid_argument("an image has rows of the same length");
    return columns;
}

}  // namespace

// Settles the puzzle of a changed image; only two clues differ from those of the image.
class ImageTrials::Trial {
  public:
    explicit Trial(const ImageTrials& trials)
        : trials_(trials),
          blank_(trials.rows(), trials.columns_, trials.colours_),
          board_(blank_),
          settlers_{make_settler(trials.clues_.rows.line_length()),
                    make_settler(trials.clues_.columns.line_length())},
          dirty_(trials.rows(), trials.columns_),
          settled_(trials.colours_ * words_for(std::max(trials.rows(), trials.columns_))) {}

    std::size_t open_after(const Change& change, Watch& watch) {
        board_ = blank_;
        dirty_.push_all();
        return settle(change, watch);
    }

    std::size_t least_open_after(const Change& change, Watch& watch) {
        board_ = trials_.known_;
        const Word known = board_.candidates(change.cell);
        for (std::size_t colour = 0; colour < trials_.colours_; ++colour)
            if ((known >> colour & 1) == 0) board_.restore(change.cell, colour);
        for (const LineId id : lines_of(change)) dirty_.push(id);
        return settle(change, watch);
    }

  private:
    static std::array<LineId, 2> lines_of(const Change& change) {
        return {LineId{Axis::kRow, change.cell.row}, LineId{Axis::kColumn, change.cell.column}};
    }

    std::size_t settle(const Change& change, Watch& watch) {
        const auto [row, column] = lines_of(change);
        const Clues changed_row = changed_clue(row, change), changed_column = changed_clue(column, change);
        while (!dirty_.empty()) {
            watch.check();
            const LineId id = dirty_.pop();
            settle(id, id == row ? changed_row[0] : id == column ? changed_column[0] : trials_.clues_[id]);
        }
        assert(board_.planes_agree());
        assert((board_.candidates(change.cell) >> change.colour & 1) != 0);
        return board_.open_cells();
    }

    Clues changed_clue(LineId id, const Change& change) const {
        const Image line = trials_.line(id, change);
        OwnedClues clue;
        append_clue(clue, line);
        return Clues(line.size(), clue.view());
    }

    void settle(LineId id, const Clue& clue) {
        const std::span<const Word> line = board_.line(id);
        const std::span<Word> settled(settled_.data(), line.size());
        [[maybe_unused]] const bool fits = settlers_[index(id.axis)]->settle(clue, line, settled);
        assert(fits);  // the changed image does
        const Axis other = crossing(id.axis);
        board_.narrow(id, settled, [&](std::size_t position) { dirty_.push({other, position}); });
    }

    const ImageTrials& trials_;
    Board blank_, board_;
    std::array<std::unique_ptr<Settler>, 2> settlers_;
    DirtyLines dirty_;
    std::vector<Word> settled_;
};

ImageTrials::ImageTrials(Image image, std::size_t columns, std::size_t colours, Watch& watch)
    : image_(std::move(image)),
      columns_(checked_columns(image_, columns)),
      colours_(colours),
      clues_(clues_of_image(image_, columns_, colours_)),
      known_(rows(), columns_, colours_) {
    Propagator propagator(clues_);
    propagator.touch_all();
    propagator.to_fixpoint(known_, watch);
}

ImageTrials::Image ImageTrials::line(LineId id) const {
    if (id.axis == Axis::kRow) {
        const auto first = image_.begin() + static_cast<std::ptrdiff_t>(id.position * columns_);
        return Image(first, first + static_cast<std::ptrdiff_t>(columns_));
    }
    Image line;
    for (std::size_t at = id.position; at < image_.size(); at += columns_) line.push_back(image_[at]);
    return line;
}

ImageTrials::Image ImageTrials::line(LineId id, const Change& change) const {
    Image changed = line(id);
    changed[id.axis == Axis::kRow ? change.cell.column : change.cell.row] = change.colour;
    return changed;
}

std::vector<std::int32_t> ImageTrials::open_after(std::span<const Change> changes, bool least,
                                                  Watch& watch) const {
    Trial trial(*this);
    std::vector<std::int32_t> open;
    for (const Change& change : changes) {
        if (change.cell.row >= rows() || change.cell.column >= columns_ || change.colour >= colours_)
            throw std::invalid_argument("a change is outside the image or its colours");
        const std::size_t cells =
            least ? trial.least_open_after(change, watch) : trial.open_after(change, watch);
        open.push_back(static_cast<std::int32_t>(cells));
    }
    return open;
}

}  // namespace nonocsp
