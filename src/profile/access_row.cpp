#include "profile/access_row.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace aiwc::profile {

namespace {

constexpr std::array<std::string_view, kIdiomCount> kIdiomKeys = {
    "stream",    "gather",    "scatter", "gather_scatter",
    "transpose", "reduction", "stencil", "matrix_multiply"};
constexpr std::array<std::string_view, 3> kKindKeys = {"read", "write", "atomic"};
constexpr std::array<std::string_view, 3> kSpaceKeys = {"global", "constant", "local"};

template <typename Enum, size_t N>
std::optional<Enum> valueOf(const std::array<std::string_view, N> &keys, std::string_view key) {
  const auto *const found = std::ranges::find(keys, key);
  if (found == keys.end())
    return std::nullopt;
  return static_cast<Enum>(found - keys.begin());
}

} // namespace

std::string_view toString(Idiom idiom) {
  return kIdiomKeys[static_cast<size_t>(idiom)];
}
std::optional<Idiom> idiomOf(std::string_view key) {
  return valueOf<Idiom>(kIdiomKeys, key);
}
std::string_view toString(AccessKind kind) {
  return kKindKeys[static_cast<size_t>(kind)];
}
std::optional<AccessKind> accessKindOf(std::string_view key) {
  return valueOf<AccessKind>(kKindKeys, key);
}
std::string_view toString(MemorySpace space) {
  return kSpaceKeys[static_cast<size_t>(space)];
}
std::optional<MemorySpace> memorySpaceOf(std::string_view key) {
  return valueOf<MemorySpace>(kSpaceKeys, key);
}

std::vector<IdiomInstance> idiomInstances(const std::vector<AccessRow> &accesses) {
  using Place = std::tuple<Idiom, std::string, uint64_t>;
  std::vector<IdiomInstance> instances;
  std::map<Place, size_t> places;
  for (const AccessRow &row : accesses) {
    if (!row.idiom)
      continue;
    const auto [place, isNew] =
        places.try_emplace({*row.idiom, row.function, row.loop}, instances.size());
    if (isNew) {
      instances.emplace_back();
      instances.back().idiom = *row.idiom;
      instances.back().function = row.function;
      instances.back().loop = row.loop;
    }
    IdiomInstance &instance = instances[place->second];
    (row.space == MemorySpace::kLocal ? instance.localBytes : instance.bytes) += row.bytes;
    instance.accesses.push_back(&row);
  }
  for (IdiomInstance &instance : instances) {
    std::map<std::string, uint64_t> footprints;
    std::set<std::string> arrays;
    for (const AccessRow *row : instance.accesses) {
      if (!row->array.empty())
        arrays.insert(row->array);
      if (row->space == MemorySpace::kLocal)
        continue;
      if (row->array.empty()) { // unnamed rows need not be of the same memory
        instance.footprint += row->footprint;
        continue;
      }
      uint64_t &footprint = footprints[row->array];
      footprint = std::max(footprint, row->footprint);
    }
    for (const auto &[array, footprint] : footprints)
      instance.footprint += footprint;
    instance.arrays.assign(arrays.begin(), arrays.end());
  }
  std::ranges::stable_sort(instances, {}, &IdiomInstance::idiom);
  return instances;
}

} // namespace aiwc::profile
