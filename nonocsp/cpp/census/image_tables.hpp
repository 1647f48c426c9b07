// The sweeps of single images of a small size, by tables of all lines: some 100 ns an image.
#pragma once

#include <cstddef>
#include <cstdint>

#include "census/settled_axis.hpp"

namespace nonocsp {

class ImageTables {
  public:
    struct Figures {
        std::int64_t sweeps;  // up to the last one that changed a cell, rows first (Batenburg et al.)
        std::size_t open;     // cells that line solving leaves open
    };

    // Throws std::invalid_argument for a size that is not small.
    ImageTables(std::size_t rows, std::size_t columns) : rows_(rows, columns), columns_(columns, rows) {}

    // Grades an image, row by row.
    Figures grade(Word image) const;

  private:
    SettledAxis rows_, columns_;
};

}  // namespace nonocsp
