#include "verification/drat_check.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "verification/hint_finder.hpp"

namespace nonocsp::verification {
namespace {

constexpr std::size_t kLookEvery = 1 << 14;  // steps

// The steps of a proof.
class Reader {
  public:
    // Its variables go up to `largest`.
    Reader(std::string_view proof, Literal largest) : proof_(proof), largest_(largest) {}

    bool at_end() const { return at_ == proof_.size(); }
    std::size_t at() const { return at_; }
    bool is_deletion() const { return is_deletion_; }
    const std::vector<Literal>& clause() const { return clause_; }

    // False if what follows is no step.
    bool next() {
        const char kind = proof_[at_++];
        is_deletion_ = kind == 'd';
        if (!is_deletion_ && kind != 'a') return false;
        for (clause_.clear();;) {
            const std::optional<std::uint32_t> code = number();
            if (!code) return false;
            if (*code == 0) return true;
            const auto variable = static_cast<Literal>(*code >> 1);
            if (variable == 0 || variable > largest_) return false;
            clause_.push_back((*code & 1) != 0 ? -variable : variable);
        }
    }

  private:
    std::optional<std::uint32_t> number() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift < 32 && !at_end(); shift += 7) {
            const auto byte = static_cast<unsigned char>(proof_[at_++]);
            value |= static_cast<std::uint32_t>(byte & 127) << shift;
            if (byte < 128) return value;
        }
        return std::nullopt;
    }

    std::string_view proof_;
    Literal largest_;
    std::size_t at_ = 0;
    bool is_deletion_ = false;
    std::vector<Literal> clause_;
};

std::string text_of(const std::vector<Literal>& clause) {
    std::string text = "(";
    for (std::size_t i = 0; i < clause.size() && i < 8; ++i)
        text.append(i > 0 ? " " : "").append(std::to_string(clause[i]));
    return text + (clause.size() > 8 ? " …)" : ")");
}

}  // namespace

DratCheck check_drat(std::span<const Literal> clauses, std::string_view proof,
                     const std::function<void(std::size_t)>& look) {
    LratChecker checker;
    HintFinder finder(checker);
    Literal largest = 0;
    for (const Literal literal : clauses) largest = std::max(largest, literal < 0 ? -literal : literal);
    for (std::size_t begin = 0, end; begin < clauses.size(); begin = end + 1) {
        for (end = begin; clauses[end] != 0;) ++end;
        finder.add_clause(clauses.subspan(begin, end - begin));
    }
    DratCheck found;
    Reader reader(proof, 2 * largest + 1);  // a lemma may define new variables
    for (std::size_t steps = 0; !checker.is_refuted(); ++steps) {
        if (steps % kLookEvery == 0) look(reader.at());
        const std::size_t begin = reader.at();
        const auto fault = [&](const std::string& what) {
            found.fault = "byte " + std::to_string(begin) + ": " + what;
            return found;
        };
        if (reader.at_end()) return fault("the proof ends without the empty clause");
        if (!reader.next()) return fault("not a step of a proof in the binary form of DRAT");
        if (reader.is_deletion()) {
            finder.erase(reader.clause());
        } else if (finder.add_lemma(reader.clause())) {
            ++found.lemmas;
        } else {
            return fault("the clause " + text_of(reader.clause()) + " does not follow by unit propagation");
        }
    }
    return found;
}

}  // namespace nonocsp::verification
