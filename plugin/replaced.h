/// For the parts of the preloaded library: the functions of Oclgrind that they replace.
#pragma once

#include "opencl_api/functions.h"

#include <cstddef>
#include <cstring>
#include <string_view>

namespace aiwc::plugin {

/// Oclgrind's functions of OpenCL, also those that this library replaces. One that Oclgrind lacks
/// ends the process when it is called.
const opencl::Functions &oclgrindApi();

/// The function of a C++ class of Oclgrind's that this library replaces, by its symbol. Ends the
/// process if there is none.
void *replacedFunction(const char *symbol);

template <typename Function> Function replaced(const char *symbol) {
  return reinterpret_cast<Function>(replacedFunction(symbol));
}

/// Copies an answer to one of OpenCL's questions to `value`, which has `room` bytes, and its size
/// to `valueBytes`; both may be null. CL_INVALID_VALUE if the answer does not fit.
inline cl_int copyAnswer(std::string_view answer, size_t room, void *value, size_t *valueBytes) {
  if (valueBytes)
    *valueBytes = answer.size();
  if (!value)
    return CL_SUCCESS;
  if (room < answer.size())
    return CL_INVALID_VALUE;
  std::memcpy(value, answer.data(), answer.size());
  return CL_SUCCESS;
}

/// Prints one line on the standard error that the process was started with.
void sayFromPreload(const char *line) noexcept;

} // namespace aiwc::plugin
