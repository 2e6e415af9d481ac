/// How work-items are divided in the simulator. Headers only: the plugin and the preloaded library
/// include this file.
#pragma once

#include <cstdlib>
#include <cstring>

namespace aiwc::plugin {

/// The most work-items of a group, as Oclgrind reads it.
inline unsigned long mostWorkItems() noexcept {
  constexpr unsigned long kDefault = 1024;
  const char *text = std::getenv("OCLGRIND_MAX_WGSIZE");
  const unsigned long most = text ? std::strtoul(text, nullptr, 10) : 0;
  return most > 0 ? most : kDefault;
}

/// Work-items of a sub-group: the preferred multiple of the device that the launcher describes
/// (apps/launcher/characterise.cpp) if it is a power of two up to 128; otherwise 32.
inline unsigned long subGroupSize() noexcept {
  constexpr unsigned long kDefault = 32, kMost = 128;
  const char *text = std::getenv("AIWC_DEVICE");
  const char *key = text ? std::strstr(text, "multiple=") : nullptr;
  const unsigned long size = key ? std::strtoul(key + std::strlen("multiple="), nullptr, 10) : 0;
  return size > 1 && size <= kMost && (size & (size - 1)) == 0 ? size : kDefault;
}

} // namespace aiwc::plugin
