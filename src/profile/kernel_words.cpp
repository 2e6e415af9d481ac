#include "profile/kernel_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace aiwc::profile {

std::string inWordsOf(std::string_view sourceKind, std::string text) {
  if (sourceKind != "cuda")
    return text;
  // Longer words before those that they contain.
  constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"groups of 32 lanes", "warps"},
      {"lanes of groups of 32", "lanes of warps"},
      {"in groups of", "in blocks of"},
      {"work-item", "thread"},
      {"Work-item", "Thread"},
      {"work-group", "block"},
      {"Work-group", "Block"},
      {"local memory", "shared memory"},
      {"Local memory", "Shared memory"},
      {"local size", "block size"},
      {"global size", "number of threads"},
      {"NDRange", "grid"},
      {"sub-group", "warp"},
      {"get_global_id(0)", "threadIdx.x"},
      {"get_global_id", "blockIdx and threadIdx"},
      {"CL_DEVICE_MAX_COMPUTE_UNITS", "multiProcessorCount"}, // all that decides a launch
      {"others of the group", "others of the block"},
      {"execute in lockstep", "of a warp execute"},
  });
  for (const auto &[opencl, cuda] : kWords)
    for (size_t at = 0; (at = text.find(opencl, at)) != std::string::npos; at += cuda.size())
      text.replace(at, opencl.size(), cuda);
  return text;
}

std::string exchangeNote(std::string_view sourceKind) {
  return std::string(sourceKind == "cuda" ? "threads of one warp exchange values in shared memory "
                                            "with no barrier or __syncwarp()"
                                          : "work-items that a device may run in step exchange "
                                            "values in local memory with no barrier") +
         " between: the simulator runs them one after another, so results may be wrong";
}

std::string sourceKindOfAll(std::span<const std::string_view> kinds) {
  const bool alike = !kinds.empty() && std::ranges::all_of(kinds, [&](std::string_view kind) {
    return kind == kinds.front();
  });
  return alike ? std::string(kinds.front()) : std::string();
}

} // namespace aiwc::profile
