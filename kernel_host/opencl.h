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
#include <type_traits>
#include <vector>

namespace aiwc::kernel_host {

template <typename Handle> using Owned = std::shared_ptr<std::remove_pointer_t<Handle>>;

/// Throws Error unless `status` is CL_SUCCESS.
void check(cl_int status, const char *function);

class Device {
public:
  /// The first one of OpenCL.
  Device();

  cl_device_id id() const { return id_; }
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }
  /// Memory with these bytes. `address`: what kernels see, if it is asked for.
  Owned<cl_mem> buffer(const std::string &bytes, size_t *address = nullptr) const;
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

  /// The kernel that the user calls `name`; empty: the only one. Throws Error, with the names of
  /// the others.
  Owned<cl_kernel> kernel(const std::string &name) const;
  /// Of a kernel of this program.
  kernel_launch::Signature signatureOf(cl_kernel kernel) const;
  /// Sets what a kernel of CUDA takes after its declared arguments.
  void setHidden(cl_kernel kernel, size_t sharedBytes) const;

private:
  void placeVariables(const Device &device);
  const cuda::Image::Kernel *cudaEntry(const std::string &name) const;

  std::string file_;
  std::string source_; ///< empty of a binary
  std::vector<std::string> names_;
  std::optional<cuda::Image> cuda_;
  Owned<cl_program> program_;
  std::array<Owned<cl_mem>, std::size(cuda::kSymbolSpaces)> variables_; ///< of CUDA
};

} // namespace aiwc::kernel_host
