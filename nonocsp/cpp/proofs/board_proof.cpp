#include "proofs/board_proof.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nonocsp {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 13;  // words

}  // namespace

void BoardProof::enter(std::size_t depth, const Narrowing& branch) {
    assert(depth > 0 && std::has_single_bit(branch.candidates));
    const auto colour = static_cast<std::size_t>(std::countr_zero(branch.candidates));
    findings_.push_back({Kind::kBranch, log_.removes(branch.cell, colour), depth});
}

void BoardProof::settle(SettleTrail& trail) {
    add_trail(trail);
    add(Kind::kSettled, 0);
}

void BoardProof::refute(Cell cell, std::size_t colour, SettleTrail& trail) {
    add_trail(trail);
    add(Kind::kRefuted, log_.removes(cell, colour));
}

void BoardProof::clear() {
    findings_.clear();
    lines_.clear();
    words_.clear();
    clause_.clear();
    first_ = written_ = 0;
}

void BoardProof::forget_branches() {
    findings_.erase(std::ranges::find(findings_, Kind::kBranch, &Finding::kind), findings_.end());
}

void BoardProof::add_trail(SettleTrail& trail) {
    if (trail.contradiction() || !sought_.empty()) trim(trail);
    std::size_t at = 0;  // of what is sought
    for (std::size_t i = 0; i < trail.size(); ++i) {
        const auto [id, before, lost] = trail[i];
        const std::size_t first = std::exchange(at, at + lost.size());
        if (std::ranges::all_of(lost, [](Word word) { return word == 0; })) continue;
        const bool is_sought = !sought_.empty();
        const std::span<Word> words = allocate((is_sought ? 3 : 2) * lost.size());
        std::ranges::copy(before, words.begin());
        std::ranges::copy(lost, words.begin() + lost.size());
        if (is_sought) std::copy_n(sought_.begin() + first, lost.size(), words.begin() + 2 * lost.size());
        lines_.push_back({id, words.data(), is_sought});
    }
    sought_.clear();
}

std::span<Word> BoardProof::allocate(std::size_t words) {
    if (words_.empty() || words_.back().capacity() - words_.back().size() < words) {
        log_.check_size(words_.size() * kChunk * sizeof(Word));
        words_.emplace_back().reserve(std::max(kChunk, words));
    }
    std::vector<Word>& chunk = words_.back();
    chunk.resize(chunk.size() + words);
    return std::span(chunk).last(words);
}

// Backwards: a line is needed from the place on where it was settled to some purpose, and then all that had
// been removed from it before.
void BoardProof::trim(SettleTrail& trail) {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        needed_[index(axis)].assign(words_for(clues_.of(axis).size()), 0);
    const auto need = [&](LineId id) {
        needed_[index(id.axis)][id.position / kWordBits] |= Word{1} << id.position % kWordBits;
    };
    if (trail.contradiction()) need(*trail.contradiction());
    std::size_t at = sought_.size();
    for (std::size_t i = trail.size(); i-- > 0;) {
        const auto [id, before, lost] = trail[i];
        if (!sought_.empty()) at -= lost.size();
        const std::span<const Word> across = needed_[index(crossing(id.axis))];
        const bool is_needed = contains(needed_[index(id.axis)].data(), id.position);
        Word any = 0;
        for (std::size_t plane = 0; plane < lost.size(); plane += across.size())
            for (std::size_t word = 0; word < across.size(); ++word) {
                const Word sought = sought_.empty() ? 0 : sought_[at + plane + word];
                if (!is_needed) lost[plane + word] &= across[word] | sought;
                any |= lost[plane + word];
            }
        if (any != 0) need(id);
    }
}

void BoardProof::write() {
    for (const Axis axis : {Axis::kRow, Axis::kColumn})
        settlers_[index(axis)] = make_settler(clues_.of(axis).line_length());
    for (const Finding& finding : findings_) {
        if (finding.kind == Kind::kBranch) leave(finding.end);
        if (finding.removed != 0) clause_.push_back(finding.removed);
        if (finding.kind == Kind::kBranch) continue;
        if (finding.kind == Kind::kAgreed)
            derive_agreed();
        else
            derive(finding.end, finding.removed != 0 ? &chain_ : nullptr);
        if (finding.kind == Kind::kRefuted) log_.add(clause_);
        if (finding.kind == Kind::kRefuted || finding.kind == Kind::kAgreed) chain_.erase_from(log_);
        if (finding.removed != 0) clause_.pop_back();
    }
    leave(1);
    clear();
}

void BoardProof::leave(std::size_t depth) {
    for (; clause_.size() >= depth; clause_.pop_back()) log_.add(clause_);
}

void BoardProof::derive_agreed() {
    for (const Line& line : std::span(lines_).subspan(first_, written_ - first_)) {
        const std::size_t count = words_of_planes(line.id);
        derive(line.id, {line.words + 2 * count, count}, nullptr);
    }
}

void BoardProof::derive(std::size_t end, ClauseList* chain) {
    for (first_ = written_; written_ < end; ++written_) {
        const auto& [id, words, is_sought] = lines_[written_];
        const std::size_t count = words_of_planes(id);
        const std::span<const Word> before(words, count), lost(words + count, count);
        const std::span<const Word> sought(words + 2 * count, is_sought ? count : 0);
        if (std::ranges::equal(lost, sought)) {
            derive(id, lost, chain);
            continue;
        }
        find_obvious(id, before);
        underived_.assign(lost.begin(), lost.end());
        for (std::size_t i = 0; i < count; ++i)
            underived_[i] &= ~obvious_[i % obvious_.size()] | (is_sought ? sought[i] : 0);
        derive(id, underived_, chain);
    }
}

void BoardProof::derive(LineId id, std::span<const Word> lost, ClauseList* chain) {
    const std::size_t words = lost.size() / clues_.colours;
    for (std::size_t i = 0; i < lost.size(); ++i)
        for_each_cell(lost[i], i % words * kWordBits, [&](std::size_t position) {
            clause_.push_back(log_.removes(cell_of(id, position), i / words));
            log_.add(clause_);
            if (chain != nullptr) chain->add(clause_);
            clause_.pop_back();
        });
}

void BoardProof::find_obvious(LineId id, std::span<const Word> line) {
    const Clue& clue = clues_[id];
    const std::size_t words = words_for(clue.slack + 1);
    offsets_.resize(clue.blocks.size() * words);
    obvious_.assign(words_for(clue.length), 0);
    [[maybe_unused]] const bool fits = settlers_[index(id.axis)]->offsets(clue, line, offsets_);
    assert(fits);
    std::size_t end = 0;  // of the block before, where it starts last
    for (std::size_t i = 0; i < clue.blocks.size(); ++i) {
        const std::size_t length = clue.blocks[i].length();
        const Word* offsets = &offsets_[i * words];
        const std::size_t first = clue.blocks[i].earliest + lowest(offsets);
        const std::size_t last = clue.blocks[i].earliest + highest(offsets, words);
        add_cells(obvious_.data(), end, first);
        add_cells(obvious_.data(), last, first + length);
        end = last + length;
    }
    add_cells(obvious_.data(), end, clue.length);
}

}  // namespace nonocsp
