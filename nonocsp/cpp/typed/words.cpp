#include "typed/words.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

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

}  // namespace nonocsp
