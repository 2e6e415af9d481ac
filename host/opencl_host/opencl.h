/// What a program needs to run kernels: OpenCL's functions, objects that release themselves,
/// failures as errors, and a device with its queue.
#pragma once

#include "common/error.h"
#include "opencl_api/answers.h"
#include "opencl_api/functions.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

namespace aiwc::opencl {

/// The functions of OpenCL. Where the process has a library, linked or preloaded, they are of that;
/// otherwise of the library that the environment variable AIWC_OPENCL_LIBRARY names, or of
/// libOpenCL.so.1, which is then opened and never closed: drivers do not survive that. So a program
/// and its package need no OpenCL library unless they use a device. Throws Error if there is none;
/// a function that the library lacks throws when it is called.
const Functions &api();

/// A failure of OpenCL: "clFinish failed with CL_OUT_OF_RESOURCES (-5): expected CL_SUCCESS".
class StatusError : public Error {
public:
  /// `function`: the address of a function of `api()`.
  StatusError(const void *function, cl_int status);
  ~StatusError() override;
  cl_int status() const { return status_; }

protected:
  StatusError(const std::string &message, cl_int status) : Error(message), status_(status) {}

private:
  cl_int status_;
};

/// A program that cannot be built.
class BuildError : public StatusError {
public:
  BuildError(cl_int status, std::string log);
  ~BuildError() override;
  /// All that the compiler says.
  const std::string &log() const { return log_; }

private:
  std::string log_;
};

/// "CL_INVALID_VALUE (-30)"; of a status that OpenCL 1.2 does not define "status -9999".
std::string statusName(cl_int status);

/// Calls a function of `api()`. Throws StatusError unless it returns CL_SUCCESS.
template <typename... Parameters, typename... Arguments>
void call(cl_int(CL_API_CALL *function)(Parameters...), Arguments... arguments) {
  if (const cl_int status = function(arguments...); status != CL_SUCCESS)
    throw StatusError(reinterpret_cast<const void *>(function), status);
}

/// The owner of a reference to an OpenCL object.
template <typename Handle> using Owned = std::shared_ptr<std::remove_pointer_t<Handle>>;

/// Takes over a reference; to nothing if the handle is null.
template <typename Handle> Owned<Handle> owned(Handle handle) {
  if (!handle)
    return nullptr;
  if constexpr (std::is_same_v<Handle, cl_context>)
    return {handle, api().clReleaseContext};
  else if constexpr (std::is_same_v<Handle, cl_command_queue>)
    return {handle, api().clReleaseCommandQueue};
  else if constexpr (std::is_same_v<Handle, cl_program>)
    return {handle, api().clReleaseProgram};
  else if constexpr (std::is_same_v<Handle, cl_kernel>)
    return {handle, api().clReleaseKernel};
  else if constexpr (std::is_same_v<Handle, cl_mem>)
    return {handle, api().clReleaseMemObject};
  else if constexpr (std::is_same_v<Handle, cl_sampler>)
    return {handle, api().clReleaseSampler};
  else
    return {handle, api().clReleaseEvent};
}

/// What a function of `api()` makes of the arguments, without the status at their end. Throws
/// StatusError if it fails.
template <typename Handle, typename... Parameters, typename... Arguments>
Owned<Handle> make(Handle(CL_API_CALL *function)(Parameters...), Arguments... arguments) {
  cl_int status = CL_SUCCESS;
  Owned<Handle> made = owned(function(arguments..., &status));
  if (status != CL_SUCCESS)
    throw StatusError(reinterpret_cast<const void *>(function), status);
  return made;
}

/// The answer of a clGet...Info function of `api()` about an object, or a kernel and a device.
/// Throws StatusError if there is none.
template <typename Value, typename Function, typename... Objects>
Value ask(Function function, cl_uint question, Objects... objects) {
  Value value{};
  // NOLINTNEXTLINE(bugprone-sizeof-expression): handles are answers, too
  call(function, objects..., question, sizeof value, &value, nullptr);
  return value;
}

/// Bytes of local memory, as an argument of a kernel.
struct LocalBytes {
  size_t bytes;
};

void setArgument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);
/// Of a number or a handle.
template <typename Value> void setArgument(cl_kernel kernel, cl_uint index, const Value &value) {
  if constexpr (std::is_same_v<Value, LocalBytes>)
    setArgument(kernel, index, value.bytes, nullptr);
  else // NOLINTNEXTLINE(bugprone-sizeof-expression): OpenCL takes the handle itself
    setArgument(kernel, index, sizeof value, &value);
}
/// Sets all arguments.
template <typename... Arguments> void setArguments(cl_kernel kernel, const Arguments &...values) {
  cl_uint index = 0;
  (setArgument(kernel, index++, values), ...);
}

/// The first device of the first platform.
cl_device_id firstDevice();

/// When a command happened, by the device's clock, ns since it was queued.
struct CommandTimes {
  double start = 0, end = 0;
};
/// Waits for the command, whose queue has CL_QUEUE_PROFILING_ENABLE.
CommandTimes timesOf(cl_event event);

/// A device with a context and a queue. Its functions throw StatusError.
class Device {
public:
  explicit Device(cl_device_id id = firstDevice(), cl_command_queue_properties properties = 0);

  cl_device_id id() const { return id_; }
  cl_context context() const { return context_.get(); }
  cl_command_queue queue() const { return queue_.get(); }

  /// `host`: what it holds, if the flags say so.
  Owned<cl_mem> buffer(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE,
                       void *host = nullptr) const;
  /// Waits for the end.
  void write(cl_mem buffer, const void *data, size_t bytes, size_t offset = 0) const;
  void read(cl_mem buffer, void *data, size_t bytes, size_t offset = 0) const;

  /// A program of this source, which is not built.
  Owned<cl_program> program(std::string_view source) const;
  /// Throws BuildError.
  void build(cl_program program, const std::string &options) const;
  Owned<cl_program> built(std::string_view source, const std::string &options = "") const;

  /// Queues a launch. `local`, `offset` and `event` may be null.
  void launch(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local,
              const size_t *offset = nullptr, cl_event *event = nullptr) const;
  void finish() const;

private:
  cl_device_id id_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
};

} // namespace aiwc::opencl
