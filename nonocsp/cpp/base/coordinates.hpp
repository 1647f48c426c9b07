// Lines and cells of a grid, and how they are numbered.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

namespace nonocsp {

enum class Axis : std::uint8_t { kRow, kColumn };

constexpr Axis crossing(Axis axis) { return axis == Axis::kRow ? Axis::kColumn : Axis::kRow; }

constexpr std::size_t index(Axis axis) { return static_cast<std::size_t>(axis); }

struct LineId {
    Axis axis;
    std::size_t position;
    bool operator==(const LineId&) const = default;
};

// Numbers the lines: rows first, from the top, then columns, from the left.
class LineNumbers {
  public:
    explicit LineNumbers(std::size_t rows) : rows_(rows) {}
    std::size_t operator()(LineId id) const {
        assert(id.axis == Axis::kColumn || id.position < rows_);
        return id.axis == Axis::kRow ? id.position : rows_ + id.position;
    }
    LineId line(std::size_t number) const {
        return number < rows_ ? LineId{Axis::kRow, number} : LineId{Axis::kColumn, number - rows_};
    }

  private:
    std::size_t rows_;
};

struct Cell {
    std::size_t row, column;
    bool operator==(const Cell&) const = default;
};

constexpr Cell cell_of(LineId id, std::size_t position) {
    return id.axis == Axis::kRow ? Cell{id.position, position} : Cell{position, id.position};
}

}  // namespace nonocsp
