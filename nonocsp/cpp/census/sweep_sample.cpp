#include "census/sweep_sample.hpp"

#include "base/random.hpp"

namespace nonocsp {

SweepSample::SweepSample(std::size_t rows, std::size_t columns)
    : cells_(rows * columns), columns_(columns), tables_(rows, columns) {
    const TinyLines lines(columns);
    shards_ = shards_of(rows, lines.contents(), [&](std::size_t content) { return lines.mirrored(content); });
}

std::vector<std::uint64_t> SweepSample::count(std::size_t draws, std::uint64_t seed, Watch& watch) const {
    Random random(seed);
    std::vector<std::uint64_t> histogram(cells_ + 2);
    const std::size_t to_last = cells_ - columns_;
    const Word outer = (Word{1} << columns_) - 1;
    const Word inner = ~Word{0} >> (kWordBits - cells_) & ~outer & ~(outer << to_last);
    for (const Shard& shard : shards_) {
        watch.check();
        const Word fixed = Word{shard.first} | Word{shard.last} << to_last;
        for (std::size_t i = 0; i < draws * shard.weight; ++i) {
            const ImageTables::Figures figures = tables_.grade(fixed | (random.next() & inner));
            ++histogram[figures.open == 0 ? static_cast<std::size_t>(figures.sweeps) : 0];
        }
    }
    return histogram;
}

}  // namespace nonocsp
