#include "advice/words.h"

#include "text/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace aiwc::advice {

std::string rounded(double value) {
  if (value >= 99.5)
    return text::formatReadable(static_cast<uint64_t>(std::llround(value)));
  return value >= 9.95 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

std::string percent(double share) {
  return share > 0 && share < 0.01 ? std::string("less than 1 %")
                                   : fmt::format("{:.0f} %", 100 * share);
}

std::string plural(double number, std::string_view noun) {
  return plural(number, noun, fmt::format("{}s", noun));
}

std::string plural(double number, std::string_view one, std::string_view several) {
  const std::string text = rounded(number);
  return fmt::format("{} {}", text, text == "1" ? one : several);
}

std::string inWordsOf(const profile::Provenance &kernel, std::string sentence) {
  if (kernel.sourceKind != "cuda")
    return sentence;
  // Longer words before those that they contain.
  constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"in groups of", "in blocks of"},
      {"work-item", "thread"},
      {"Work-item", "Thread"},
      {"work-group", "block"},
      {"Work-group", "Block"},
      {"local memory", "shared memory"},
      {"Local memory", "Shared memory"},
      {"local size", "block size"},
      {"global size", "number of threads"},
      {"get_global_id(0)", "threadIdx.x"},
      {"get_global_id", "blockIdx and threadIdx"},
      {"others of the group", "others of the block"},
      {"execute in lockstep", "of a warp execute"},
  });
  for (const auto &[opencl, cuda] : kWords)
    for (size_t at = 0; (at = sentence.find(opencl, at)) != std::string::npos; at += cuda.size())
      sentence.replace(at, opencl.size(), cuda);
  return sentence;
}

} // namespace aiwc::advice
