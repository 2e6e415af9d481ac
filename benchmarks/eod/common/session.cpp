#include "eod/common/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod {
namespace {

/// The line of a build log that says what is wrong, else its first.
std::string decisiveLine(const std::string &log) {
  const size_t error = log.find("error");
  const size_t before = error == std::string::npos ? std::string::npos : log.rfind('\n', error);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  return log.substr(begin, log.find('\n', begin) - begin);
}

uint64_t elapsed(cl_event event, const std::string &what) {
  const std::string call = "clGetEventProfilingInfo(" + what + ")";
  const auto begin =
      info<cl_ulong>(call, clGetEventProfilingInfo, CL_PROFILING_COMMAND_START, event);
  const auto end = info<cl_ulong>(call, clGetEventProfilingInfo, CL_PROFILING_COMMAND_END, event);
  return end - begin;
}

} // namespace

Session::Session(const Device &device, const Application &application,
                 const std::vector<size_t> &localSizes, std::string_view program)
    : device_(device), application_(application.description().name) {
  cl_int code = CL_SUCCESS;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
  context_.reset(clCreateContext(properties, 1, &device.id, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context_.get(), device.id, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");

  // A compiled kernel may allow fewer work-items than the device does.
  uint64_t asked = 0;
  uint64_t allowed = 0;
  for (size_t localSize : localSizes) {
    localSize_ = localSize;
    buildOptions_ = application.buildOptions(localSize);
    build(application.description(), program);
    asked = application.workGroup(localSize).workItems;
    allowed = workItemsOfKernels();
    if (asked <= allowed)
      break;
  }
  if (asked > allowed)
    throw UsageError(fmt::format("local size {} takes {} work-items: {} runs at most {} of them "
                                 "with these kernels",
                                 localSize_, asked, device.name, allowed));

  const std::vector<Allocation> allocations = application.allocations(localSize_);
  checkFits(device, allocations);
  for (const Allocation &allocation : allocations) {
    buffers_[allocation.name].reset(
        clCreateBuffer(context_.get(), allocation.flags, allocation.bytes, nullptr, &code));
    check(code, fmt::format("clCreateBuffer({}, {} bytes)", allocation.name, allocation.bytes));
  }
}

/// No source has a byte 0, and every binary has.
void Session::create(std::string_view program) {
  cl_int code = CL_SUCCESS;
  const size_t length = program.size();
  if (program.find('\0') == std::string_view::npos) {
    const char *text = program.data();
    program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, &length, &code));
    check(code, "clCreateProgramWithSource");
    return;
  }
  const auto *bytes = reinterpret_cast<const unsigned char *>(program.data());
  program_.reset(
      clCreateProgramWithBinary(context_.get(), 1, &device_.id, &length, &bytes, nullptr, &code));
  check(code, "clCreateProgramWithBinary");
}

void Session::build(const Description &about, std::string_view program) {
  kernels_.clear();
  create(program);
  cl_int code =
      clBuildProgram(program_.get(), 1, &device_.id, buildOptions_.c_str(), nullptr, nullptr);
  if (code == CL_BUILD_PROGRAM_FAILURE) {
    const std::string log = infoText("clGetProgramBuildInfo", clGetProgramBuildInfo,
                                     CL_PROGRAM_BUILD_LOG, program_.get(), device_.id);
    throw Error(fmt::format("clBuildProgram({}.cl, \"{}\"): {}: {}", about.name, buildOptions_,
                            errorName(code), decisiveLine(log)));
  }
  check(code, fmt::format("clBuildProgram({}.cl, \"{}\")", about.name, buildOptions_));
  for (const std::string &name : about.kernels) {
    kernels_[name].reset(clCreateKernel(program_.get(), name.c_str(), &code));
    check(code, fmt::format("clCreateKernel({})", name));
  }
}

uint64_t Session::workItemsOfKernels() const {
  uint64_t fewest = UINT64_MAX;
  for (const auto &[name, kernel] : kernels_)
    fewest =
        std::min<uint64_t>(fewest, info<size_t>(fmt::format("clGetKernelWorkGroupInfo({})", name),
                                                clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE,
                                                kernel.get(), device_.id));
  return fewest;
}

cl_mem Session::buffer(const std::string &name) const {
  const auto found = buffers_.find(name);
  if (found == buffers_.end())
    throw Error(fmt::format("{} has no buffer {}", application_, name));
  return found->second.get();
}

cl_kernel Session::kernel(const std::string &name) const {
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    throw Error(fmt::format("{} has no kernel {}", application_, name));
  return found->second.get();
}

void Session::setArgument(const std::string &name, cl_uint index, size_t bytes, const void *value) {
  check(clSetKernelArg(kernel(name), index, bytes, value),
        fmt::format("clSetKernelArg({}, {})", name, index));
}

void Session::enqueue(const std::string &name, const NdRange &range) {
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue_.get(), kernel(name), range.dimensions, nullptr,
                               range.global.data(), range.local.data(), 0, nullptr, &event),
        fmt::format("clEnqueueNDRangeKernel({}, {} by {})", name,
                    shape(range.global, range.dimensions), shape(range.local, range.dimensions)));
  pending_.push_back({Owned<cl_event>(event), recorder_.launch(name, range)});
}

void Session::transfer(const std::string &name, void *data, size_t bytes, bool toDevice) {
  if (bytes == 0)
    return;
  cl_event event = nullptr;
  if (toDevice)
    check(clEnqueueWriteBuffer(queue_.get(), buffer(name), CL_TRUE, 0, bytes, data, 0, nullptr,
                               &event),
          fmt::format("clEnqueueWriteBuffer({}, {} bytes)", name, bytes));
  else
    check(clEnqueueReadBuffer(queue_.get(), buffer(name), CL_TRUE, 0, bytes, data, 0, nullptr,
                              &event),
          fmt::format("clEnqueueReadBuffer({}, {} bytes)", name, bytes));
  const Owned<cl_event> owner(event);
  recorder_.addTransfer(toDevice, bytes, elapsed(event, name));
}

void Session::finish() {
  check(clFinish(queue_.get()), "clFinish");
  for (const Pending &launch : pending_) {
    const std::string &name = recorder_.sample().launches[launch.row].kernel;
    check(std::min(info<cl_int>(fmt::format("clGetEventInfo({})", name), clGetEventInfo,
                                CL_EVENT_COMMAND_EXECUTION_STATUS, launch.event.get()),
                   CL_SUCCESS),
          fmt::format("execution of {}", name));
    recorder_.addTime(launch.row, elapsed(launch.event.get(), name));
  }
  pending_.clear();
}

} // namespace aiwc::eod
