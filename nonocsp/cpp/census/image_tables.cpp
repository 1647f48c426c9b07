#include "census/image_tables.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

#include "base/random.hpp"
#include "grid/image_clues.hpp"
#include "grid/propagator.hpp"

namespace nonocsp {

SettledAxis::SettledAxis(std::size_t count, std::size_t length) : TinyAxis(count, length) {
    if (std::max(count, length) > kMostLength)
        throw std::invalid_argument("tables are for images of at most 10 rows and columns");
    const std::size_t contents = lines().contents();
    for (std::size_t content = 0; content < contents; ++content)
        for (std::size_t known = 0; known < contents; ++known)
            settled_.push_back(across(0, settle(content, known)));
    assert(settled_.size() == contents << length);
}

SettledAxis::AllSettled SettledAxis::settled_lines(Word image) const {
    AllSettled settled{};
    for (std::size_t i = 0; i < count(); ++i) settled[i] = &settled_[line(image, i) << lines().length()];
    return settled;
}

std::size_t SettledAxis::settle(std::size_t content, std::size_t known) const {
    std::size_t differ = 0;
    for (const std::size_t placement : lines().placements(lines().clue(content)))
        if (((placement ^ content) & known) == 0) differ |= placement ^ content;
    const std::size_t now_known = ~differ & (lines().contents() - 1);
    assert((known & ~now_known) == 0);  // settling forgets nothing
    return now_known;
}

ImageTables::Figures ImageTables::grade(Word image) const {
    Word across = 0;  // the image, column by column
    for (std::size_t row = 0; row < rows_.count(); ++row) across |= rows_.across(row, rows_.line(image, row));
    const SettledAxis::AllSettled by_row = rows_.settled_lines(image);
    const SettledAxis::AllSettled by_column = columns_.settled_lines(across);
    const std::size_t cells = rows_.count() * columns_.count();
    Word known = 0;  // row by row before an h-sweep, column by column after it
    std::int64_t useful = 0;
    for (std::int64_t sweep = 1;; ++sweep) {
        const int before = std::popcount(known);
        known = sweep % 2 == 1 ? rows_.sweep(by_row, known) : columns_.sweep(by_column, known);
        const int now = std::popcount(known);
        if (now > before)
            useful = sweep;
        else if (sweep > 1)  // a useless h-sweep at the start says nothing about the columns
            return {useful, cells - static_cast<std::size_t>(before)};
        if (static_cast<std::size_t>(now) == cells) return {useful, 0};
    }
}

ImageSweeps::ImageSweeps(std::size_t rows, std::size_t columns, bool tables)
    : rows_(rows), columns_(columns) {
    if (rows < 1 || columns < 1) throw std::invalid_argument("an image needs a row and a column");
    if (tables && std::max(rows, columns) <= SettledAxis::kMostLength &&
        rows * columns <= TinyAxis::kMostCells)
        tables_.emplace(rows, columns);
}

ImageSweeps::Figures ImageSweeps::grade(std::span<const std::uint8_t> image, Watch& watch) const {
    assert(image.size() == rows_ * columns_);
    if (std::ranges::any_of(image, [](std::uint8_t cell) { return cell > 1; }))
        throw std::invalid_argument("an image in black and white has cells of 0 and 1");
    watch.check();
    if (!tables_) return grade_by_propagation(image, watch);
    Word cells = 0;
    for (std::size_t i = 0; i < image.size(); ++i) cells |= Word{image[i]} << i;
    return tables_->grade(cells);
}

ImageSweeps::Figures ImageSweeps::grade_by_propagation(std::span<const std::uint8_t> image,
                                                       Watch& watch) const {
    const PuzzleClues clues = clues_of_image(image, columns_, 2);
    Board board(rows_, columns_, 2);
    Propagator propagator(clues);
    const Sweeps sweeps = propagator.by_sweeps(board, watch);
    assert(!sweeps.contradiction);  // the image fits its own clues
    return {sweeps.count, board.open_cells()};
}

SweepSample::SweepSample(std::size_t rows, std::size_t columns)
    : cells_(rows * columns), columns_(columns), tables_(rows, columns) {
    const TinyLines lines(columns);
    shards_ = shards_of(rows, lines.contents(), [&](std::size_t content) { return lines.mirrored(content); });
}

std::vector<std::uint64_t> SweepSample::count(std::size_t draws, std::uint64_t seed, Watch& watch) const {
    Random random(seed);
    std::vector<std::uint64_t> histogram(cells_ + 2);
    const std::size_t to_last = cells_ - columns_;
    const Word outer = (Word{1} << columns_) - 1;
    const Word inner = ~Word{0} >> (kWordBits - cells_) & ~outer & ~(outer << to_last);
    for (const Shard& shard : shards_) {
        watch.check();
        const Word fixed = Word{shard.first} | Word{shard.last} << to_last;
        for (std::size_t i = 0; i < draws * shard.weight; ++i) {
            const ImageTables::Figures figures = tables_.grade(fixed | (random.next() & inner));
            ++histogram[figures.open == 0 ? static_cast<std::size_t>(figures.sweeps) : 0];
        }
    }
    return histogram;
}

}  // namespace nonocsp
