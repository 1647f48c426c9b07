#include "census/settled_axis.hpp"

#include <algorithm>
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

}  // namespace nonocsp
