// How functions of the runtime report errors to the boundary (api.h).
#pragma once

#include "driver_types.h"

namespace aiwc::cuda {

/// Becomes the result of the API's function.
struct Failure {
  cudaError_t error;
};

/// Fails with `error` unless the condition holds.
inline void require(bool condition, cudaError_t error) {
  if (!condition)
    throw Failure{error};
}

/// One line on standard error. A program keeps its standard output.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

} // namespace aiwc::cuda
