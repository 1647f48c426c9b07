#include "census/tiny_axis.hpp"

#include <stdexcept>

namespace nonocsp {

TinyAxis::TinyAxis(std::size_t count, std::size_t length)
    : count_(count), lines_(length), line_(lines_.contents() - 1), across_(lines_.contents()) {
    if (count < 1 || count * length > kMostCells)
        throw std::invalid_argument("a small image has 1 to 64 cells");
    for (std::size_t content = 0; content < across_.size(); ++content)
        for_each_cell(content, 0, [&](std::size_t cell) { across_[content] |= Word{1} << cell * count; });
}

}  // namespace nonocsp
