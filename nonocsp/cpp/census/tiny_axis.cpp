#include "census/tiny_axis.hpp"

#include <stdexcept>

namespace nonocsp {

TinyAxis::TinyAxis(std::size_t count, std::size_t length)
    : count_(count),
      length_(length),
      lines_(length),
      line_(lines_.contents() - 1),
      across_(lines_.contents()) {
    if (count < 1 || count * length > kMostCells)
        throw std::invalid_argument("a small image has 1 to 64 cells");
    for (std::size_t content = 0; content < across_.size(); ++content)
        for_each_cell(content, 0, [&](std::size_t cell) { across_[content] |= Word{1} << cell * count; });
    for (std::size_t content = 0; content < across_.size(); ++content)
        for (std::size_t known = 0; known < across_.size(); ++known)
            settled_.push_back(across_[lines_.settled(content, known)]);
    assert(settled_.size() == across_.size() << length_);
}

TinyAxis::AllSettled TinyAxis::settled_lines(Word image) const {
    AllSettled settled{};
    for (std::size_t i = 0; i < count_; ++i) settled[i] = this->settled(line(image, i));
    return settled;
}

}  // namespace nonocsp
