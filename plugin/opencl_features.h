/// What the simulator has of OpenCL 2 and 3 beyond Oclgrind, for the preloaded library only.
#pragma once

#include "device_questions.h"

#include <optional>
#include <string>
#include <string_view>

namespace aiwc::plugin {

/// The bytes of a number, as an answer of OpenCL has them.
template <typename T> std::string bytesOf(T value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

/// The bytes of the answer to clGetDeviceInfo; none if Oclgrind's answer is right. `oclgrinds`:
/// Oclgrind's answer to CL_DEVICE_EXTENSIONS. `hasDouble`: whether the device that the application
/// sees computes with double.
std::optional<std::string> featureAnswer(cl_device_info parameter, std::string_view oclgrinds,
                                         bool hasDouble);

} // namespace aiwc::plugin
