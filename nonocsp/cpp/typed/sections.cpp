#include "typed/sections.hpp"

#include <algorithm>
#include <string_view>

#include "reading/clue_text.hpp"
#include "typed/section_sizes.hpp"

namespace nonocsp {
namespace {

using enum TokenKind;

constexpr std::int32_t kMostLabels = 9999;
constexpr std::size_t kMostSections = 8;  // with those that end up empty

std::string trimmed_text(std::string_view text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r\n");
    return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

class Scanner : TokenView {
  public:
    Scanner(const TypedText& text, const Assumptions& assumptions) : TokenView(text), assumed_(assumptions) {
        const LineNumbers numbers = line_numbers();
        is_numbered_ = numbers.are_there;
        if (numbers.broken) fail("the lines are numbered, but not from 1 on or not all", *numbers.broken);
        has_bullets_ = all_lines_have_bullets();
    }

    Sections take() {
        while (at_ < text_.tokens.size() && !out_.fault) read_line();
        if (!out_.fault && !open_.empty())
            fail(std::string("'") + open_.back().mark + "' is not closed", open_.back().place);
        out_.met.comma_is_weak = has_commas_ && has_blanks_;
        complete(out_, assumed_);
        return std::move(out_);
    }

  private:
    void fail(std::string message, TextPlace place) {
        if (!out_.fault) out_.fault = ReadFault{std::move(message), "", place};
    }

    void read_line() {
        first_ = at_;
        end_ = at_;
        while (token(end_).kind != kLineEnd) ++end_;
        if (first_ == end_) {
            const auto number = std::size_t(token(end_).place.line) - 1;
            lines_ += trimmed_text(text_.lines[number]).empty();  // a comment is no blank line
        } else if (!is_about_puzzle()) {
            is_new_line_ = true;
            has_numbers_ = false;
            last_open_ = 0;
            for (std::size_t i = first_; i < end_; ++i) {
                has_numbers_ = has_numbers_ || is(i, kNumber);
                if (is(i, kOpen) && token(i).mark != '"') last_open_ = i;
            }
            if (is(first_, kDivider)) divide();
            if (!is_numbered_ || !take_number_label()) at_ = first_;
            while (at_ < end_ && !out_.fault) read_token();
            take_edge();
            ++lines_;
            has_content_ = true;
        }
        at_ = end_ + 1;
    }

    void divide() {
        lines_ = kDivided;
        ++first_;
    }

    // A title, or a line about the author and the like, or a first line of prose.
    bool is_about_puzzle() {
        std::size_t i = first_;
        while (is(i, kOpen) || is_mark(i, "#*")) ++i;
        const WordMeaning meaning = word(i).meaning;
        const bool has_axis = find_word(is_axis);
        if (has_axis && (has_brackets() || find_told_axis())) return false;
        if (meaning == WordMeaning::kTitle && is_mark(i + 1, ":=")) {
            set_title(i + 2);
            return true;
        }
        if (meaning == WordMeaning::kRemark) return true;
        const bool is_prose = find_word([](WordMeaning own) { return own == WordMeaning::kUnknown; });
        if (!is_prose || has_content_ || !out_.title.empty() || has_brackets()) return false;
        set_title(first_);
        for (std::size_t k = first_; k < end_; ++k) take_times(k);
        return true;
    }

    template <class Test>
    bool find_word(Test test) const {
        for (std::size_t i = first_; i < end_; ++i)
            if (is(i, kWord) && test(word(i).meaning)) return true;
        return false;
    }

    // "Rows:", with or without clues behind it.
    bool find_told_axis() const {
        for (std::size_t i = first_; i + 1 < end_; ++i) {
            if (is_axis(word(i).meaning) && is_mark(i + 1, ":=")) return true;
        }
        return false;
    }

    // Those of a program: others than the parentheses of prose.
    bool has_brackets() const {
        for (std::size_t i = first_; i < end_; ++i)
            if (is(i, kOpen) && token(i).mark != '"' && (token(i).mark != '(' || is(i + 1, kOpen)))
                return true;
        return false;
    }

    void set_title(std::size_t i) {
        if (i >= end_) return;
        const TextPlace place = token(i).place;
        if (is(i, kWord) && i + 1 == end_) {
            out_.title = name(i);
            return;
        }
        const std::string_view line = text_.lines[std::size_t(place.line) - 1];
        std::size_t at = 0;
        for (std::int32_t column = 1; at < line.size() && column < place.column; ++column)
            at += character_at(line, at);
        out_.title = trimmed_text(line.substr(at));
        while (!out_.title.empty() && (out_.title.back() == ':' || out_.title.back() == ','))
            out_.title.pop_back();
    }

    bool take_number_label() {
        if (!is_number_label(first_)) return false;
        const std::int32_t index = token(first_).value;
        const bool restarts = !labels_seen_.empty() && index <= labels_seen_.back();
        if (restarts && current().side == Side::kUnknown) start(Side::kUnknown);
        add_label(index, token(first_).place);
        labels_seen_.push_back(index);
        at_ = first_ + 2;
        return true;
    }

    void read_token() {
        const TypedToken& it = token(at_);
        switch (it.kind) {
            case kNumber:
                if (take_ordinal()) break;
                if (!take_times(at_)) add(it.value, it.place);
                at_ = next_;
                break;
            case kWord:
                read_word();
                break;
            case kOpen:
                read_open();
                break;
            case kClose:
                read_close();
                break;
            case kMark:
                read_mark();
                break;
            default:
                ++at_;
        }
        if (it.kind != kMark) is_new_line_ = false;
    }

    // 3x4; otherwise the next token is the one behind this number.
    bool take_times(std::size_t i) {
        next_ = i + 1;
        const bool is_by = is_mark(i + 1, "x") || (is(i + 1, kWord) && name(i + 1) == "by");
        if (!is(i, kNumber) || !is_by || !is(i + 2, kNumber)) return false;
        set_size(token(i).value, token(i + 2).value, token(i).place);
        next_ = i + 3;
        return true;
    }

    void set_size(std::int32_t first, std::int32_t second, TextPlace place) {
        out_.size.first = first;
        out_.size.second = second;
        out_.size.place = place;
    }

    void read_word() {
        const Word it = word(at_);
        const Side side = it.meaning == WordMeaning::kRow ? Side::kRows : Side::kColumns;
        if (it.is_number && take_size(it, side)) return;
        if (is_axis(it.meaning) && take_line_label(it, side)) return;
        if (is_axis(it.meaning)) {
            if (is(at_ + 1, kNumber) && is(at_ + 2, kLineEnd)) {  // "rows 3"
                set_count(side, at_ + 1);
                at_ += 2;
                return;
            }
            start(side);
            skip_words();
            skip_range(side);
        } else if (it.meaning == WordMeaning::kDivider) {
            lines_ = kDivided;
            ++at_;
        } else if (it.meaning == WordMeaning::kTitle && is_mark(at_ + 1, ":=") && is(at_ + 2, kWord)) {
            out_.title = name(at_ + 2);
            at_ += 3;
        } else if (it.meaning != WordMeaning::kUnknown || is_identifier()) {
            ++at_;
        } else if (!has_numbers_ && has_both()) {
            closing_ = at_;  // "Thanks!"
            at_ = end_;
        } else {
            fail(shown(at_) + " is neither a clue nor a label", token(at_).place);
        }
    }

    // Whether rows and columns have labels and numbers.
    bool has_both() const {
        const auto has = [&](Side side) {
            return std::ranges::any_of(
                out_.found, [&](const Section& own) { return own.side == side && !own.numbers.empty(); });
        };
        return has(Side::kRows) && has(Side::kColumns);
    }

    // A name of a program, in front of brackets.
    bool is_identifier() const { return last_open_ > at_; }

    // "width 4", "size: 3x4"; "h: 2 1 / 1" are clues.
    bool take_size(const Word& it, Side side) {
        std::size_t i = at_ + 1;
        while (is_mark(i, ":=")) ++i;
        if (it.meaning == WordMeaning::kSize) {
            const bool is_open = is(i, kOpen);
            i += is_open;
            if (!take_times(i)) {
                const std::size_t second = is(i + 1, kNumber) ? i + 1 : i + 2;
                if (!is(i, kNumber) || !is(second, kNumber)) return false;
                set_size(token(i).value, token(second).value, token(i).place);
                next_ = second + 1;
            }
            at_ = next_ + (is_open && is(next_, kClose));
            return true;
        }
        if (!is(i, kNumber)) return false;
        const std::size_t behind = is_mark(i + 1, ",;") ? i + 2 : i + 1;
        if (!is(behind, kLineEnd) && !is(behind, kWord)) return false;
        set_count(side, i);
        at_ = i + 1;
        return true;
    }

    // "1st row:", "1. Zeile:".
    bool take_ordinal() {
        constexpr std::string_view kEndings = " st nd rd th ";
        const bool is_ordinal = is_mark(at_ + 1, ".") || (is(at_ + 1, kWord) && name(at_ + 1).size() == 2 &&
                                                          kEndings.find(name(at_ + 1)) != kEndings.npos);
        const Word it = word(at_ + 2);
        if (!is_ordinal || !is_axis(it.meaning) || !it.is_one) return false;
        label(it.meaning == WordMeaning::kRow ? Side::kRows : Side::kColumns, token(at_).value);
        at_ += 3;
        return true;
    }

    // Starts a line of its own, in the section of its side.
    void label(Side side, std::int32_t index) {
        if (const Section* known = labelled(side))
            current_ = std::size_t(known - out_.found.data());
        else
            start(side);
        add_label(index, token(at_).place);
    }

    // The last section of a side whose lines have labels of their own; null if there is none.
    const Section* labelled(Side side) const {
        const Section* known = nullptr;
        for (const Section& own : out_.found)
            if (own.side == side && !own.labels.empty()) known = &own;
        return known;
    }

    // "R1:", "Row 1 =", "row[0] =", "row(1, [2, 1])".
    bool take_line_label(const Word& it, Side side) {
        std::size_t i = at_ + 1;
        const bool is_indexed = is(i, kOpen) && token(i).mark == '[' && !token(i).is_loose &&
                                is(i + 1, kNumber) && is(i + 2, kClose);
        if (is_indexed) {
            if (!it.is_one && !labelled(side) && token(i + 1).value != 0) return false;
            ++i;
        }
        const bool is_fact = it.is_one && is(i, kOpen) && token(i).mark == '(' && is(i + 1, kNumber) &&
                             is_mark(i + 2, ",") && (is(i + 3, kOpen) || is(i + 3, kNumber));
        i += is_fact;
        if (it.is_one && !is_indexed)
            while (word(i).meaning == WordMeaning::kNoise || is_mark(i, "#")) ++i;
        const bool is_told = is_indexed || it.is_one;
        if (!is_told || !is(i, kNumber) || token(i).value > kMostLabels) return false;
        const std::int32_t index = token(i).value;
        i += is_indexed || is_fact ? 2 : 1;
        while (is_mark(i, ":=).>") || (is_mark(i, "-") && token(i).is_loose && is(i + 1, kNumber))) ++i;
        if (is(i, kClose) && token(i).mark == ')' && open_.empty()) ++i;
        label(side, index);
        if (is_fact) open_.push_back(token(at_ + 1));
        at_ = i;
        return true;
    }

    void add_label(std::int32_t index, TextPlace place) {
        Section& section = current();
        section.labels.push_back({index, section.numbers.size(), place});
    }

    // "Rows (top to bottom):"
    void skip_words() {
        ++at_;
        while (at_ < end_) {
            std::size_t behind = at_;
            if (is(at_, kOpen) && token(at_).mark == '(') {
                for (behind = at_ + 1; is(behind, kWord) || is_mark(behind, "-.,>");) ++behind;
                if (!is(behind, kClose) || behind == at_ + 1) return;
            } else if (!is(at_, kWord) || word(at_).meaning == WordMeaning::kUnknown || is_label_word(at_)) {
                return;
            }
            at_ = behind + 1;
        }
    }

    // The numbers of "Rows (3):" and "Rows 1-3:".
    void skip_range(Side side) {
        const bool is_count =
            is(at_, kOpen) && is(at_ + 1, kNumber) && is(at_ + 2, kClose) && is_mark(at_ + 3, ":=");
        const bool is_range =
            is(at_, kNumber) && is_mark(at_ + 1, "-") && is(at_ + 2, kNumber) && is_mark(at_ + 3, ":=");
        if (is_count) set_count(side, at_ + 1);
        if (is_count || is_range) at_ += 3;
    }

    void set_count(Side side, std::size_t i) {
        (side == Side::kRows ? out_.size.rows : out_.size.columns) = token(i).value;
        out_.size.place = token(i).place;
    }

    // "rows = columns = …" has two labels, "rows from top to bottom" one.
    bool is_label_word(std::size_t i) const {
        return is(i + 1, kNumber) || (is_mark(i + 1, ":=") && (is(i - 1, kMark) || is(i - 1, kOpen)));
    }

    void read_open() {
        const TypedToken it = token(at_);
        const bool is_suffix =
            at_ > first_ && !it.is_loose && (is(at_ - 1, kWord) || (is(at_ - 1, kClose) && was_suffix_));
        was_suffix_ = is_suffix && (is(at_ + 1, kClose) ||
                                    (it.mark == '[' && is(at_ + 1, kNumber) && is(at_ + 2, kClose)));
        if (was_suffix_) {  // the type int[], the size of an array, or a call
            at_ += is(at_ + 1, kClose) ? 2 : 3;
            return;
        }
        open_.push_back(it);
        ++at_;
    }

    void read_close() {
        const TypedToken& it = token(at_);
        constexpr std::string_view kPairs = "[](){}\"\"";
        if (open_.empty() || kPairs[kPairs.find(open_.back().mark) + 1] != it.mark) {
            fail(std::string("'") + it.mark + "' closes nothing", it.place);
            return;
        }
        if (is_first_inside()) add(0, open_.back().place, true);
        open_.pop_back();
        least_open_ = std::min(least_open_, std::int32_t(open_.size()));
        ++at_;
    }

    // Only line ends stand between the bracket and its end.
    bool is_first_inside() const {
        std::size_t i = at_ - 1;
        while (i > 0 && is(i, kLineEnd)) --i;
        return is(i, kOpen);
    }

    void read_mark() {
        const TypedToken& it = token(at_);
        const bool is_last = at_ + 1 == end_;
        const bool touches = (at_ > first_ && !it.is_loose && is(at_ - 1, kWord)) ||
                             ((is(at_ + 1, kWord) || is(at_ + 1, kOpen)) && !token(at_ + 1).is_loose);
        const bool is_ornament = touches || !has_numbers_;
        if (it.mark == '"' && !is(at_ + 1, kOpen)) {
            fail("a quote that is not closed", it.place);
        } else if (it.mark == '?') {
            fail("an unknown clue (?), which is not supported yet", it.place);
        } else if (is_new_line_ && is_bullet()) {
            bullet_ = bullet_ ? bullet_ : it.place.column;
        } else if (it.mark == '-') {
            read_dash();
        } else if (is_strong(it.mark) || it.mark == '.' || it.mark == ':' || it.mark == '&' ||
                   it.mark == '#') {
            read_separator();
        } else if (!is_ornament && !is_last && it.mark != '=' && it.mark != '>') {
            fail(shown(at_) + " is neither a clue nor a label", it.place);
        } else if (it.mark == '=' && at_ > first_ && is(at_ - 1, kNumber)) {
            fail("'=' follows a number", it.place);
        }
        ++at_;
    }

    bool is_bullet() const {
        return has_bullets_ && is_mark(at_, "-*+") && at_ + 1 < end_ && token(at_ + 1).is_loose;
    }

    // A hyphen alone is an empty clue; between two numbers it separates them.
    void read_dash() {
        const TypedToken& it = token(at_);
        const auto is_number = [&](std::size_t i) { return i >= first_ && i < end_ && is(i, kNumber); };
        const bool is_between = is_number(at_ - 1) && is_number(at_ + 1);
        const bool beside_number = is_number(at_ - 1) || is_number(at_ + 1);
        const bool is_outside = (at_ > first_ && is(at_ - 1, kClose)) || is(at_ + 1, kOpen) ||
                                (is(at_ + 1, kWord) && !token(at_ + 1).is_loose);
        const bool is_ruled = is_mark(at_ + 1, "->") || (at_ > first_ && !it.is_loose && !beside_number &&
                                                         (is(at_ - 1, kWord) || is_mark(at_ - 1, "-")));
        if (is_outside || is_ruled) return;
        if (at_ == first_ && at_ + 1 == end_) {
            const bool is_clue = has_bullets_ || current().side != Side::kUnknown;
            out_.met.dash_is_empty = out_.met.dash_is_empty || !is_clue;
            if (assumed_.dash_is_empty || is_clue)
                add(0, it.place);
            else
                lines_ = kDivided;
        } else if (is_between && !it.is_loose && !token(at_ + 1).is_loose) {
            mark_ = std::max(mark_, strength('-', false));
        } else if (is_between) {
            out_.met.dash_is_empty = true;
            mark_ = std::max(mark_, assumed_.dash_is_empty ? strength(' ', true) : strength('-', true));
            if (assumed_.dash_is_empty) add(0, it.place);
        } else if (beside_number && !(it.is_loose && (at_ + 1 == end_ || token(at_ + 1).is_loose))) {
            fail("'-' is neither a clue nor between two numbers", it.place);
        } else {
            add(0, it.place);
        }
    }

    void read_separator() {
        const TypedToken& it = token(at_);
        const bool is_first = at_ == first_ || is(at_ - 1, kWord) || is_mark(at_ - 1, ":=");
        const bool is_last = at_ + 1 == end_;
        const bool is_doubled =
            at_ > first_ && is_mark(at_ - 1, std::string_view(&it.mark, 1)) && is_strong(it.mark);
        if (is_doubled && it.mark == ',') fail("nothing stands between two commas", it.place);
        if (it.mark == '/' && (is_first || is_last)) ++edges_;
        slashes_ += it.mark == '/';
        const bool opens = it.mark == ';' && at_ > first_ && is_mark(at_ - 1, ":=") && !is(at_ + 1, kOpen);
        const bool is_edge = is_first && it.mark == '/' && assumed_.edge_is_empty;
        const Rank own = strength(it.mark, it.is_loose || (!is_last && token(at_ + 1).is_loose));
        if ((is_doubled && !(is_last && it.mark == ';')) || opens || is_edge) {
            mark_ = std::max(mark_, own);
            add(0, it.place);
            out_.has_gaps = true;
        }
        mark_ = std::max(mark_, own);
    }

    // A slash at the end of a line that has others.
    void take_edge() {
        if (edges_ > 0 && slashes_ > 1) {
            out_.met.edge_is_empty = true;
            if (assumed_.edge_is_empty && is_mark(end_ - 1, "/")) add(0, token(end_ - 1).place);
        }
        edges_ = slashes_ = 0;
    }

    Section& current() {
        if (out_.found.empty()) out_.found.emplace_back();
        return out_.found[current_];
    }

    void start(Side side) {
        (side == Side::kRows ? out_.has_rows : out_.has_columns) |= side != Side::kUnknown;
        if (out_.found.empty() || !out_.found[current_].numbers.empty() ||
            !out_.found[current_].labels.empty()) {
            current_ = out_.found.size();
            out_.found.emplace_back();
            if (current_ > kMostSections) fail("another label of rows or columns", token(at_).place);
        }
        Section& section = current();
        section.side = side;
        section.place = at_ < text_.tokens.size() ? token(at_).place : TextPlace{};
        lines_ = 0;
    }

    void add(std::int32_t value, TextPlace place, bool is_bracket = false) {
        if (closing_ > 0) fail(shown(closing_) + " is neither a clue nor a label", token(closing_).place);
        Section& section = current();
        if (section.numbers.empty() && section.place.line == 0) section.place = place;
        const bool is_blank = mark_ == 0 && at_ < end_ && token(at_).is_loose;
        if (is_blank) mark_ = strength(' ', true);
        const bool is_line = lines_ > 0;
        const Rank outdent = is_line && bullet_ ? 4095 - std::min(bullet_, 4000) : 0;
        const auto depth = std::int32_t(open_.size());
        const bool has_comma = mark_ == strength(',', false), has_blank = mark_ == strength(' ', true);
        if (!section.numbers.empty() && !is_line) {
            has_commas_ = has_commas_ || has_comma;
            has_blanks_ = has_blanks_ || has_blank;
        }
        if (has_comma && !assumed_.comma_is_weak) mark_ = strength(',', true);
        section.numbers.push_back({value, place, depth, std::min(least_open_, depth),
                                   std::min(lines_, kDivided), outdent * 16 + (is_line ? 0 : mark_)});
        section.deepest = std::max(section.deepest, depth - is_bracket);
        least_open_ = depth;
        lines_ = 0;
        mark_ = 0;
        bullet_ = 0;
    }

    const Assumptions assumed_;
    Sections out_;
    std::size_t at_ = 0, first_ = 0, end_ = 0, next_ = 0, current_ = 0, last_open_ = 0, closing_ = 0;
    bool has_numbers_ = false;
    bool is_numbered_ = false, has_bullets_ = false, is_new_line_ = true, has_content_ = false,
         was_suffix_ = false;
    bool has_commas_ = false, has_blanks_ = false;
    std::vector<std::int32_t> labels_seen_;
    std::vector<TypedToken> open_;
    std::int32_t lines_ = 0, least_open_ = 0, bullet_ = 0, edges_ = 0, slashes_ = 0;
    Rank mark_ = 0;
};

}  // namespace

Sections sections_of(const TypedText& text, const Assumptions& assumptions) {
    return Scanner(text, assumptions).take();
}

}  // namespace nonocsp
