/// OpenCL's objects, released by themselves, and its failures as errors.
#pragma once

#define CL_TARGET_OPENCL_VERSION 210      // for programs in SPIR-V
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS // all else is of OpenCL 1.2
#include "kernel_host/program.h"
#include "kernel_launch/signature.h"

#include <CL/cl.h>

#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace aiwc::kernel_host {

template <typename Handle> using Owned = std::shared_ptr<std::remove_pointer_t<Handle>>;

/// Throws Error unless `status` is CL_SUCCESS.
void check(cl_int status, const char *function);

struct Buffer {
  Owned<cl_mem> memory;
  size_t address = 0; ///< what kernels see; 0 outside of the simulator
};

/// What kernels see of the buffer or image that was made last. Throws Error outside of the
/// simulator.
size_t addressOfLastBuffer();

class Device {
public:
  /// The first one of OpenCL.
  Device();

  cl_device_id id() const { return id_; }
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }
  /// Memory with these bytes.
  Buffer buffer(const std::string &bytes) const;
  /// What it holds now.
  std::string read(cl_mem buffer, size_t bytes) const;

private:
  cl_device_id id_ = nullptr;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
};

/// A program that is built, and its kernels.
class Program {
public:
  /// Throws Error, which begins with `file`.
  Program(const Device &device, std::string file, const ProgramText &text,
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
  const cuda::Image::Kernel *cudaEntry(const std::string &name) const;

  std::string file_;
  std::string source_; ///< empty of a binary
  std::vector<std::string> names_;
  std::optional<cuda::Image> cuda_;
  Owned<cl_program> program_;
  std::array<Owned<cl_mem>, std::size(cuda::kSymbolSpaces)> variables_; ///< of CUDA
};

} // namespace aiwc::kernel_host
