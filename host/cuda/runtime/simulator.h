// The simulator as OpenCL shows it: the device, a queue, and buffers with their addresses.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <string>

namespace aiwc::cuda {

class Simulator {
public:
  /// Null if the process does not run under `aiwc run`. `optInBytes`: the most shared memory of a
  /// block of an NVIDIA GPU, which a kernel gets if the program asks for it; OpenCL shows less.
  static std::unique_ptr<Simulator> find(size_t optInBytes);

  struct Buffer {
    cl_mem memory = nullptr;
    size_t address = 0; ///< what kernels see
  };
  /// Fails if memory is short. `host`: memory of the host that the buffer shall be; else null.
  Buffer create(size_t bytes, void *host = nullptr) const;
  void release(cl_mem buffer) const { clReleaseMemObject(buffer); }

  /// Waits for what was enqueued. Fails unless `status` and the wait are successes.
  void finish(cl_int status) const;

  template <typename Value> Value ask(cl_device_info question) const {
    Value value{};
    clGetDeviceInfo(device, question, sizeof value, &value, nullptr);
    return value;
  }
  std::string name() const;

  // Never released: the process may end at any time, and the simulator before this library.
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  // Limits of the device.
  size_t maxBlockThreads = 0, globalBytes = 0;
  size_t sharedBytes = 0;        ///< at most, of a block
  size_t unaskedSharedBytes = 0; ///< of a block if the program asks for no more

private:
  size_t (*addressOfLastBuffer_)() = nullptr; ///< the preloaded library's
};

} // namespace aiwc::cuda
