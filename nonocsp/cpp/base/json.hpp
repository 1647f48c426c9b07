// Values as JSON.
#pragma once

#include <concepts>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "base/coordinates.hpp"

namespace nonocsp {

std::string json(std::integral auto number) { return std::to_string(number); }
inline std::string json(bool truth) { return truth ? "true" : "false"; }

inline std::string json(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
        } else {
            if (c == '"' || c == '\\') quoted += '\\';
            quoted += c;
        }
    }
    return quoted + '"';
}

// An array of what `make` makes of each item.
template <class Items, class Make>
std::string list(const Items& items, Make make) {
    std::string text;
    for (const auto& item : items) (text += text.empty() ? "[" : ",") += make(item);
    return text.empty() ? "[]" : text + ']';
}

template <std::ranges::range Items>
    requires(!std::convertible_to<Items, std::string_view>)
std::string json(const Items& items) {
    return list(items, [](const auto& item) { return json(item); });
}

// An array of values of any types.
template <class... Values>
    requires(sizeof...(Values) > 0)
std::string array(const Values&... values) {
    std::string text;
    (((text += text.empty() ? "[" : ",") += json(values)), ...);
    return text + ']';
}

inline std::string json(const LineId& line) {
    return array(std::string_view(line.axis == Axis::kRow ? "row" : "column"), line.position);
}

inline std::string json(const Cell& cell) { return array(cell.row, cell.column); }

template <class T>
std::string json(const std::optional<T>& maybe) {
    return maybe ? json(*maybe) : "null";
}

// An object, field by field.
class Object {
  public:
    Object& add(std::string_view name, const std::string& value) {
        text_ += (text_.empty() ? "\"" : ",\"") + std::string(name) + "\":" + value;
        return *this;
    }
    std::string text() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

}  // namespace nonocsp
