#include "grid/image_clues.hpp"

#include <cassert>
#include <vector>

namespace nonocsp {

void append_clue(OwnedClues& clues, std::span<const std::uint8_t> line) {
    for (std::size_t i = 0, end = 0; i < line.size(); i = end) {
        end = i + 1;
        while (end < line.size() && line[end] == line[i]) ++end;
        if (line[i] != 0) clues.add_block(static_cast<std::int32_t>(end - i), line[i]);
    }
    clues.end_line();
}

PuzzleClues clues_of_image(std::span<const std::uint8_t> image, std::size_t columns, std::size_t colours) {
    assert(columns > 0 && image.size() % columns == 0);
    OwnedClues of_rows, of_columns;
    for (std::size_t start = 0; start < image.size(); start += columns)
        append_clue(of_rows, image.subspan(start, columns));
    std::vector<std::uint8_t> line;
    for (std::size_t column = 0; column < columns; ++column) {
        line.clear();
        for (std::size_t at = column; at < image.size(); at += columns) line.push_back(image[at]);
        append_clue(of_columns, line);
    }
    return PuzzleClues(of_rows.view(), of_columns.view(), colours);
}

}  // namespace nonocsp
