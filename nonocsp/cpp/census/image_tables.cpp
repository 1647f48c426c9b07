#include "census/image_tables.hpp"

#include <bit>

namespace nonocsp {

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

}  // namespace nonocsp
