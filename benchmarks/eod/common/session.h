#pragma once

#include "eod/common/application.h"
#include "eod/common/device.h"
#include "eod/common/measurements.h"

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace aiwc::eod {

/// Local memory that a launch hands to a kernel.
struct LocalMemory {
  size_t bytes;
};

/// An application on a device: its program, its buffers, an in-order queue, and the times of its
/// launches and transfers. Every OpenCL failure is an Error that names the call and its object.
class Session {
public:
  /// Builds `program`, OpenCL C or a binary, for the first of the local sizes that the compiled
  /// kernels accept, and allocates the buffers. Throws UsageError if no local size is accepted or
  /// the buffers do not fit.
  Session(const Device &device, const Application &application,
          const std::vector<size_t> &localSizes, std::string_view program);

  size_t localSize() const { return localSize_; }
  const std::string &buildOptions() const { return buildOptions_; }
  const Device &device() const { return device_; }
  Recorder &recorder() { return recorder_; }

  /// One of the application's allocations, as a kernel argument. Throws Error for another name.
  cl_mem buffer(const std::string &name) const;

  /// Copies all of `values` to the beginning of the buffer.
  template <typename T> void write(const std::string &name, const std::vector<T> &values) {
    transfer(name, const_cast<T *>(values.data()), values.size() * sizeof(T), true);
  }
  /// Fills all of `values` from the beginning of the buffer, after everything launched so far.
  template <typename T> void read(const std::string &name, std::vector<T> &values) {
    transfer(name, values.data(), values.size() * sizeof(T), false);
  }

  /// Enqueues the kernel. Arguments: buffers, LocalMemory, or values of exactly the type that the
  /// kernel declares (cl_uint, cl_float, ...).
  template <typename... Arguments>
  void launch(const std::string &kernel, const NdRange &range, const Arguments &...arguments) {
    cl_uint index = 0;
    (setArgument(kernel, index++, arguments), ...);
    enqueue(kernel, range);
  }

  /// Waits for all launches so far and records their times.
  void finish();

private:
  struct Pending {
    Owned<cl_event> event;
    size_t row;
  };

  template <typename T> void setArgument(const std::string &kernel, cl_uint index, const T &value) {
    static_assert(std::is_same_v<T, cl_mem> || std::is_arithmetic_v<T>);
    setArgument(kernel, index, sizeof value, &value);
  }
  void setArgument(const std::string &kernel, cl_uint index, const LocalMemory &memory) {
    setArgument(kernel, index, memory.bytes, nullptr);
  }
  void setArgument(const std::string &kernel, cl_uint index, size_t bytes, const void *value);
  void create(std::string_view program);
  void build(const Description &about, std::string_view program);
  uint64_t workItemsOfKernels() const;
  void enqueue(const std::string &kernel, const NdRange &range);
  void transfer(const std::string &name, void *data, size_t bytes, bool toDevice);
  cl_kernel kernel(const std::string &name) const;

  Device device_;
  std::string application_;
  size_t localSize_ = 0;
  std::string buildOptions_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
  Owned<cl_program> program_;
  std::map<std::string, Owned<cl_kernel>> kernels_;
  std::map<std::string, Owned<cl_mem>> buffers_;
  std::vector<Pending> pending_;
  Recorder recorder_;
};

} // namespace aiwc::eod
