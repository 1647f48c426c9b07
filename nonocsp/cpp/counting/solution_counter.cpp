#include "counting/solution_counter.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "grid/propagator.hpp"

namespace nonocsp {
namespace {

// The passes: layers of so many states, in so many orders. Later ones are eight times wider each.
constexpr std::size_t kFirstWidth = 1 << 10, kSecondWidth = 1 << 13, kGrowth = 8;
constexpr std::size_t kOrders = 4, kSecondOrders = 2;

}  // namespace

Natural SolutionCounter::count(Watch& watch) {
    watch.progress().begin(Stage::kCounting);
    if (!start(watch)) {
        is_unsat_ = true;
        return Natural();
    }
    std::size_t orders = kOrders;
    for (std::size_t width = kFirstWidth; !is_exact(); width *= kGrowth) {
        for (Component& component : components_)
            if (!component.is_exact) sweep(component, width, orders, watch);
        orders = width == kFirstWidth ? kSecondOrders : 1;
    }
    return at_least(true);
}

Natural SolutionCounter::at_least(bool solvable) const {
    if (is_unsat_) return Natural();
    if (!is_split_) return Natural(solvable);
    Natural product(1);
    for (const Component& component : components_) {
        const bool is_known = component.is_exact || !component.at_least.is_zero();
        product = product * (is_known ? component.at_least : Natural(solvable));
    }
    return product;
}

bool SolutionCounter::start(Watch& watch) {
    Board board = grid_of<Board>(clues_);
    Propagator propagator(clues_);
    propagator.touch_all();
    if (propagator.to_fixpoint(board, watch)) return false;
    open_cells_ = static_cast<std::int64_t>(board.open_cells());
    watch.progress().note_open_cells(board.open_cells());
    for (const bool reversed : {false, true})
        grids_.push_back(std::make_unique<ChainsOfGrid>(board, clues_, reversed, watch));
    find_components();
    is_split_ = true;
    return true;
}

// Joins the cells of each chain; then small components come first, so that a bound is found soon.
void SolutionCounter::find_components() {
    const ChainsOfGrid& grid = *grids_.front();
    std::vector<std::uint32_t> parent(grid.place_of[0].size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t cell) {
        while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
        return cell;
    };
    for (const std::vector<Chain>& chains : grid.chains)
        for (const Chain& chain : chains)
            for (const std::uint32_t cell : chain.cells) parent[root(cell)] = root(chain.cells.front());
    std::map<std::uint32_t, std::vector<std::uint32_t>> cells;
    for (std::uint32_t cell = 0; cell < parent.size(); ++cell)
        if (grid.place_of[0][cell].chain != kDead) cells[root(cell)].push_back(cell);
    for (auto& [_, of_component] : cells) components_.push_back({std::move(of_component), {}, {}});
    std::ranges::stable_sort(components_, {}, [](const Component& each) { return each.cells.size(); });
}

void SolutionCounter::sweep(Component& component, std::size_t width, std::size_t orders, Watch& watch) {
    ++passes_;
    if (component.sweeps.empty())
        for (const auto& grid : grids_)
            for (const Axis axis : {Axis::kRow, Axis::kColumn})
                component.sweeps.emplace_back(*grid, axis, component.cells, clues_.columns.size());
    assert(orders <= component.sweeps.size());
    bool out_of_memory = false;
    std::vector<std::pair<double, std::size_t>> excesses;
    for (std::size_t i = 0; i < orders; ++i) {
        SweepResult result = component.sweeps[i].run(width, memory_, watch);
        states_ += static_cast<std::int64_t>(result.states);
        widest_ = std::max(widest_, static_cast<std::int64_t>(result.widest));
        if (component.at_least < result.count) component.at_least = std::move(result.count);
        component.is_exact = result.exact;
        if (result.exact) {
            component.sweeps.clear();
            return;
        }
        out_of_memory |= result.out_of_memory;
        excesses.emplace_back(result.excess, i);
    }
    std::ranges::sort(excesses);
    std::vector<FrontierSweep> best;
    for (const auto& [_, i] : excesses) best.push_back(std::move(component.sweeps[i]));
    component.sweeps = std::move(best);
    if (out_of_memory && orders == 1)
        throw TooManyStates("a component of " + std::to_string(component.cells.size()) +
                            " open cells has more states in a layer than fit into " +
                            std::to_string(memory_ >> 20) + " MiB");
}

bool SolutionCounter::is_exact() const { return std::ranges::all_of(components_, &Component::is_exact); }

Statistics SolutionCounter::statistics() const {
    return {{"open_cells", open_cells_},
            {"components", static_cast<std::int64_t>(components_.size())},
            {"passes", passes_},
            {"states", states_},
            {"width", widest_}};
}

}  // namespace nonocsp
