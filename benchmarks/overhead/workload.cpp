/// aiwc-overhead-workload: runs one of the kernels of workload.cl and checks its result.
#include "common/version.h"
#include "eod/common/error.h"
#include "opencl_host/opencl.h"
#include "workload_cl.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace aiwc::overhead {
namespace {

using opencl::api;
using opencl::Owned;

struct Task {
  std::string kernel;
  uint32_t globalSize = 256;
  uint32_t localSize = 64;
  uint32_t words = 1U << 16;
  uint32_t steps = 1;
  uint32_t launches = 1;
};

using Data = std::vector<uint32_t>;

/// What the kernels do, serially: one launch.
void stream(const Task &task, Data &data) {
  const uint64_t half = task.words / 2;
  const uint64_t copied = std::min(half, uint64_t{4} * task.globalSize * task.steps);
  std::copy_n(data.begin(), copied, data.begin() + static_cast<ptrdiff_t>(half));
}

void coin(const Task &task, Data &data) {
  for (uint32_t item = 0; item < task.globalSize; ++item) {
    uint32_t state = item;
    uint32_t flips = 0;
    for (uint32_t stops = 0; stops < task.steps; ++flips) {
      state = state * 1664525U + 1013904223U;
      stops += state >> 31 == 0;
    }
    data[item] = flips;
  }
}

void touch(const Task &task, Data &data) {
  for (uint32_t item = 0; item < task.globalSize; ++item)
    data[item] += task.steps;
}

void rows(const Task &task, Data &data) {
  for (uint32_t row = 1; row <= task.steps; ++row) {
    const uint32_t above = (row - 1) * 1024 & (task.words - 1);
    const uint32_t current = row * 1024 & (task.words - 1);
    for (uint32_t column = 1; column < 1024; ++column)
      data[current + column] = 3 * data[above + column] + data[current + column - 1];
  }
}

constexpr uint32_t kColumns = 1024; ///< of a filtered image

/// Of the kernels whose name it begins.
bool filters(const Task &task) {
  return task.kernel.starts_with("filter_");
}

void filter(const Task &task, Data &data) {
  const Data from = data;
  const auto last = [](uint32_t size) { return static_cast<int>(size) - 1; };
  const int rows = last(task.globalSize / kColumns), columns = last(kColumns);
  for (uint32_t pixel = 0; pixel < task.globalSize; ++pixel) {
    data[pixel] = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
      float sum = 0;
      for (int row = -1; row <= 1; ++row)
        for (int column = -1; column <= 1; ++column) {
          const int y = std::clamp(static_cast<int>(pixel / kColumns) + row, 0, rows);
          const int x = std::clamp(static_cast<int>(pixel % kColumns) + column, 0, columns);
          const auto place = static_cast<size_t>(y) * kColumns + static_cast<size_t>(x);
          sum += static_cast<float>(from[place] >> shift & 0xff) / 255;
        }
      data[pixel] |= static_cast<uint32_t>(std::nearbyint(sum / 9 * 255)) << shift;
    }
  }
}

const std::map<std::string, void (*)(const Task &, Data &)> kSerial = {
    {"stream", stream}, {"coin", coin},           {"touch", touch},
    {"rows", rows},     {"filter_image", filter}, {"filter_buffer", filter}};

void checkTask(const Task &task) {
  if (!std::has_single_bit(task.words))
    throw eod::UsageError(fmt::format("--words {}: expected a power of two", task.words));
  const uint64_t needed = task.kernel == "stream" ? uint64_t{8} * task.globalSize
                          : task.kernel == "rows" ? 1024
                                                  : task.globalSize;
  if (task.kernel == "rows" && task.globalSize != 1)
    throw eod::UsageError(
        fmt::format("--global {}: expected 1 for sequential code", task.globalSize));
  if (filters(task) && (task.globalSize < kColumns || task.globalSize != task.words))
    throw eod::UsageError(fmt::format("--global {} --words {}: expected the same number twice, {} "
                                      "or more, for an image",
                                      task.globalSize, task.words, kColumns));
  if (task.words < needed)
    throw eod::UsageError(
        fmt::format("--words {}: expected {} or more for this NDRange", task.words, needed));
  if (!std::has_single_bit(task.globalSize) || task.globalSize % task.localSize != 0)
    throw eod::UsageError(
        fmt::format("--global {} --local {}: expected a power of two and a divisor of it",
                    task.globalSize, task.localSize));
}

/// An image or a buffer with the data.
Owned<cl_mem> pixels(const Task &task, const opencl::Device &device, Data &data) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  if (task.kernel != "filter_image")
    return device.buffer(data.size() * sizeof data[0], flags, data.data());
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = kColumns;
  description.image_height = task.globalSize / kColumns;
  return opencl::make(api().clCreateImage, device.context(), flags, &format, &description,
                      data.data());
}

/// Each launch filters what the one before has written.
void filterOnDevice(const Task &task, const opencl::Device &device, cl_kernel kernel, Data &data) {
  const Owned<cl_mem> first = pixels(task, device, data), second = pixels(task, device, data);
  const size_t global[] = {kColumns, task.globalSize / kColumns};
  const size_t local[] = {task.localSize, 1};
  cl_mem from = first.get(), to = second.get();
  for (uint32_t launch = 0; launch < task.launches; ++launch) {
    opencl::setArguments(kernel, from, to);
    device.launch(kernel, 2, global, local);
    std::swap(from, to);
  }
  const size_t origin[3] = {}, region[] = {global[0], global[1], 1};
  if (task.kernel == "filter_image")
    opencl::call(api().clEnqueueReadImage, device.queue(), from, CL_TRUE, origin, region, 0, 0,
                 data.data(), 0, nullptr, nullptr);
  else
    device.read(from, data.data(), data.size() * sizeof data[0]);
}

/// The data behind all launches.
Data runOnDevice(const Task &task, Data data) {
  const opencl::Device device;
  const Owned<cl_program> program = device.built(eod::kSource);
  const Owned<cl_kernel> kernel =
      opencl::make(api().clCreateKernel, program.get(), task.kernel.c_str());
  if (filters(task)) {
    filterOnDevice(task, device, kernel.get(), data);
    return data;
  }
  const size_t bytes = data.size() * sizeof(uint32_t);
  const Owned<cl_mem> buffer = device.buffer(bytes, CL_MEM_COPY_HOST_PTR, data.data());
  opencl::setArguments(kernel.get(), buffer.get(), task.words, task.steps);
  const size_t global = task.globalSize;
  const size_t local = task.localSize;
  for (uint32_t launch = 0; launch < task.launches; ++launch)
    device.launch(kernel.get(), 1, &global, &local);
  device.read(buffer.get(), data.data(), bytes);
  return data;
}

void run(const Task &task) {
  checkTask(task);
  Data data(task.words);
  for (uint32_t i = 0; i < task.words; ++i)
    data[i] = i * 2654435761U;
  Data expected = data;
  for (uint32_t launch = 0; launch < task.launches; ++launch)
    kSerial.at(task.kernel)(task, expected);
  if (runOnDevice(task, std::move(data)) != expected)
    throw eod::Error("wrong result of kernel " + task.kernel);
}

int main(int argc, char **argv) {
  Task task;
  CLI::App cli("Runs one synthetic kernel of the overhead benchmark on the first OpenCL device",
               "aiwc-overhead-workload");
  cli.set_version_flag("--version", std::string("aiwc-overhead-workload ") + kVersion);
  cli.add_option("kernel", task.kernel, "stream, coin, touch, rows, filter_image or filter_buffer")
      ->required()
      ->check(CLI::IsMember(kSerial));
  cli.add_option("--global", task.globalSize, "work-items, a power of two")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  cli.add_option("--local", task.localSize, "work-items per work-group")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  cli.add_option("--words", task.words, "4-byte words of data, a power of two")
      ->capture_default_str();
  cli.add_option("--steps", task.steps, "iterations of a work-item")->capture_default_str();
  cli.add_option("--launches", task.launches, "how often the kernel is launched")
      ->capture_default_str();
  try {
    cli.parse(argc, argv);
    run(task);
    return 0;
  } catch (const CLI::ParseError &error) {
    return cli.exit(error) == 0 ? 0 : 2;
  } catch (const eod::UsageError &error) {
    fmt::print(stderr, "aiwc-overhead-workload: {}\n", error.what());
    return 2;
  } catch (const std::exception &error) {
    fmt::print(stderr, "aiwc-overhead-workload: {}\n", error.what());
    return 1;
  }
}

} // namespace
} // namespace aiwc::overhead

int main(int argc, char **argv) {
  return aiwc::overhead::main(argc, argv);
}
