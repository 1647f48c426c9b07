// The sweeps of black and white images of one size, for searches that grade millions of them: by tables up to
// 64 cells and 10 in a line, otherwise by propagation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/watch.hpp"
#include "census/settled_axis.hpp"

namespace nonocsp {

class ImageSweeps {
  public:
    struct Figures {
        std::int64_t sweeps;  // up to the last one that changed a cell, rows first (Batenburg et al.)
        std::size_t open;     // cells that line solving leaves open
    };

    // Without `tables`, always by propagation. Throws std::invalid_argument for no cells.
    ImageSweeps(std::size_t rows, std::size_t columns, bool tables);

    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

    // Grades an image: 0 or 1 for each cell, row by row. Throws std::invalid_argument for other numbers.
    Figures grade(std::span<const std::uint8_t> image, Watch& watch) const;

  private:
    struct Tables {
        SettledAxis rows, columns;
    };

    Figures grade_by_tables(std::span<const std::uint8_t> image) const;
    Figures grade_by_propagation(std::span<const std::uint8_t> image, Watch& watch) const;

    std::size_t rows_, columns_;
    std::optional<Tables> tables_;
};

}  // namespace nonocsp
