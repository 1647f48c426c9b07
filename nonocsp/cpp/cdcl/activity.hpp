// Which variable to decide next: the one that took part in most conflicts lately (VSIDS, Moskewicz et al.,
// Chaff, 2001), from a binary heap. What the conflicts of a round add grows by a constant factor, which fades
// all earlier ones at no cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cdcl/order_model.hpp"

namespace nonocsp {

class Activity {
  public:
    // Every variable waits, with no activity.
    Activity(std::size_t variables, double decay)
        : decay_(decay), activity_(variables), place_(variables), heap_(variables) {
        for (std::size_t i = 0; i < variables; ++i) place_[i] = static_cast<std::int32_t>(i);
        heap_.assign(place_.begin(), place_.end());
    }

    bool empty() const { return heap_.empty(); }

    // Takes out the most active variable that waits.
    Variable pop() {
        const Variable top = heap_.front();
        place_of(top) = kOut;
        const Variable last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(0, last);
        return top;
    }

    // Lets a variable wait, if it does not.
    void push(Variable variable) {
        if (place_of(variable) != kOut) return;
        heap_.push_back(variable);
        rise(heap_.size() - 1, variable);
    }

    void bump(Variable variable) {
        if ((of(variable) += increment_) > kLargest) scale_down();
        if (place_of(variable) != kOut) rise(static_cast<std::size_t>(place_of(variable)), variable);
    }

    void fade() { increment_ /= decay_; }

    // Replaces every activity by `keep` times itself plus gains[variable], measured in bumps of now.
    void mix(double keep, std::span<const double> gains) {
        for (std::size_t i = 0; i < activity_.size(); ++i)
            activity_[i] = keep * activity_[i] + increment_ * gains[i];
        for (std::size_t i = heap_.size(); i-- > 0;) sink(i, heap_[i]);
    }

  private:
    static constexpr std::int32_t kOut = -1;
    static constexpr double kLargest = 1e100;

    double& of(Variable variable) { return activity_[static_cast<std::size_t>(variable)]; }
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

    void scale_down() {
        for (double& activity : activity_) activity /= kLargest;
        increment_ /= kLargest;
    }

    double decay_, increment_ = 1;
    std::vector<double> activity_;
    std::vector<std::int32_t> place_;  // in the heap
    std::vector<Variable> heap_;
};

}  // namespace nonocsp
