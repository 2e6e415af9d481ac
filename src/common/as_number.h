#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace aiwc {

/// The number that `text` is; none if it is something else as well, or too much for the type.
/// `form`: as std::from_chars takes it.
template <typename Number = uint64_t, typename... Form>
std::optional<Number> asNumber(std::string_view text, Form... form) {
  Number number{};
  const char *const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number, form...);
  return error == std::errc() && behind == end ? std::optional(number) : std::nullopt;
}

} // namespace aiwc
