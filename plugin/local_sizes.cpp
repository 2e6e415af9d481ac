#include "plugin/local_sizes.h"

#include "plugin/hooks.h"
#include "plugin/messages.h"
#include "plugin/sub_groups.h"
#include "profile/kernel_profile.h"
#include "simulator/compat.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace aiwc::plugin {
namespace {

using profile::Size3;

/// The most work-items of a work-group whose size the application leaves open.
constexpr uint64_t kSuitableItems = 256;

/// A work-group of a multiple of this many work-items leaves no lane of a device idle.
constexpr uint64_t kLanes = 32;

std::vector<LocalSize> &usersLocalSizes() {
  static auto *instance = new std::vector<LocalSize>; // it outlives every static destructor
  return *instance;
}

thread_local bool localSizeLeftOpen = false;

bool divides(const Size3 &local, const size_t *globalSize, uint32_t workDim) {
  for (uint32_t i = 0; i < workDim; ++i)
    if (local[i] == 0 || globalSize[i] % local[i] != 0)
      return false;
  return true;
}

/// A local size for an NDRange of `workDim` dimensions: in each dimension, x first, the largest
/// divisor of the global size with which a work-group has at most `most` work-items, and a multiple
/// of 32 if there is one. Dimensions that the NDRange does not have are 1.
Size3 suitableLocalSize(uint32_t workDim, const Size3 &globalSize, uint64_t most) {
  Size3 local = {1, 1, 1};
  uint64_t items = 1;
  for (uint32_t i = 0; i < workDim; ++i) {
    for (uint64_t size = std::min(globalSize[i], most / items); size > 1; --size) {
      if (globalSize[i] % size != 0)
        continue;
      local[i] = std::max(local[i], size);
      if (items * size % kLanes == 0) {
        local[i] = size;
        break;
      }
    }
    items *= local[i];
  }
  return local;
}

/// The same where work-groups need not be equal, as in OpenCL 2: if no divisor fills the lanes of a
/// device, the last groups of a dimension are smaller.
Size3 suitableLocalSize(const oclgrind::Kernel &kernel, uint32_t workDim, const Size3 &globalSize,
                        uint64_t most) {
  Size3 local = suitableLocalSize(workDim, globalSize, most);
  const auto items = [](const Size3 &size) { return size[0] * size[1] * size[2]; };
  if (kernel.requiresUniformWorkGroups() || items(local) >= std::min(kLanes, items(globalSize)))
    return local;
  for (uint32_t i = 0; i < workDim; ++i) {
    local[i] = std::min(globalSize[i], most);
    most /= local[i];
  }
  return local;
}

/// Says once for each kernel that a launch of it keeps its local size, and why.
void sayItDoesNotFit(const LocalSize &users, bool hasOnly, std::span<const size_t> globalSize) {
  static auto *told = new std::set<std::string>; // it outlives every static destructor
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (!told->insert(users.kernel).second)
    return;
  const std::string size =
      fmt::format("{}", fmt::join(std::span(users.size).first(users.dimensions), "x"));
  say(asTyped(
      fmt::format("aiwc: --aiwc-local-size {}={} has no effect on a launch of {} work-items: {}\n",
                  users.kernel, size, fmt::join(globalSize, "x"),
                  hasOnly ? "the kernel requires another one"
                          : "expected a size of as many dimensions, which divides these")));
}

/// Called by the preloaded library before a launch (plugin/preload.cpp).
void chooseLocalSize(const oclgrind::Kernel *kernel, unsigned int workDim, const size_t *globalSize,
                     size_t *localSize, bool isLeftOpen) {
  localSizeLeftOpen = false;
  size_t required[3] = {0, 0, 0};
  kernel->getRequiredWorkGroupSize(required);
  const Size3 only = {required[0], required[1], required[2]};
  const bool hasOnly = required[0] != 0;
  const auto users = std::ranges::find(usersLocalSizes(), kernel->getName(), &LocalSize::kernel);
  if (users != usersLocalSizes().end()) {
    if (!hasOnly && users->dimensions == workDim && divides(users->size, globalSize, workDim)) {
      std::copy_n(users->size.begin(), workDim, localSize);
      return;
    }
    if (users->dimensions != workDim ||
        !std::equal(required, required + workDim, users->size.begin()))
      sayItDoesNotFit(*users, hasOnly, std::span(globalSize, workDim));
  }
  const Size3 global = {globalSize[0], globalSize[1], globalSize[2]};
  const bool isOneItem = global == Size3{1, 1, 1};
  if (!isLeftOpen || isOneItem || (hasOnly && !divides(only, globalSize, workDim)))
    return;
  const Size3 chosen = hasOnly ? only
                               : suitableLocalSize(*kernel, workDim, global,
                                                   std::min(kSuitableItems, mostWorkItems()));
  std::copy_n(chosen.begin(), workDim, localSize);
  localSizeLeftOpen = !hasOnly; // else every device takes this size
}

} // namespace

bool chooseLocalSizes(const std::vector<LocalSize> &users) {
  Hooks *const hooks = preloadedHooks();
  if (!hooks)
    return false;
  if (usersLocalSizes().empty()) // else another thread may be reading them
    usersLocalSizes() = users;
  hooks->chooseLocalSize = chooseLocalSize;
  return true;
}

bool takeLocalSizeLeftOpen() {
  return std::exchange(localSizeLeftOpen, false);
}

} // namespace aiwc::plugin
