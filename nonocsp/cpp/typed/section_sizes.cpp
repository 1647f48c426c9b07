#include "typed/section_sizes.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nonocsp {
namespace {

// "rows = 3" before the rows themselves.
void join_sizes(Sections& sections) {
    for (const Side side : {Side::kRows, Side::kColumns}) {
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < sections.found.size(); ++i)
            if (sections.found[i].side == side) own.push_back(i);
        if (own.size() < 2) continue;
        const Section& first = sections.found[own[0]];
        if (own.size() == 2 && first.numbers.size() == 1 && first.labels.empty()) {
            (side == Side::kRows ? sections.size.rows : sections.size.columns) = first.numbers[0].value;
            sections.found.erase(sections.found.begin() + std::ptrdiff_t(own[0]));
        } else {
            const char* what = side == Side::kRows ? "rows" : "columns";
            if (!sections.fault)
                sections.fault =
                    ReadFault{std::string("a second list of ") + what, "", sections.found[own[1]].place};
        }
    }
}

// Two numbers alone on the first line, or one alone on each of the first two.
void take_first_size(Sections& sections, const Assumptions& assumed) {
    if (sections.found.empty() || sections.found[0].side != Side::kUnknown ||
        !sections.found[0].labels.empty())
        return;
    std::vector<TypedNumber>& numbers = sections.found[0].numbers;
    const bool is_alone =
        numbers.size() == 2 ? sections.found.size() > 2 : numbers.size() > 2 && numbers[2].lines > 0;
    const bool is_before_labels = numbers.size() == 2 && sections.found.size() > 2;
    if (!is_alone || numbers[1].lines > 1 || sections.found[0].deepest > 0 || sections.size.first > 0) return;
    sections.met.starts_with_size = !is_before_labels;
    if (!is_before_labels && !assumed.starts_with_size) return;
    sections.size.first = numbers[0].value;
    sections.size.second = numbers[1].value;
    sections.size.place = numbers[0].place;
    sections.size.is_guessed = !is_before_labels;
    numbers.erase(numbers.begin(), numbers.begin() + 2);
    if (numbers.empty()) sections.found.erase(sections.found.begin());
}

}  // namespace

void complete(Sections& sections, const Assumptions& assumed) {
    std::erase_if(sections.found,
                  [](const Section& own) { return own.numbers.empty() && own.labels.empty(); });
    join_sizes(sections);
    take_first_size(sections, assumed);
    for (Section& section : sections.found)
        for (TypedNumber& number : section.numbers) {
            const std::int32_t lines = number.lines > 3 ? kDivided : number.lines;
            number.rank += ((section.deepest - number.open) * 16 + lines) * Rank{1 << 16};
        }
}

}  // namespace nonocsp
