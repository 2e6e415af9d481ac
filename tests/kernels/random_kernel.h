/// OpenCL C kernels made at random, for engines that have to agree on every one of them.
#pragma once

#include <cstdint>
#include <string>

namespace aiwc::test {

struct RandomKernel {
  std::string name;   ///< random_<seed>
  std::string source; ///< goes behind `randomPrelude()`, with any other kernels
  unsigned global[2], local[2];
  bool isFaulty = false; ///< accesses memory outside of a buffer
  /// Whether the result is the same in any order of its work-items, on any device.
  bool isRaceFree = false;
  std::string arguments = "-"; ///< which of run_kernels.cpp's it takes
};

/// What every random kernel needs in front of it, once.
std::string randomPrelude();

/// Every index is within its buffer, every work-item of a group meets the same barriers, and no two
/// work-items touch the same element without an atomic or a barrier between them. What overflows is
/// left to the compiler in front of the engines. It avoids what Oclgrind computes from memory that
/// it never wrote (`max` of a vector and a scalar). The same `seed` makes the same kernel
/// in every build by one compiler. Its arguments are those that run_kernels.cpp sets.
RandomKernel randomKernel(uint64_t seed);

/// A kernel as generators of code make them, named random_large_<seed>: with up to 1024 work-items
/// in a group, hundreds of values that live at once, a chain of up to 200 calls, 64 KiB of private
/// arrays, and barriers in nested loops. Otherwise as `randomKernel`.
RandomKernel randomLargeKernel(uint64_t seed);

/// A kernel, named random_wide_<seed>, whose work-items mostly do the same at addresses that follow
/// one another, or nearly: rows that end elsewhere, indices that wrap, stand still or run
/// backwards, loops and branches that few work-items leave, NaNs, several work-items that write to
/// one element or read what others write. Oclgrind runs one after another, so that even then the
/// result is determined.
RandomKernel randomWideKernel(uint64_t seed);

/// A kernel, named random_memory_<seed>, whose point is what is where: two arguments for one
/// buffer, or for parts of it; stores of several widths that overlap, each other by one, or follow
/// without a gap; unions; groups that loop on what earlier groups have left; returns behind the
/// last barrier. All integers. Those without races also run on devices.
RandomKernel randomMemoryKernel(uint64_t seed);

/// The same, named random_generic_<seed>, in OpenCL C 2 with generic pointers and functions of
/// work-groups.
RandomKernel randomGenericKernel(uint64_t seed);

} // namespace aiwc::test
