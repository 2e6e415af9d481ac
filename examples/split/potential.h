#pragma once

#include "eod/common/opencl.h"
#include "eod/gem/gem_reference.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::examples {

inline constexpr char kKernel[] = "calc_potential_single_step";

/// The input of the suite's `gem`: the potential of a molecule at the vertices of its surface.
struct Problem {
  eod::gem::Molecule molecule;
  eod::gem::Surface surface;
  eod::gem::Coefficients coefficients{};
  std::vector<float> atoms; ///< x, y, z and charge of each
  size_t vertices = 0;
  size_t localSize = 0;

  /// Work-items of the whole NDRange: a vertex each, up to whole work-groups.
  size_t workItems() const { return (vertices + localSize - 1) / localSize * localSize; }
};

Problem makeProblem(uint32_t atoms, uint32_t vertices, size_t localSize, uint64_t seed);

/// A device with the kernel and its data: everything between the host and one share of the NDRange.
/// Each has a context of its own, so that devices of different platforms do.
class Part {
public:
  Part(cl_device_id device, const Problem &problem);

  /// Enqueues and does not wait: the input, the kernel over `size` work-items from `offset`, and
  /// the return of what they compute into `potential`, which has room for all vertices and
  /// belongs to this part until finish().
  void start(size_t offset, size_t size, std::vector<float> &potential);
  void finish();
  /// Of the kernel that finish() waited for.
  double kernelSeconds() const;

private:
  void write(cl_mem buffer, const std::vector<float> &values, size_t first, size_t count);

  const Problem &problem_;
  eod::Owned<cl_context> context_;
  eod::Owned<cl_command_queue> queue_;
  eod::Owned<cl_program> program_;
  eod::Owned<cl_kernel> kernel_;
  eod::Owned<cl_mem> atoms_, x_, y_, z_, potential_;
  eod::Owned<cl_event> event_;
};

} // namespace aiwc::examples
