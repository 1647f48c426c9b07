#include "grid/image_clues.hpp"

#include <cassert>

namespace nonocsp {

PuzzleClues clues_of_image(std::span<const std::uint8_t> image, std::size_t columns, std::size_t colours) {
    assert(columns > 0 && image.size() % columns == 0);
    DraftClues of_rows, of_columns;
    for (std::size_t start = 0; start < image.size(); start += columns)
        of_rows.append(image.subspan(start, columns));
    std::vector<std::uint8_t> line;
    for (std::size_t column = 0; column < columns; ++column) {
        line.clear();
        for (std::size_t at = column; at < image.size(); at += columns) line.push_back(image[at]);
        of_columns.append(line);
    }
    return PuzzleClues(of_rows.view(), of_columns.view(), colours);
}

}  // namespace nonocsp
