// The sweeps of black and white images of one size, for searches that grade millions of them: by tables up to
// 64 cells and 10 in a line, otherwise by propagation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/watch.hpp"
#include "census/image_tables.hpp"

namespace nonocsp {

class ImageSweeps {
  public:
    using Figures = ImageTables::Figures;

    // Without `tables`, always by propagation. Throws std::invalid_argument for no cells.
    ImageSweeps(std::size_t rows, std::size_t columns, bool tables);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

    // Grades an image: 0 or 1 for each cell, row by row. Throws std::invalid_argument for other numbers.
    Figures grade(std::span<const std::uint8_t> image, Watch& watch) const;

  private:
    Figures grade_by_propagation(std::span<const std::uint8_t> image, Watch& watch) const;

    std::size_t rows_, columns_;
    std::optional<ImageTables> tables_;
};

}  // namespace nonocsp
