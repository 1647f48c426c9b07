// The solutions of a puzzle that falls apart into components (grid/components.hpp), from a search for each of
// them. The first solution needs one of every component. The second one needs another solution of a single
// component, so a puzzle is decided part by part, the smallest part first. Memory: the solutions of the
// components, not their products; of a single component, only the last one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/watch.hpp"
#include "grid/components.hpp"

namespace nonocsp {

// A search for one component: next(watch, cells) writes a solution of it; false if none is left.
template <class Part>
class ProductSearch {
  public:
    // Makes the search for the solutions of a component, except those given; says whether it is alone.
    using Make =
        std::function<std::unique_ptr<Part>(const Component&, const std::vector<Board>&, bool is_alone)>;

    // `root` is at the fixpoint of settle and has an open cell. Solutions in `given` are passed over; the
    // root need not allow them any more.
    ProductSearch(const PuzzleClues& clues, const Board& root, const std::vector<Board>& given,
                  const Make& make)
        : root_(root), columns_(clues.columns.size()) {
        std::vector<Board> allowed;  // the parts of another one would not fit together with those of the root
        std::ranges::copy_if(given, std::back_inserter(allowed), [&](const Board& solution) {
            bool is_allowed = true;
            root.for_each_disjoint(solution, [&](Cell) { is_allowed = false; });
            return is_allowed;
        });
        std::vector<Component> components = components_of(clues, root);
        for (Component& component : components) {
            Factor factor{std::move(component), nullptr, {}, 0};
            std::vector<Board> known;
            for (const Board& solution : allowed)
                if (Board part = cut_out(solution, factor.component); factor.add(part))
                    known.push_back(std::move(part));
            factor.search = make(factor.component, known, components.size() == 1);
            factors_.push_back(std::move(factor));
        }
        for (const Board& solution : allowed) given_.insert(candidate_sets(solution));
    }

    // Writes the next solution; false if there is none left.
    bool next(Watch& watch, std::span<Word> cells) {
        while (!is_over_) {
            is_over_ = !advance(watch);
            if (is_over_) break;
            write(cells);
            if (given_.empty() || !given_.contains({cells.begin(), cells.end()})) return true;
        }
        return false;
    }

    std::size_t components() const { return factors_.size(); }

    template <class Visit>
    void for_each_part(Visit visit) const {
        for (const Factor& factor : factors_) visit(*factor.search);
    }

  private:
    struct Factor {
        Component component;
        std::unique_ptr<Part> search;
        std::vector<std::vector<Word>> found;
        std::size_t at;  // of the present product, in `found`

        // Adds a known solution; false if it is there already.
        bool add(const Board& solution) {
            std::vector<Word> cells = candidate_sets(solution);
            if (std::ranges::find(found, cells) != found.end()) return false;
            found.push_back(std::move(cells));
            return true;
        }

        // Looks for one more solution unless there is one at `place`.
        bool reach(std::size_t place, Watch& watch) {
            if (place < found.size()) return true;
            std::vector<Word> cells(component.board.lines(Axis::kRow) * component.board.lines(Axis::kColumn));
            if (!search->next(watch, cells)) return false;
            found.push_back(std::move(cells));
            return true;
        }

        // Replaces the last solution by the next one.
        bool renew(Watch& watch) { return search->next(watch, found.back()); }
    };

    // Goes to the next product, as an odometer does; false after the last one.
    bool advance(Watch& watch) {
        if (!std::exchange(is_started_, true))
            return std::ranges::all_of(factors_, [&](Factor& factor) { return factor.reach(0, watch); });
        if (Factor& first = factors_[0]; factors_.size() == 1 && first.at + 1 == first.found.size())
            return first.renew(watch);  // no other component will ask for the last one again
        for (Factor& factor : factors_) {
            if (factor.reach(factor.at + 1, watch)) {
                ++factor.at;
                return true;
            }
            factor.at = 0;
        }
        return false;
    }

    void write(std::span<Word> cells) const {
        root_.write(cells);
        for (const Factor& factor : factors_) {
            const std::vector<Word>& solution = factor.found[factor.at];
            for (std::size_t i = 0; i < solution.size(); ++i)
                cells[factor.component.number(i, columns_)] = solution[i];
        }
    }

    Board root_;
    std::size_t columns_;
    std::vector<Factor> factors_;
    std::set<std::vector<Word>> given_;
    bool is_started_ = false, is_over_ = false;
};

}  // namespace nonocsp
