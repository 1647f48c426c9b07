#include "typed/sections.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "reading/clue_text.hpp"

namespace nonocsp {
namespace {

using enum TokenKind;

constexpr std::int32_t kMostLabels = 9999;
constexpr std::size_t kMostSections = 8;  // with those that end up empty
constexpr Rank kTightComma = 3, kBlank = 4, kLooseComma = 5;

// How strongly a mark separates two numbers of one line. Tight ones join numbers of a clue where blanks or
// other marks separate clues; a comma or hyphen followed by a blank separates more than a blank.
Rank strength(char mark, bool is_loose) {
    constexpr std::string_view kTight = "?-.,", kLoose = "?????,-:;/|&";
    if (mark == '#') mark = '&';
    if (mark == '.' && is_loose) mark = '-';
    const std::size_t found =
        !is_loose && kTight.find(mark) != kTight.npos ? kTight.find(mark) : kLoose.find(mark);
    return found == kLoose.npos ? 0 : Rank(found);
}

bool is_strong(char mark) { return mark == ',' || mark == ';' || mark == '/' || mark == '|'; }

Side side_of(const Word& word) { return word.meaning == WordMeaning::kRow ? Side::kRows : Side::kColumns; }

class Scanner {
  public:
    Scanner(const TypedText& text, std::span<const PlainLine> lines, unsigned assumed)
        : text_(text),
          source_(lines),
          assumed_(assumed),
          has_bullets_(text.all_lines_have_bullets()),
          is_numbered_(text.all_lines_have_numbers()),
          behind_numbers_(std::size_t(
              std::ranges::find(text.tokens.rbegin(), text.tokens.rend(), kNumber, &TypedToken::kind).base() -
              text.tokens.begin())) {}

    Sections take() {
        while (at_ < text_.tokens.size() && !out_.fault) read_line();
        if (!out_.fault && !open_.empty())
            fail(std::string("'") + open_.back().mark + "' is not closed", open_.back().place);
        if (has_commas_ && has_blanks_) out_.met |= kCommaIsWeak;
        return std::move(out_);
    }

  private:
    const TypedToken& token(std::size_t i) const { return text_.token(i); }
    bool is(std::size_t i, TokenKind kind) const { return text_.is(i, kind); }
    bool is_mark(std::size_t i, std::string_view marks) const { return text_.is_mark(i, marks); }
    Word word(std::size_t i) const { return text_.word(i); }

    void fail(std::string message, TextPlace place) {
        if (!out_.fault) out_.fault = ReadFault{std::move(message), "", place};
    }

    void refuse(std::size_t i) { fail(text_.shown(i) + " is neither a clue nor a label", token(i).place); }

    void read_line() {
        first_ = end_ = at_;
        while (token(end_).kind != kLineEnd) ++end_;
        if (first_ == end_) {  // a comment is no blank line
            const std::u32string& line = source_[std::size_t(token(end_).place.line) - 1].text;
            lines_ += line.find_first_not_of(U' ') == line.npos;
        } else if (!is_about_puzzle()) {
            is_new_line_ = true;
            look_ahead();
            if (is(first_, kDivider)) {
                lines_ = kDivided;
                at_ = ++first_;
            }
            if (!take_ordinal() && is_numbered_) take_number_label();
            while (at_ < end_ && !out_.fault) read_token();
            ++lines_;
            has_content_ = true;
        }
        at_ = end_ + 1;
    }

    void look_ahead() {
        std::int32_t slashes = 0;
        has_numbers_ = false;
        last_open_ = 0;
        for (std::size_t i = first_; i < end_; ++i) {
            has_numbers_ = has_numbers_ || is(i, kNumber);
            if (is(i, kOpen) && token(i).mark != '"') last_open_ = i;
            slashes += is_mark(i, "/");
        }
        has_slashes_ = slashes > 1;
    }

    template <class Test>
    bool any_in_line(Test test) const {
        for (std::size_t i = first_; i < end_; ++i)
            if (test(i)) return true;
        return false;
    }

    // A title, or a line about the author and the like, or a first or last line of prose.
    bool is_about_puzzle() {
        std::size_t i = first_;
        while (is(i, kOpen) || is_mark(i, "#*")) ++i;
        const WordMeaning meaning = word(i).meaning;
        const bool has_brackets = any_in_line([&](std::size_t k) {  // others than the parentheses of prose
            return is(k, kOpen) && token(k).mark != '"' && (token(k).mark != '(' || is(k + 1, kOpen));
        });
        const bool has_axis = any_in_line([&](std::size_t k) { return is_axis(word(k).meaning); });
        const bool is_told = any_in_line([&](std::size_t k) { return text_.match(k, "A=") > 0; });
        if (has_axis && (has_brackets || is_told || behind_ordinal())) return false;
        if (meaning == WordMeaning::kTitle && is_mark(i + 1, ":=")) {
            set_title(i + 2);
            return true;
        }
        if (meaning == WordMeaning::kRemark) return true;
        const bool is_prose = any_in_line(
            [&](std::size_t k) { return is(k, kWord) && word(k).meaning == WordMeaning::kUnknown; });
        if (is_prose && is_below_all()) return true;
        if (!is_prose || has_content_ || !out_.title.empty() || has_brackets) return false;
        set_title(first_);
        for (std::size_t k = first_; k < end_; ++k) take_times(k);
        return true;
    }

    // Whether labelled rows and columns stand above this line, and no number below or in it.
    bool is_below_all() {
        return first_ >= behind_numbers_ && open_.empty() && out_.has_rows && out_.has_columns &&
               !current().numbers.empty();
    }

    void set_title(std::size_t i) {
        if (i >= end_) return;
        std::string_view line = source_[std::size_t(token(i).place.line) - 1].source;
        if (i > first_) line = line.substr(std::min(line.find_first_of(":=") + 1, line.size()));
        out_.title = is(i, kWord) && i + 1 == end_ ? text_.name(i) : trimmed(line);
        while (out_.title.ends_with(':') || out_.title.ends_with(',')) out_.title.pop_back();
    }

    // The place behind a label such as "1. Zeile" or "1st row" at the start of the line; 0 if there is none.
    std::size_t behind_ordinal() const {
        const std::size_t behind = std::max(text_.match(first_, "#'.S"), text_.match(first_, "#'US"));
        const bool has_index =
            text_.match(behind, "'#") || text_.match(behind, "#=");  // "1. R1", "1. Row 1:"
        return behind && !has_index && token(first_).value <= kMostLabels ? behind : 0;
    }

    bool take_ordinal() {
        const std::size_t behind = behind_ordinal();
        if (!behind) return false;
        label(side_of(word(behind - 1)), token(first_).value);
        at_ = behind;
        return true;
    }

    void take_number_label() {
        if (!text_.is_number_label(first_)) return;
        const std::int32_t index = token(first_).value;
        if (index <= last_label_ && current().side == Side::kUnknown) start(Side::kUnknown);
        add_label(index, token(first_).place);
        last_label_ = index;
        at_ = first_ + 2;
    }

    void read_token() {
        const TypedToken& it = token(at_);
        if (it.kind == kWord)
            read_word();
        else if (it.kind == kOpen)
            read_open();
        else if (it.kind == kClose)
            read_close();
        else if (it.kind == kMark)
            read_mark();
        else if (!take_times(at_))
            read_number();
        is_new_line_ = is_new_line_ && it.kind == kMark;
    }

    void read_number() {
        add(token(at_).value, token(at_).place);
        ++at_;
    }

    bool take_times(std::size_t i) {
        if (!text_.match(i, "#x#")) return false;
        set_size(i, i + 2);
        at_ = i + 3;
        return true;
    }

    void set_size(std::size_t first, std::size_t second) {
        out_.size.first = token(first).value;
        out_.size.second = token(second).value;
        out_.size.place = token(first).place;
    }

    void set_count(Side side, std::size_t i) {
        (side == Side::kRows ? out_.size.rows : out_.size.columns) = token(i).value;
        out_.size.place = token(i).place;
        at_ = i + 1;
    }

    void read_word() {
        const Word it = word(at_);
        if (it.is_number && take_size(it)) return;
        if (is_axis(it.meaning)) return read_axis(it);
        if (it.meaning == WordMeaning::kDivider) {
            lines_ = kDivided;
        } else if (it.meaning == WordMeaning::kUnknown && last_open_ < at_) {  // no name before brackets
            return refuse(at_);
        }
        ++at_;
    }

    // "width 4", "size: 3x4"; "h: 2 1 / 1" are clues.
    bool take_size(const Word& it) {
        const std::size_t i = text_.match(at_ + 1, "=*");
        if (it.meaning != WordMeaning::kSize) {
            if (!text_.match(i, "#,?;?$") && !text_.match(i, "#,?;?U")) return false;
            set_count(side_of(it), i);
            return true;
        }
        for (const std::string_view pattern : {"(?#x?#)?", "(?#,#)?", "[?#,?#]?"})
            if (const std::size_t behind = text_.match(i, pattern)) {
                set_size(i + is(i, kOpen), behind - 1 - is(behind - 1, kClose));
                at_ = behind;
                return true;
            }
        return false;
    }

    void read_axis(const Word& it) {
        const Side side = side_of(it);
        if (take_line_label(it, side)) return;
        if (text_.match(at_, "A#$")) return set_count(side, at_ + 1);  // "rows 3"
        start(side);
        skip_words();
        if (text_.match(at_, "#-#=")) at_ += 3;  // "Rows 1-3:"
        const bool is_counted = text_.match(at_, "(#)=") || text_.match(at_, "(#)$");
        if (!is_counted) return;
        set_count(side, at_ + 1);  // "Rows (3):"
        ++at_;
    }

    // "R1:", "Row 1 =", "row[0] =", "row(1, [2, 1])".
    bool take_line_label(const Word& it, Side side) {
        const bool is_fact = text_.match(at_, "S'(#,[") > 0;
        const std::size_t indexed = is_fact ? at_ + 3 : text_.match(at_, "A'[#]");
        const std::size_t behind = indexed ? indexed : text_.match(at_, "SN*#");
        const std::size_t number = indexed ? at_ + 2 : behind - 1;
        const bool is_declared = indexed && !it.is_one && !labelled(side) && token(number).value != 0;
        if (!behind || is_declared || token(number).value > kMostLabels) return false;
        label(side, token(number).value);
        if (is_fact) open_.push_back(token(at_ + 1));
        at_ = text_.match(behind, "!*");
        if (open_.empty() && text_.match(at_, ")")) ++at_;
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

    // The section of a side whose lines have labels of their own; null if there is none.
    const Section* labelled(Side side) const {
        const auto found = std::ranges::find_if(
            out_.found, [&](const Section& own) { return own.side == side && !own.labels.empty(); });
        return found == out_.found.end() ? nullptr : &*found;
    }

    void add_label(std::int32_t index, TextPlace place) {
        current().labels.push_back({index, current().numbers.size(), place});
    }

    // "Rows (top to bottom):"
    void skip_words() {
        for (++at_; at_ < end_; ++at_) {
            std::size_t i = at_ + text_.is_open(at_, '(');
            while (i > at_ && (is(i, kWord) || is_mark(i, "-.,>"))) ++i;
            const bool is_known = is(at_, kWord) && word(at_).meaning != WordMeaning::kUnknown;
            if (!is_known && !(i > at_ + 1 && is(i, kClose))) return;
            at_ = i;
        }
    }

    void read_open() {
        const TypedToken it = token(at_);
        const bool is_suffix =
            at_ > first_ && !it.is_loose && (is(at_ - 1, kWord) || (is(at_ - 1, kClose) && was_suffix_));
        const std::size_t sized = text_.match(at_, "[#]");
        const bool is_empty = is(at_ + 1, kClose);
        was_suffix_ = is_suffix && (is_empty || sized);
        if (was_suffix_) {  // the type int[], the size of an array, or a call
            at_ = is_empty ? at_ + 2 : sized;
            return;
        }
        open_.push_back(it);
        ++at_;
    }

    void read_close() {
        const TypedToken& it = token(at_);
        constexpr std::string_view kPairs = "[](){}\"\"";
        if (open_.empty() || kPairs[kPairs.find(open_.back().mark) + 1] != it.mark)
            return fail(std::string("'") + it.mark + "' closes nothing", it.place);
        std::size_t inside = at_ - 1;
        while (inside > 0 && is(inside, kLineEnd)) --inside;
        if (is(inside, kOpen)) add(0, open_.back().place, true);
        open_.pop_back();
        least_open_ = std::min(least_open_, std::int32_t(open_.size()));
        ++at_;
    }

    void read_mark() {
        const TypedToken& it = token(at_);
        const bool touches = (at_ > first_ && !it.is_loose && is(at_ - 1, kWord)) ||
                             ((is(at_ + 1, kWord) || is(at_ + 1, kOpen)) && !token(at_ + 1).is_loose);
        const bool is_ornament =
            touches || !has_numbers_ || at_ + 1 == end_ || it.mark == '=' || it.mark == '>';
        const bool is_bullet =
            has_bullets_ && is_new_line_ && is_mark(at_, "-*+") && at_ + 1 < end_ && token(at_ + 1).is_loose;
        if (it.mark == '"' && !is(at_ + 1, kOpen))
            fail("a quote that is not closed", it.place);
        else if (it.mark == '?')
            fail("an unknown clue (?), which is not supported yet", it.place);
        else if (is_bullet)
            bullet_ = bullet_ ? bullet_ : it.place.column;
        else if (it.mark == '-')
            read_dash();
        else if (strength(it.mark, true) > 0)
            read_separator();
        else if (!is_ornament)
            refuse(at_);
        else if (it.mark == '=' && at_ > first_ && is(at_ - 1, kNumber))
            fail("'=' follows a number", it.place);
        ++at_;
    }

    // A hyphen alone is an empty clue, without labels a line between rows and columns; between two numbers it
    // separates them.
    void read_dash() {
        const TypedToken& it = token(at_);
        const bool is_first = at_ == first_, is_last = at_ + 1 == end_,
                   has_blank = is_last || token(at_ + 1).is_loose;
        const bool is_behind = !is_first && is(at_ - 1, kNumber), is_before = is(at_ + 1, kNumber);
        const bool is_outside =
            (!is_first && is(at_ - 1, kClose)) || is(at_ + 1, kOpen) || (is(at_ + 1, kWord) && !has_blank);
        const bool is_ruled = is_mark(at_ + 1, "->") || (!is_first && !it.is_loose && !is_before &&
                                                         (is(at_ - 1, kWord) || is_mark(at_ - 1, "-")));
        if (is_outside || is_ruled) return;
        const bool is_loose = it.is_loose || has_blank, is_between = is_behind && is_before;
        const bool is_divider = is_first && is_last && !has_bullets_ && current().side == Side::kUnknown;
        const bool is_clue = (is_divider || (is_between && is_loose)) && dash_is_empty();
        if (is_divider && !is_clue)
            lines_ = kDivided;
        else if (is_between)
            mark_ = std::max(mark_, is_clue ? kBlank : strength('-', is_loose));
        else if ((is_behind || is_before) && !(it.is_loose && has_blank))
            return fail("'-' is neither a clue nor between two numbers", it.place);
        if (is_clue || (!is_divider && !is_between)) add(0, it.place);
    }

    bool dash_is_empty() {
        out_.met |= kDashIsEmpty;
        return (assumed_ & kDashIsEmpty) != 0;
    }

    void read_separator() {
        const TypedToken& it = token(at_);
        const bool is_first = at_ == first_ || is(at_ - 1, kWord) || is_mark(at_ - 1, ":=");
        const bool is_last = at_ + 1 == end_;
        const bool is_doubled = at_ > first_ && is_mark(at_ - 1, {&it.mark, 1}) && is_strong(it.mark);
        if (is_doubled && !(is_last && it.mark == ';'))
            fail("nothing stands between two separators: an empty clue is 0", it.place);
        const bool is_edge = it.mark == '/' && (is_first || is_last) && has_slashes_;
        if (is_edge || (is_mark(at_, ",;") && at_ > first_ && is_mark(at_ - 1, ":="))) {
            add(0, it.place);
            fail(text_.shown(at_) + " has nothing on one side: an empty clue is 0", it.place);
        }
        mark_ = std::max(mark_, strength(it.mark, it.is_loose || (!is_last && token(at_ + 1).is_loose)));
    }

    Section& current() {
        if (out_.found.empty()) out_.found.emplace_back();
        return out_.found[current_];
    }

    void start(Side side) {
        (side == Side::kRows ? out_.has_rows : out_.has_columns) |= side != Side::kUnknown;
        if (!current().numbers.empty() || !current().labels.empty()) {
            current_ = out_.found.size();
            out_.found.emplace_back();
            if (current_ > kMostSections) fail("another label of rows or columns", token(at_).place);
        }
        current().side = side;
        current().place = token(at_).place;
        lines_ = 0;
    }

    void add(std::int32_t value, TextPlace place, bool is_bracket = false) {
        Section& section = current();
        if (section.numbers.empty() && section.place.line == 0) section.place = place;
        const bool is_line = lines_ > 0;
        if (mark_ == 0 && at_ < end_ && token(at_).is_loose) mark_ = kBlank;
        if (!section.numbers.empty() && !is_line) {
            has_commas_ = has_commas_ || mark_ == kTightComma;
            has_blanks_ = has_blanks_ || mark_ == kBlank;
        }
        if (mark_ == kTightComma && !(assumed_ & kCommaIsWeak)) mark_ = kLooseComma;
        const Rank outdent = is_line && bullet_ ? 4095 - std::min(bullet_, 4000) : 0;
        const auto depth = std::int32_t(open_.size());
        section.numbers.push_back({value, place, std::min(least_open_, depth), std::min(lines_, kDivided),
                                   outdent * 16 + (is_line ? 0 : mark_)});
        section.deepest = std::max(section.deepest, depth - is_bracket);
        least_open_ = depth;
        lines_ = 0;
        mark_ = 0;
        bullet_ = 0;
    }

    const TypedText& text_;
    const std::span<const PlainLine> source_;
    const unsigned assumed_;
    const bool has_bullets_, is_numbered_;
    const std::size_t behind_numbers_;
    Sections out_;
    std::size_t at_ = 0, first_ = 0, end_ = 0, current_ = 0, last_open_ = 0;
    bool has_numbers_ = false, has_slashes_ = false, is_new_line_ = true, has_content_ = false,
         was_suffix_ = false;
    bool has_commas_ = false, has_blanks_ = false;
    std::vector<TypedToken> open_;
    std::int32_t lines_ = 0, least_open_ = 0, bullet_ = 0, last_label_ = -1;
    Rank mark_ = 0;
};

// "rows = 3" before the rows themselves.
void join_sizes(Sections& sections) {
    for (const Side side : {Side::kRows, Side::kColumns}) {
        const auto has_side = [&](const Section& own) { return own.side == side; };
        const auto first = std::ranges::find_if(sections.found, has_side);
        if (std::ranges::count_if(sections.found, has_side) < 2) continue;
        const std::string what = side == Side::kRows ? "rows" : "columns";
        if (first->numbers.size() == 1 && first->labels.empty()) {
            (side == Side::kRows ? sections.size.rows : sections.size.columns) = first->numbers[0].value;
            sections.found.erase(first);
        } else if (!sections.fault) {
            sections.fault = ReadFault{"a second list of " + what, "", first->place};
        }
    }
}

// Two numbers alone on the first line, or one alone on each of the first two.
void take_first_size(Sections& sections, unsigned assumed) {
    if (sections.found.empty() || sections.found[0].side != Side::kUnknown ||
        !sections.found[0].labels.empty() || sections.found[0].deepest > 0 || sections.size.first > 0)
        return;
    std::vector<TypedNumber>& numbers = sections.found[0].numbers;
    const bool is_before_labels = numbers.size() == 2 && sections.found.size() > 2;
    const bool is_alone = is_before_labels || (numbers.size() > 2 && numbers[2].lines > 0);
    if (!is_alone || numbers[1].lines > 1) return;
    if (!is_before_labels) sections.met |= kStartsWithSize;
    if (!is_before_labels && !(assumed & kStartsWithSize)) return;
    sections.size.first = numbers[0].value;
    sections.size.second = numbers[1].value;
    sections.size.place = numbers[0].place;
    sections.size.is_guessed = !is_before_labels;
    numbers.erase(numbers.begin(), numbers.begin() + 2);
    if (numbers.empty()) sections.found.erase(sections.found.begin());
}

}  // namespace

Sections sections_of(const TypedText& text, std::span<const PlainLine> lines, unsigned assumed) {
    Sections sections = Scanner(text, lines, assumed).take();
    std::erase_if(sections.found,
                  [](const Section& own) { return own.numbers.empty() && own.labels.empty(); });
    join_sizes(sections);
    take_first_size(sections, assumed);
    for (Section& section : sections.found)
        for (TypedNumber& number : section.numbers) {
            const std::int32_t ends = number.lines > 3 ? kDivided : number.lines;
            number.rank += ((section.deepest - number.open) * 16 + ends) * Rank{1 << 16};
        }
    return sections;
}

}  // namespace nonocsp
