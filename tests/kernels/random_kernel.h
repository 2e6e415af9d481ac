/// OpenCL C kernels made at random, for engines that have to agree on every one of them.
#pragma once

#include <cstdint>
#include <string>

namespace aiwc::test {

struct RandomKernel {
  std::string source;     ///< of random.cl, one kernel
  std::string simulation; ///< of the file for oclgrind-kernel
};

/// Every index is within its buffer, every work-item of a group meets the same barriers, and no two
/// work-items touch the same element without an atomic or a barrier between them. What overflows is
/// left to the compiler in front of the engines. It avoids what Oclgrind computes from memory that
/// it never wrote (`max` of a vector and a scalar). The same `seed` makes the same kernel
/// everywhere.
RandomKernel randomKernel(uint64_t seed);

} // namespace aiwc::test
