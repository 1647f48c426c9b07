// A number of at least 0 with the precision of a double and a 64-bit exponent: products over long lines
// neither overflow nor underflow. The same on every machine.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

namespace nonocsp {

// mantissa * 2^(512 * exponent). The mantissa is 0 (with the least exponent) or within 2^-256..2^256.
class Scaled {
  public:
    Scaled() = default;
    explicit Scaled(double value) : Scaled(value, 0) {}

    explicit operator double() const {
        return std::ldexp(mantissa_, 512 * static_cast<int>(std::clamp<std::int64_t>(exponent_, -4, 4)));
    }

    friend Scaled operator*(const Scaled& a, const Scaled& b) {
        return {a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_};
    }

    friend Scaled operator+(const Scaled& a, const Scaled& b) {
        if (a.exponent_ < b.exponent_) return b + a;
        if (a.exponent_ == b.exponent_) return {a.mantissa_ + b.mantissa_, a.exponent_};
        if (a.exponent_ > b.exponent_ + 1) return a;  // by more than 2^512 times 2^-512
        return {a.mantissa_ + b.mantissa_ * kDown, a.exponent_};
    }

    friend Scaled operator/(const Scaled& a, const Scaled& b) {
        assert(b.mantissa_ > 0);
        return {a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_};
    }

    bool operator==(const Scaled&) const = default;

  private:
    static constexpr double kUp = 0x1p512, kDown = 0x1p-512, kLargest = 0x1p256, kLeast = 0x1p-256;
    static constexpr std::int64_t kOfZero = INT64_MIN / 4;  // products of a few zeros do not overflow

    Scaled(double mantissa, std::int64_t exponent) : mantissa_(mantissa), exponent_(exponent) {
        assert(0 <= mantissa && mantissa <= 1 / kLeast / kLeast);  // of one operation on two numbers
        if (mantissa >= kLeast && mantissa < kLargest) return;
        if (mantissa == 0) {
            exponent_ = kOfZero;
        } else if (mantissa < kLeast) {
            mantissa_ *= kUp;
            --exponent_;
        } else {
            mantissa_ *= kDown;
            ++exponent_;
        }
    }

    double mantissa_ = 0;
    std::int64_t exponent_ = kOfZero;
};

}  // namespace nonocsp
