#include "cdcl/options.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nonocsp {

double SearchParameter::get(const SearchOptions& options) const {
    return std::visit([&](auto which) { return static_cast<double>(options.*which); }, member);
}

void SearchParameter::set(SearchOptions& options, double value) const {
    std::visit(
        [&](auto which) {
            options.*which = static_cast<std::remove_reference_t<decltype(options.*which)>>(value);
        },
        member);
}

const std::vector<SearchParameter>& search_parameters() {
    using Options = SearchOptions;
    constexpr double kMost = 1e12;
    static const std::vector<SearchParameter> parameters{
        {"model", &Options::model, 0, 2, {"both", "cells", "starts"}},
        {"cells_first", &Options::cells_first, 1, kMost, {}},
        {"decay", &Options::decay, 0.5, 1, {}},
        {"phase", &Options::phase, 0, 2, {"saved", "target", "fixed"}},
        {"restart", &Options::restart, 0, 1, {"glue", "luby"}},
        {"restart_interval", &Options::restart_interval, 1, kMost, {}},
        {"restart_margin", &Options::restart_margin, 0, 1000, {}},
        {"glue_fast_window", &Options::glue_fast_window, 1, kMost, {}},
        {"glue_slow_window", &Options::glue_slow_window, 1, kMost, {}},
        {"luby_unit", &Options::luby_unit, 1, kMost, {}},
        {"reduce_first", &Options::reduce_first, 1, kMost, {}},
        {"reduce_interval", &Options::reduce_interval, 1, kMost, {}},
        {"reduce_fraction", &Options::reduce_fraction, 0, 1, {}},
        {"dead_ends", &Options::dead_ends, 0, kMost, {}},
        {"dive_first", &Options::dive_first, 0, kMost, {}},
        {"dive_interval", &Options::dive_interval, 1, kMost, {}},
        {"dive_conflicts", &Options::dive_conflicts, 1, kMost, {}},
        {"belief_sweeps", &Options::belief_sweeps, 1, 1e6, {}},
        {"belief_tolerance", &Options::belief_tolerance, 0, 1, {}},
        {"dive_certainty", &Options::dive_certainty, 0, 1, {}},
        {"dive_cells", &Options::dive_cells, 1, 1e6, {}},
        {"dive_diversity", &Options::dive_diversity, 0, 1, {}},
        {"dive_tie_break", &Options::dive_tie_break, 0, 1, {}},
        {"dive_keep_activity", &Options::dive_keep_activity, 0, 1, {}},
    };
    return parameters;
}

void set_parameter(SearchOptions& options, std::string_view name, double value) {
    const auto& all = search_parameters();
    const auto found = std::ranges::find(all, name, &SearchParameter::name);
    if (found == all.end())
        throw std::invalid_argument("the learning search has no parameter " + std::string(name));
    const bool fits = value >= found->least && value <= found->most;
    if (!fits || (found->is_whole() && value != std::floor(value)))
        throw std::invalid_argument("the value of " + std::string(name) + " is out of bounds");
    found->set(options, value);
}

}  // namespace nonocsp
