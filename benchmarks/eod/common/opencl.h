#pragma once

#include "eod/common/error.h"

#include <CL/cl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace aiwc::eod {

/// "CL_INVALID_VALUE (-30)"; for codes that OpenCL 1.2 does not define "unknown error (-9999)".
std::string errorName(cl_int code);

/// Throws Error, "<call>: <name of the code>", if the code is not CL_SUCCESS. `call` names the
/// OpenCL function and, in parentheses, its purpose.
void check(cl_int code, std::string_view call);

/// Releases an OpenCL object with the function that belongs to its type.
struct Release {
  void operator()(cl_context object) const { clReleaseContext(object); }
  void operator()(cl_command_queue object) const { clReleaseCommandQueue(object); }
  void operator()(cl_program object) const { clReleaseProgram(object); }
  void operator()(cl_kernel object) const { clReleaseKernel(object); }
  void operator()(cl_mem object) const { clReleaseMemObject(object); }
  void operator()(cl_event object) const { clReleaseEvent(object); }
};

/// The owner of one reference to an OpenCL object.
template <typename Object> using Owned = std::unique_ptr<std::remove_pointer_t<Object>, Release>;

/// The result of a clGet...Info function as a value of a fixed-size type.
template <typename T, typename Function, typename... Objects>
T info(std::string_view call, Function function, cl_uint what, Objects... objects) {
  T value{};
  check(function(objects..., what, sizeof(T), &value, nullptr), call);
  return value;
}

/// The result of a clGet...Info function as text, without trailing zeros and blanks.
template <typename Function, typename... Objects>
std::string infoText(std::string_view call, Function function, cl_uint what, Objects... objects) {
  size_t size = 0;
  check(function(objects..., what, 0, nullptr, &size), call);
  std::string text(size, '\0');
  check(function(objects..., what, size, text.data(), nullptr), call);
  text.erase(text.find_last_not_of(std::string_view(" \n\0", 3)) + 1);
  return text;
}

} // namespace aiwc::eod
