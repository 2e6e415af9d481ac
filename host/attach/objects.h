/// What is known of an application's OpenCL objects: its queues, kernels and memory.
#pragma once

#include "opencl_api/functions.h"
#include "run/launch.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace aiwc::attach {

/// A command queue.
struct Queue {
  cl_device_id device = nullptr;
  std::string deviceName;
  bool isTimed = false; ///< measures its commands
  bool isOurs = false;  ///< whether it does so because of us: the application must not see it
  bool isInOrder = true;
  /// The properties that the application gave, with the 0 at their end; empty if it gave none, or
  /// made the queue by clCreateCommandQueue.
  std::vector<cl_queue_properties> properties;
};

/// The value of a kernel's argument, as it was set.
struct SetArgument {
  size_t bytes = 0;
  std::vector<unsigned char> value; ///< empty: local memory of this many bytes

  /// The value as the handle of memory; null if it has another size.
  cl_mem handle() const;
};

struct AttachedKernel {
  std::string name;
  cl_program program = nullptr;
  profile::LaunchIdentity identity; ///< of the program: source kind and hash, build options
  /// The program's text, or its SPIR-V; null: it has neither.
  std::shared_ptr<const std::string> source;
  bool isSpirv = false;
  cl_uint parameters = 0;
  std::map<cl_uint, SetArgument> arguments;
  bool hasPointers = false; ///< whether an argument is a pointer to shared virtual memory
  uint64_t launches = 0;
};

struct Memory {
  uint64_t bytes = 0;
  bool isImage = false;
  uint64_t number = 0; ///< the allocation's, from 0; of a sub-buffer, its buffer's
  /// Whether anything may have been written to the allocation: until then its bytes are undefined.
  bool hasContent = true;
  bool isReadOnly = false; ///< by kernels
};

/// Thread-safe. Functions that take a handle that is not known ask the driver.
class Objects {
public:
  explicit Objects(const opencl::Functions &opencl) : opencl_(opencl) {}

  void addQueue(cl_command_queue handle, Queue queue);
  Queue queue(cl_command_queue handle);
  void addKernel(cl_kernel handle);
  /// A kernel that has the arguments of another.
  void addClone(cl_kernel handle, cl_kernel of);
  void setArgument(cl_kernel handle, cl_uint index, size_t bytes, const void *value);
  void setPointer(cl_kernel handle);
  /// The kernel for its next launch, which it counts.
  AttachedKernel nextLaunch(cl_kernel handle);
  /// `flags`: those with which it was made.
  void addBuffer(cl_mem handle, uint64_t bytes, cl_mem_flags flags, cl_mem parent = nullptr);
  void addImage(cl_mem handle, uint64_t bytes);
  /// Something was written, or may have been.
  void written(cl_mem handle);
  /// A kernel with these arguments was launched, and may have written to them.
  void launched(const AttachedKernel &kernel);
  /// The application has functions that the layer does not see: any memory may be written from now
  /// on.
  void hasUnknownFunctions();
  std::optional<Memory> memory(cl_mem handle);

private:
  AttachedKernel &kernelOf(cl_kernel handle);
  std::string deviceName(cl_device_id device) const;

  const opencl::Functions &opencl_;
  std::mutex mutex_;
  std::unordered_map<cl_command_queue, Queue> queues_;
  std::unordered_map<cl_kernel, AttachedKernel> kernels_;
  std::unordered_map<std::string, uint64_t> launches_; ///< by the kernel's name
  std::unordered_map<cl_mem, Memory> memory_;
  std::vector<bool> hasContent_; ///< of each allocation
  bool areAllSeen_ = true;       ///< functions that write to memory
};

/// The arguments of a launch as run.json has them, without names and types.
std::vector<run::Argument> argumentsOf(const AttachedKernel &kernel, Objects &objects);

} // namespace aiwc::attach
