/// For the parts of the preloaded library: the functions of Oclgrind that they replace.
#pragma once

#include "device_questions.h" // includes OpenCL's header in the version that we answer

#include <cstddef>
#include <cstring>
#include <string_view>

namespace aiwc::plugin {

/// The function of Oclgrind's that this library replaces: of OpenCL by its name, of a C++ class by
/// its symbol. Ends the process if there is none.
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
