#include "bench.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::irregular {
namespace {

using eod::check;
using eod::Owned;

/// Throws UsageError unless the device can hold every buffer, and all of them.
void checkFits(const eod::Device &device, const Workload &workload) {
  std::vector<eod::Allocation> allocations;
  for (const Buffer &buffer : workload.buffers)
    allocations.push_back({buffer.name, buffer.bytes()});
  eod::checkFits(device, allocations);
}

Owned<cl_program> build(const eod::Device &device, cl_context context, const Kernel &kernel) {
  std::vector<const char *> texts;
  std::vector<size_t> lengths;
  for (const std::string_view source : kernel.sources) {
    texts.push_back(source.data());
    lengths.push_back(source.size());
  }
  cl_int code = 0;
  Owned<cl_program> program(clCreateProgramWithSource(context, static_cast<cl_uint>(texts.size()),
                                                      texts.data(), lengths.data(), &code));
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program.get(), 1, &device.id, "", nullptr, nullptr),
        fmt::format("clBuildProgram ({})", kernel.name));
  return program;
}

} // namespace

Bench::Bench(const eod::Device &device, const Kernel &kernel, const Workload &workload,
             uint32_t groupSize)
    : workload_(workload), groupSize_(groupSize) {
  checkFits(device, workload);
  cl_int code = 0;
  context_.reset(clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  queue_.reset(clCreateCommandQueue(context_.get(), device.id, CL_QUEUE_PROFILING_ENABLE, &code));
  check(code, "clCreateCommandQueue");
  const Owned<cl_program> program = build(device, context_.get(), kernel);
  for (const Launch &launch : workload.launches) {
    Owned<cl_kernel> &function = functions_[launch.function];
    if (function)
      continue;
    function.reset(clCreateKernel(program.get(), launch.function.c_str(), &code));
    check(code, "clCreateKernel (" + launch.function + ")");
    const uint32_t needed = launch.groupSize > 0 ? launch.groupSize : groupSize;
    const auto most = eod::info<size_t>("clGetKernelWorkGroupInfo", clGetKernelWorkGroupInfo,
                                        CL_KERNEL_WORK_GROUP_SIZE, function.get(), device.id);
    if (needed > std::min<uint64_t>(most, device.workItems))
      throw eod::UsageError(fmt::format("work-groups of {} work-items: {} runs {} with at most {}",
                                        needed, device.name, launch.function,
                                        std::min<uint64_t>(most, device.workItems)));
  }
  for (const Buffer &buffer : workload.buffers) {
    // OpenCL has no empty buffers: a matrix without non-zeros below its diagonal needs some.
    memory_.emplace_back(
        clCreateBuffer(context_.get(), buffer.written ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
                       std::max<uint64_t>(buffer.bytes(), sizeof(float)), nullptr, &code));
    check(code, fmt::format("clCreateBuffer ({}, {} bytes)", buffer.name, buffer.bytes()));
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
  check(clEnqueueWriteBuffer(queue_.get(), memory_[buffer].get(), CL_TRUE, 0, source.bytes(), data,
                             0, nullptr, nullptr),
        "clEnqueueWriteBuffer (" + source.name + ")");
}

Owned<cl_event> Bench::launch(const Launch &launch) {
  cl_kernel function = functions_.at(launch.function).get();
  cl_uint index = 0;
  for (const Argument &argument : launch.arguments) {
    const std::string call = fmt::format("clSetKernelArg ({}, {})", launch.function, index);
    if (const auto *buffer = std::get_if<BufferIndex>(&argument)) {
      cl_mem memory = memory_[buffer->index].get();
      check(clSetKernelArg(function, index, sizeof(cl_mem), &memory), call);
    } else if (const auto *whole = std::get_if<uint32_t>(&argument)) {
      check(clSetKernelArg(function, index, sizeof *whole, whole), call);
    } else {
      const float number = std::get<float>(argument);
      check(clSetKernelArg(function, index, sizeof number, &number), call);
    }
    ++index;
  }
  const size_t local = launch.groupSize > 0 ? launch.groupSize : groupSize_;
  const size_t global = eod::roundUp(launch.workItems, local);
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(queue_.get(), function, 1, nullptr, &global, &local, 0, nullptr,
                               &event),
        "clEnqueueNDRangeKernel (" + launch.function + ")");
  return Owned<cl_event>(event);
}

double Bench::run() {
  for (size_t buffer = 0; buffer < memory_.size(); ++buffer)
    if (workload_.buffers[buffer].written)
      write(buffer);
  std::vector<Owned<cl_event>> events;
  events.reserve(workload_.launches.size());
  for (const Launch &each : workload_.launches)
    events.push_back(launch(each));
  check(clFinish(queue_.get()), "clFinish");
  uint64_t nanoseconds = 0;
  for (const Owned<cl_event> &event : events) {
    const auto at = [&](cl_profiling_info what) {
      return eod::info<cl_ulong>("clGetEventProfilingInfo", clGetEventProfilingInfo, what,
                                 event.get());
    };
    nanoseconds += at(CL_PROFILING_COMMAND_END) - at(CL_PROFILING_COMMAND_START);
  }
  return 1e-3 * static_cast<double>(nanoseconds);
}

Numbers Bench::result() {
  const Buffer &buffer = workload_.buffers[workload_.result];
  Numbers numbers(buffer.bytes() / sizeof(float));
  check(clEnqueueReadBuffer(queue_.get(), memory_[workload_.result].get(), CL_TRUE, 0,
                            buffer.bytes(), numbers.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer (" + buffer.name + ")");
  return numbers;
}

} // namespace aiwc::irregular
