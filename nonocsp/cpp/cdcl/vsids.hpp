// The decision queue: a binary heap of variables by activity (VSIDS, Moskewicz et al. 2001, Chaff). Instead
// of decaying all activities at a conflict, the increment grows by the same factor (EVSIDS, Eén & Sörensson
// 2003, MiniSat; Biere & Fröhlich 2015), so a conflict costs only the variables that took part in it.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdcl/types.hpp"

namespace nonocsp {

class Vsids {
  public:
    // Queues every variable, with activity 0. `decay` in (0, 1].
    Vsids(std::size_t variables, double decay)
        : decay_(decay), activity_(variables), place_(variables), heap_(variables) {
        assert(0 < decay && decay <= 1);
        for (std::size_t i = 0; i < variables; ++i) place_[i] = static_cast<std::int32_t>(i);
        heap_.assign(place_.begin(), place_.end());
    }

    bool contains(Variable variable) const { return place_[static_cast<std::size_t>(variable)] != kOut; }

    // Removes and returns the most active variable of the queue.
    Variable pop() {
        assert(!heap_.empty());
        const Variable top = heap_.front();
        assert(place_of(top) == 0);
        place_of(top) = kOut;
        const Variable last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(0, last);
        assert(heap_.empty() || of(heap_.front()) <= of(top));
        return top;
    }

    // Queues a variable, if it is not there.
    void push(Variable variable) {
        if (contains(variable)) return;
        heap_.push_back(variable);
        rise(heap_.size() - 1, variable);
        assert(heap_.size() <= activity_.size());
    }

    // Adds the increment to the activity of a variable.
    void bump(Variable variable) {
        if ((of(variable) += increment_) > kLargest) rescale();
        if (contains(variable)) rise(static_cast<std::size_t>(place_of(variable)), variable);
    }

    // Decays all activities, relative to the bumps to come.
    void decay() {
        increment_ /= decay_;
        assert(std::isfinite(increment_));
    }

    // Replaces every activity by `keep` times itself plus gains[variable], measured in bumps of now.
    void mix(double keep, std::span<const double> gains) {
        assert(gains.size() == activity_.size());
        for (std::size_t i = 0; i < activity_.size(); ++i)
            activity_[i] = keep * activity_[i] + increment_ * gains[i];
        for (std::size_t i = heap_.size(); i-- > 0;) sink(i, heap_[i]);
    }

  private:
    static constexpr std::int32_t kOut = -1;
    static constexpr double kLargest = 1e100;

    double& of(Variable variable) { return activity_[static_cast<std::size_t>(variable)]; }
    double of(Variable variable) const { return activity_[static_cast<std::size_t>(variable)]; }
    std::int32_t& place_of(Variable variable) { return place_[static_cast<std::size_t>(variable)]; }

    void put(std::size_t place, Variable variable) {
        heap_[place] = variable;
        place_of(variable) = static_cast<std::int32_t>(place);
    }

    void rise(std::size_t place, Variable variable) {
        const double activity = of(variable);
        for (; place > 0 && of(heap_[(place - 1) / 2]) < activity; place = (place - 1) / 2)
            put(place, heap_[(place - 1) / 2]);
        put(place, variable);
    }

    void sink(std::size_t place, Variable variable) {
        const double activity = of(variable);
        for (std::size_t child = 2 * place + 1; child < heap_.size(); child = 2 * place + 1) {
            if (child + 1 < heap_.size() && of(heap_[child + 1]) > of(heap_[child])) ++child;
            if (of(heap_[child]) <= activity) break;
            put(place, heap_[child]);
            place = child;
        }
        put(place, variable);
    }

    // Divides all by the same, before a double overflows.
    void rescale() {
        for (double& activity : activity_) activity /= kLargest;
        increment_ /= kLargest;
    }

    double decay_, increment_ = 1;
    std::vector<double> activity_;
    std::vector<std::int32_t> place_;  // [variable] in the heap
    std::vector<Variable> heap_;
};

}  // namespace nonocsp
