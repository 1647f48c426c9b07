// The parameters of the learning search, in one struct. The defaults were chosen by experiment (see the page
// of results of backend hybrid); Python can set each by name, for experiments.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace nonocsp {

// Which value a decision tries first.
enum class PhasePolicy : std::uint8_t {
    kSaved,   // the last one (phase saving: Pipatsrisawat & Darwiche 2007)
    kTarget,  // that of the longest trail without a conflict since the last dive (Biere 2019, CaDiCaL), or
              // else the last one
    kFixed,   // the one that beliefs gave, whatever happened since
};

enum class RestartPolicy : std::uint8_t {
    kGlue,  // when recent clauses are worse than usual
    kLuby,  // after Luby's sequence 1, 1, 2, 1, 1, 2, 4, … (Luby, Sinclair & Zuckerman 1993)
};

// Which variables the learning searches have.
enum class ModelPolicy : std::uint8_t {
    kBoth,    // two searches take turns
    kCells,   // those of cells
    kStarts,  // those of starts as well
};

struct SearchOptions {
    ModelPolicy model = ModelPolicy::kBoth;
    std::int64_t cells_first = 4;  // turns of the cells before the first one with starts

    // --- decide ---
    // Factor by which activities decay at a conflict (Moskewicz et al. 2001, Chaff; MiniSat has .95 as well).
    double decay = 0.9;
    PhasePolicy phase = PhasePolicy::kTarget;

    // --- restart ---
    RestartPolicy restart = RestartPolicy::kGlue;
    // Conflicts between two restarts at least (Audemard & Simon 2009, Glucose: 50; CaDiCaL: 2).
    std::int64_t restart_interval = 50;
    // Restart if the fast average of the glue exceeds the slow one times this (Glucose 1 / .8, CaDiCaL 1.1).
    double restart_margin = 1.25;
    // Windows of the two exponential moving averages, in conflicts (Biere & Fröhlich 2015: 32 and 4096).
    std::int64_t glue_fast_window = 32;
    std::int64_t glue_slow_window = 4096;
    // Conflicts of a run of length 1; only with restart=luby (MiniSat: 100).
    std::int64_t luby_unit = 100;

    // --- reduce ---
    // Watched clauses at the first reduction, and how many more at each later one (Glucose 1: 4000 conflicts,
    // and 300 more every time).
    std::int64_t reduce_first = 2000;
    std::int64_t reduce_interval = 300;
    // Share of the clauses that a reduction deletes, the worst (MiniSat and Glucose: half).
    double reduce_fraction = 0.5;

    // --- hybrid: backtracking before the learning search ---
    std::int64_t dead_ends = 2;  // after which backtracking gives up

    // --- hybrid: dives along beliefs (decimation, Mézard, Parisi & Zecchina 2002), chosen by experiment ---
    std::int64_t dive_first = 100;     // conflicts before the first dive
    std::int64_t dive_interval = 600;  // conflicts between two dives
    std::int64_t dive_conflicts = 40;  // conflicts of a dive: its share is this / (this + the interval)
    std::int64_t belief_sweeps = 15;   // at most, before a dive
    double belief_tolerance = 1e-3;    // beliefs have converged when none changes by more in a sweep
    double dive_certainty = 0.9;       // cells of at least this certainty are decided together,
    std::int64_t dive_cells = 5;       // at most this many, and one in any case
    double dive_diversity = 0.3;       // random part of certainties, from the second dive on
    double dive_tie_break = 1e-3;      // random part of the activities before the first conflict
    double dive_keep_activity = 0.5;   // weight of the old activities at a dive; the rest is certainty
};

// Describes one member of SearchOptions.
struct SearchParameter {
    using Member =
        std::variant<double SearchOptions::*, std::int64_t SearchOptions::*, PhasePolicy SearchOptions::*,
                     RestartPolicy SearchOptions::*, ModelPolicy SearchOptions::*>;
    std::string_view name;
    Member member;
    double least, most;                     // both are allowed
    std::vector<std::string_view> choices;  // names of the values 0, 1, …; empty for a number

    bool is_whole() const { return !std::holds_alternative<double SearchOptions::*>(member); }
    double get(const SearchOptions& options) const;
    void set(SearchOptions& options, double value) const;
};

// All of them, in the order of the struct.
const std::vector<SearchParameter>& search_parameters();

// Sets one parameter. Throws std::invalid_argument for an unknown name and for a value out of bounds.
void set_parameter(SearchOptions& options, std::string_view name, double value);

}  // namespace nonocsp
