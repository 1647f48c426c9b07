#include "typed/words.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "reading/clue_text.hpp"

namespace nonocsp {
namespace {

using enum WordMeaning;

struct Known {
    Word word;
    std::string_view names;  // between blanks
};

constexpr Known kKnown[] = {
    {{kRow, true}, " row r reihe zeile ligne fila riga rij "},
    {{kRow, false},
     " rows rs reihen zeilen lignes filas righe rijen across horizontal horizontals horizontally horizontale "
     "hor horiz waagerecht waagrecht left "},
    {{kColumn, true}, " column col c spalte colonne columna colonna kolom "},
    {{kColumn, false},
     " columns cols cs spalten colonnes columnas kolommen down vertical verticals vertically vertikal "
     "vertikale ver vert v senkrecht top "},
    {{kRow, false, true}, " height h high höhe hoehe nrows numrows "},
    {{kColumn, false, true}, " width w wide breite ncols ncolumns numcols numcolumns "},
    {{kSize, false, true}, " size sizes dimension dimensions dims größe groesse "},
    {{kTitle}, " title titel name "},
    {{kRemark}, " author by von copyright license licence source url date rating difficulty level "},
    {{kDivider}, " separator sep divider "},
    {{kNoise},
     " clue clues hint hints numbers values value list lists data array arrays vector vec int integer "
     "integers short long byte char uint8 uint8t int32 int32t u8 u32 i32 usize std arraylist aslist of new "
     "var let const local static final public private constexpr auto val def return export puzzle nonogram "
     "nonograms griddler hanjie picross self this for the in and each per is are given begin end grid board "
     "block blocks run runs lengths rule rules constraint constraints module from to bottom right hinweise "
     "hinweis zahlen der die oben unten nach links rechts leer empty none nil null "},
};
constexpr std::string_view kCounting = " n num number count total nb anzahl ";
constexpr std::size_t kLongest = 40;

Word look_up(std::string_view name) {
    static const auto words = [] {
        std::unordered_map<std::string_view, Word> table;
        for (const Known& known : kKnown)
            for (std::string_view rest = known.names.substr(1); !rest.empty();) {
                const std::size_t end = rest.find(' ');
                table.emplace(rest.substr(0, end), known.word);
                rest.remove_prefix(end + 1);
            }
        return table;
    }();
    const auto found = words.find(name);
    return found == words.end() ? Word{} : found->second;
}

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// "row_clues", "row-clues" and "rowClues" have two parts.
std::vector<std::string> parts_of(std::string_view word) {
    std::vector<std::string> parts(1);
    bool after_lower = false;
    for (const char letter : word) {
        const bool is_upper = letter >= 'A' && letter <= 'Z';
        const bool is_joint = letter == '_' || letter == '-';
        if ((is_joint || (is_upper && after_lower)) && !parts.back().empty()) parts.emplace_back();
        if (!is_joint) parts.back() += lower(letter);
        after_lower = !is_upper && !is_joint;
    }
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

constexpr char32_t kZeros[] = {
    // the decimal digits of Unicode come in tens
    0x660,  0x6F0,  0x7C0,  0x966,   0x9E6,   0xA66,   0xAE6,   0xB66,   0xBE6,   0xC66,  0xCE6,
    0xD66,  0xDE6,  0xE50,  0xED0,   0xF20,   0x1040,  0x1090,  0x17E0,  0x1810,  0x1946, 0x19D0,
    0x1A80, 0x1A90, 0x1B50, 0x1BB0,  0x1C40,  0x1C50,  0xA620,  0xA8D0,  0xA900,  0xA9D0, 0xA9F0,
    0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6,
};
constexpr char32_t kSkipped = 0;

struct Alike {
    char32_t first, last, plain;
};
constexpr Alike kAlike[] = {
    {0xA0, 0xA0, ' '},          {0x1680, 0x1680, ' '},      {0x2000, 0x200A, ' '},
    {0x202F, 0x202F, ' '},      {0x205F, 0x205F, ' '},      {0x3000, 0x3000, ' '},
    {0xAD, 0xAD, kSkipped},     {0x61C, 0x61C, kSkipped},   {0x180E, 0x180E, kSkipped},
    {0x200B, 0x200F, kSkipped}, {0x202A, 0x202E, kSkipped}, {0x2060, 0x2060, kSkipped},
    {0x2066, 0x2069, kSkipped}, {0xFE0E, 0xFE0F, kSkipped}, {0xFEFF, 0xFEFF, kSkipped},
    {0x2010, 0x2015, '-'},      {0x2212, 0x2212, '-'},      {0x2500, 0x2501, '-'},
    {0x2018, 0x201F, '"'},      {0xAB, 0xAB, '"'},          {0xBB, 0xBB, '"'},
    {0x3001, 0x3001, ','},      {0x3002, 0x3002, '.'},      {0xB7, 0xB7, '.'},
    {0x2022, 0x2022, '*'},      {0xD7, 0xD7, 'x'},          {0x2550, 0x2550, '='},
    {0x2502, 0x2503, '|'},      {0x300C, 0x300C, '['},      {0x3010, 0x3010, '['},
    {0x3014, 0x3014, '['},      {0x300D, 0x300D, ']'},      {0x3011, 0x3011, ']'},
    {0x3015, 0x3015, ']'},
};

// The character of ASCII that this one stands for, itself if none does, kSkipped if it means nothing.
char32_t plain(char32_t c) {
    if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
    if (c < 0x7F) return c;
    for (const Alike& alike : kAlike)
        if (c >= alike.first && c <= alike.last) return alike.plain;
    for (const char32_t zero : kZeros)
        if (c >= zero && c < zero + 10) return U'0' + (c - zero);
    return c;
}

// The line that starts there, which moves behind its end.
PlainLine next_line(std::string_view text, std::size_t& at) {
    PlainLine line;
    const std::size_t start = at;
    std::size_t end = at;
    for (std::int32_t column = 1; at < text.size(); ++column, end = at) {
        const std::string_view character = text.substr(at, character_at(text, at));
        const char32_t c = code_point(character);
        at += character.size();
        if (c == '\r' && at < text.size() && text[at] == '\n') ++at;
        if (is_one_of(c, U"\n\v\f\r\u0085\u2028\u2029")) break;
        const char32_t own = plain(c);
        if (c == '\t')
            line.text.resize(line.text.size() / 8 * 8 + 8, U' ');
        else if (own != kSkipped)
            line.text += own;
        if (c == 0xFF0C || c == 0x3001) line.text += U' ';  // a wide comma has its blank inside
        line.columns.resize(line.text.size(), column);
    }
    line.source = text.substr(start, end - start);
    return line;
}

}  // namespace

Word word_of(std::string_view word) {
    if (word.size() > kLongest) return {};
    std::string whole;
    for (const char letter : word)
        if (letter != '_') whole += lower(letter);
    if (const Word found = look_up(whole); found.meaning != kUnknown) return found;
    Word found;
    bool counts = false;
    for (const std::string& part : parts_of(word)) {
        counts = counts || kCounting.find(" " + part + " ") != kCounting.npos;
        const Word own = part.size() > 1 ? look_up(part) : Word{};
        if (!is_axis(own.meaning)) continue;
        if (found.meaning != kUnknown && found.meaning != own.meaning) return {};
        found = {own.meaning, false, own.is_number};
    }
    found.is_number = found.meaning != kUnknown && (found.is_number || counts);
    return found;
}

std::vector<PlainLine> plain_lines(std::string_view text) {
    std::vector<PlainLine> lines;
    for (std::size_t at = 0; at < text.size();) lines.push_back(next_line(text, at));
    return lines;
}

std::string utf8_of(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) {
        const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr unsigned kLeads[] = {0, 0xC0, 0xE0, 0xF0};
        out += static_cast<char>(kLeads[more] | (c >> 6 * more));
        for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((c >> 6 * i) & 0x3F));
    }
    return out;
}

}  // namespace nonocsp
