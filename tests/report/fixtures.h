/// What the tests of pages are made of.
#pragma once

#include "predict/device_profile.h"
#include "predict/machines.h"
#include "profile/kernel_profile.h"

#include <cstddef>
#include <string>
#include <utility>

namespace aiwc::test {

/// A GPU with what the published model needs.
inline predict::DeviceProfile gpu(const std::string &id) {
  predict::DeviceProfile device = namedDevice(id);
  device.type = predict::DeviceType::kGpu;
  device.vendor = "NVIDIA";
  using predict::Parameter;
  for (const auto &[parameter, value] : {std::pair{Parameter::kCores, 1024.0},
                                         {Parameter::kCacheCapacity, 1048576.0},
                                         {Parameter::kCacheBandwidth, 2000.0},
                                         {Parameter::kDramBandwidth, 200.0},
                                         {Parameter::kLaneWidth, 32.0},
                                         {Parameter::kClock, 1.5},
                                         {Parameter::kFp32Rate, 3.0},
                                         {Parameter::kFp64Rate, 0.5}})
    device.set(parameter, value, "made up");
  return device;
}

inline profile::KernelProfile profileNamed(const std::string &name) {
  profile::KernelProfile profile = kernelOf(triad());
  profile.provenance.kernel = name;
  return profile;
}

/// How often `part` occurs in `text`.
inline size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// A name that attacks the page.
inline constexpr const char *kHostile =
    "</script><script>alert(1)</script>&amp;<!--<script \x01\xff\xc3(";

} // namespace aiwc::test
