/// Answers of OpenCL's clGet...Info functions, about an object or about a kernel and a device.
/// Headers only, without exceptions of their own.
#pragma once

#include "opencl_api/functions.h"

#include <cstddef>
#include <string>

namespace aiwc::opencl {

/// A number or a handle; `otherwise` if the function fails.
template <typename Value, typename Function, typename... Objects>
Value askOr(Value otherwise, Function function, cl_uint question, Objects... objects) {
  Value value{};
  // NOLINTNEXTLINE(bugprone-sizeof-expression): handles are answers, too
  return function(objects..., question, sizeof value, &value, nullptr) == CL_SUCCESS ? value
                                                                                     : otherwise;
}

/// Empty if the function fails.
template <typename Function, typename... Objects>
std::string askBytes(Function function, cl_uint question, Objects... objects) {
  size_t size = 0;
  if (function(objects..., question, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return "";
  std::string bytes(size, '\0');
  return function(objects..., question, size, bytes.data(), nullptr) == CL_SUCCESS ? bytes : "";
}

/// The bytes up to the first zero.
template <typename Function, typename... Objects>
std::string askText(Function function, cl_uint question, Objects... objects) {
  const std::string bytes = askBytes(function, question, objects...);
  return bytes.substr(0, bytes.find('\0'));
}

} // namespace aiwc::opencl
