#include "bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::irregular {
namespace {

using opencl::api;
using opencl::Owned;

/// Throws UsageError unless the device can hold every buffer, and all of them.
void checkFits(const eod::Device &device, const Workload &workload) {
  std::vector<eod::Allocation> allocations;
  for (const Buffer &buffer : workload.buffers)
    allocations.push_back({buffer.name, buffer.bytes()});
  eod::checkFits(device, allocations);
}

std::string sourceOf(const WorkloadKernel &kernel) {
  std::string source;
  for (const std::string_view text : kernel.sources)
    source += text;
  return source;
}

} // namespace

Bench::Bench(const eod::Device &device, const WorkloadKernel &kernel, const Workload &workload,
             uint32_t groupSize)
    : workload_(workload), groupSize_(groupSize), device_(device.id, CL_QUEUE_PROFILING_ENABLE) {
  checkFits(device, workload);
  const Owned<cl_program> program = device_.built(sourceOf(kernel));
  for (const WorkloadLaunch &launch : workload.launches) {
    Owned<cl_kernel> &function = functions_[launch.function];
    if (function)
      continue;
    function = opencl::make(api().clCreateKernel, program.get(), launch.function.c_str());
    const uint32_t needed = launch.groupSize > 0 ? launch.groupSize : groupSize;
    const auto most = std::min<uint64_t>(opencl::ask<size_t>(api().clGetKernelWorkGroupInfo,
                                                             CL_KERNEL_WORK_GROUP_SIZE,
                                                             function.get(), device.id),
                                         device.workItems);
    if (needed > most)
      throw eod::UsageError(fmt::format("work-groups of {} work-items: {} runs {} with at most {}",
                                        needed, device.name, launch.function, most));
  }
  for (const Buffer &buffer : workload.buffers) {
    // OpenCL has no empty buffers: a matrix without non-zeros below its diagonal needs some.
    memory_.push_back(device_.buffer(std::max<uint64_t>(buffer.bytes(), sizeof(float)),
                                     buffer.written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY));
    if (!buffer.written)
      write(memory_.size() - 1);
  }
}

void Bench::write(size_t buffer) {
  const Buffer &source = workload_.buffers[buffer];
  if (source.bytes() == 0)
    return;
  const void *data = std::visit(
      [](const auto &values) { return static_cast<const void *>(values.data()); }, source.content);
  device_.write(memory_[buffer].get(), data, source.bytes());
}

Owned<cl_event> Bench::launch(const WorkloadLaunch &launch) {
  cl_kernel function = functions_.at(launch.function).get();
  cl_uint index = 0;
  for (const Argument &argument : launch.arguments) {
    if (const auto *buffer = std::get_if<BufferIndex>(&argument))
      opencl::setArgument(function, index, memory_[buffer->index].get());
    else if (const auto *whole = std::get_if<uint32_t>(&argument))
      opencl::setArgument(function, index, *whole);
    else
      opencl::setArgument(function, index, std::get<float>(argument));
    ++index;
  }
  const size_t local = launch.groupSize > 0 ? launch.groupSize : groupSize_;
  const size_t global = eod::roundUp(launch.workItems, local);
  cl_event event = nullptr;
  device_.launch(function, 1, &global, &local, nullptr, &event);
  return opencl::owned(event);
}

double Bench::run() {
  for (size_t buffer = 0; buffer < memory_.size(); ++buffer)
    if (workload_.buffers[buffer].written)
      write(buffer);
  std::vector<Owned<cl_event>> events;
  events.reserve(workload_.launches.size());
  for (const WorkloadLaunch &each : workload_.launches)
    events.push_back(launch(each));
  device_.finish();
  double nanoseconds = 0;
  for (const Owned<cl_event> &event : events) {
    const opencl::CommandTimes times = opencl::timesOf(event.get());
    nanoseconds += times.end - times.start;
  }
  return 1e-3 * nanoseconds;
}

Numbers Bench::result() {
  const Buffer &buffer = workload_.buffers[workload_.result];
  Numbers numbers(buffer.bytes() / sizeof(float));
  device_.read(memory_[workload_.result].get(), numbers.data(), buffer.bytes());
  return numbers;
}

} // namespace aiwc::irregular
