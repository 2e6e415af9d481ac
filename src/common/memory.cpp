#include "common/memory.h"

#include "common/file.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>

namespace aiwc {

namespace {

/// The number that `file` begins with.
std::optional<uint64_t> numberIn(const std::string &file) {
  uint64_t number = 0;
  if (std::istringstream(readFileIfAny(file).value_or("")) >> number)
    return number;
  return std::nullopt;
}

/// The sum of the numbers behind these words of `file`; none if it has not got the first one.
std::optional<uint64_t> sumIn(const std::string &file,
                              std::initializer_list<std::string_view> names) {
  std::optional<uint64_t> sum;
  std::istringstream words(readFileIfAny(file).value_or(""));
  for (std::string word; words >> word;)
    if (uint64_t number = 0; std::ranges::find(names, word) != names.end() && words >> number)
      sum = sum.value_or(0) + number;
  return sum;
}

uint64_t leftOf(uint64_t most, uint64_t used) {
  return most - std::min(most, used);
}

/// Of a container, by version 2 or 1 of control groups. What it has cached of files makes room.
uint64_t leftInContainer() {
  const std::string folder = "/sys/fs/cgroup/", older = folder + "memory/";
  uint64_t left = UINT64_MAX;
  const auto take = [&](const std::string &most, const std::string &used, const std::string &stat,
                        std::initializer_list<std::string_view> cached) {
    if (const auto all = numberIn(most), taken = numberIn(used); all && taken)
      left = std::min(left, leftOf(*all, leftOf(*taken, sumIn(stat, cached).value_or(0))));
  };
  take(folder + "memory.max", folder + "memory.current", folder + "memory.stat",
       {"inactive_file", "active_file"});
  take(older + "memory.limit_in_bytes", older + "memory.usage_in_bytes", older + "memory.stat",
       {"total_inactive_file", "total_active_file"});
  return left;
}

uint64_t leftOfAddresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return UINT64_MAX;
  const auto pages = numberIn("/proc/self/statm").value_or(0);
  return leftOf(limit.rlim_cur, pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)));
}

} // namespace

std::optional<uint64_t> availableMemory(Swap swap) {
  constexpr uint64_t kUnit = 1024;
  const std::string file = "/proc/meminfo";
  const auto ofMachine = swap == Swap::kIncluded ? sumIn(file, {"MemAvailable:", "SwapFree:"})
                                                 : sumIn(file, {"MemAvailable:"});
  if (!ofMachine)
    return std::nullopt;
  return std::min({*ofMachine * kUnit, leftInContainer(), leftOfAddresses()});
}

} // namespace aiwc
