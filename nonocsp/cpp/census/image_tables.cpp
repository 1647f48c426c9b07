#include "census/image_tables.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

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

}  // namespace nonocsp
