/// Programs of all kinds in the simulator, their kernels, and memory whose address kernels see.
#pragma once

#include "kernel_host/program.h"
#include "kernel_launch/signature.h"
#include "opencl_host/opencl.h"

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_host {

using opencl::Device;
using opencl::Owned;

struct Buffer {
  Owned<cl_mem> memory;
  size_t address = 0; ///< what kernels see
};

/// What kernels see of the buffer or image that was made last. Throws Error outside of the
/// simulator.
size_t addressOfLastBuffer();

/// Memory with these bytes.
Buffer bufferWith(const Device &device, const std::string &bytes);
/// What it holds now.
std::string contentsOf(const Device &device, cl_mem buffer, size_t bytes);

/// A program that is built, and its kernels.
class BuiltProgram {
public:
  /// Throws Error, which begins with `file`.
  BuiltProgram(const Device &device, std::string file, const ProgramText &text,
               const std::string &options);

  /// As the user calls it.
  const std::string &file() const { return file_; }
  /// What its work-items are called.
  std::string_view itemNoun() const { return cuda_ ? "thread" : "work-item"; }
  /// The kernel that the user calls `name`; empty: the only one. Throws Error, with the names of
  /// the others.
  Owned<cl_kernel> kernel(const std::string &name) const;
  /// Of a kernel of this program.
  kernel_launch::Signature signatureOf(cl_kernel kernel) const;
  /// Sets what a kernel of CUDA takes after its declared arguments.
  void setHidden(cl_kernel kernel, size_t sharedBytes) const;

private:
  void build(const Device &device, const ProgramText &text, const std::string &options);
  void placeVariables(const Device &device);
  kernel_launch::Parameter parameterIn(const std::string &name, cl_kernel kernel,
                                       cl_uint index) const;
  const cuda::DeviceCode::Kernel *cudaEntry(const std::string &name) const;

  std::string file_;
  std::string source_; ///< empty of a binary
  std::vector<std::string> names_;
  std::optional<cuda::DeviceCode> cuda_;
  Owned<cl_program> program_;
  std::array<Owned<cl_mem>, std::size(cuda::kSymbolSpaces)> variables_; ///< of CUDA
};

} // namespace aiwc::kernel_host
