#include "attach/captures.h"

#include "common/error.h"
#include "common/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <system_error>
#include <utility>

namespace aiwc::attach {

namespace {

namespace fs = std::filesystem;

/// Thrown for a launch that cannot be captured.
class NoCapture : public Error {
public:
  using Error::Error;
};

/// What captures may take before the application's time counts.
constexpr std::chrono::milliseconds kFree{500};

/// Copies of memory, and files, are taken to be at least this fast.
constexpr double kBytesPerSecond = 5e8;

/// 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
bool isSparse(uint64_t number) {
  const uint64_t whole = std::bit_floor(number);
  return number == whole || 2 * (number - whole) == whole;
}

/// 1, 16, 256, ...
bool isVerySparse(uint64_t number) {
  return std::has_single_bit(number) && std::countr_zero(number) % 4 == 0;
}

std::string sizeLine(const std::array<uint64_t, 3> &sizes, uint32_t dimensions) {
  return fmt::format("{}\n", fmt::join(sizes.begin(), sizes.begin() + dimensions, " "));
}

} // namespace

Captures::Captures(const cl_icd_dispatch &opencl, Objects &objects, fs::path folder, Budget budget)
    : opencl_(opencl), objects_(objects), folder_(std::move(folder)), budget_(budget) {}

bool Captures::isWanted(const run::Launch &launch) {
  const uint64_t ofKind = ++launchesOfKind_[workOf(launch)];
  if (ofKind > 1)
    return isVerySparse(ofKind);
  return isSparse(++kindsOfKernel_[launch.kernel + '\n' + launch.sourceHash]);
}

bool Captures::isAffordable(uint64_t bytes) const {
  const std::chrono::duration<double> expected(static_cast<double>(bytes) / kBytesPerSecond);
  return copied_ + bytes <= budget_.bytes &&
         spent_ + expected <= kFree + budget_.share * (Clock::now() - began_);
}

/// The buffers that are arguments, by index, and the bytes of all of them. Throws NoCapture if the
/// launch has an argument that captures cannot hold.
std::vector<std::pair<cl_uint, cl_mem>> Captures::memoryOf(const Kernel &kernel,
                                                           uint64_t &bytes) const {
  if (!kernel.source || kernel.source->empty())
    throw NoCapture("their programs have neither source nor SPIR-V");
  if (kernel.hasPointers)
    throw NoCapture("they have pointers to shared virtual memory");
  if (kernel.arguments.size() < kernel.parameters)
    throw NoCapture("they have arguments that a function of an extension sets");
  std::vector<std::pair<cl_uint, cl_mem>> memory;
  for (const auto &[index, argument] : kernel.arguments)
    if (const cl_mem handle = argument.handle())
      if (const auto known = objects_.memory(handle)) {
        if (known->isImage)
          throw NoCapture("they have images");
        bytes += known->bytes;
        memory.emplace_back(index, handle);
      }
  return memory;
}

/// The capture that this thread began, until its launch is queued.
thread_local void *beginning = nullptr;

std::vector<cl_event> Captures::before(cl_command_queue queue, const Kernel &kernel,
                                       const run::Launch &launch, cl_uint waits,
                                       const cl_event *waitList) {
  beginning = nullptr;
  if (budget_.bytes == 0)
    return {};
  const Clock::time_point begin = Clock::now();
  auto capture = std::make_unique<Capture>(Capture{launch, kernel});
  std::vector<cl_event> reads;
  try {
    uint64_t bytes = 0;
    {
      const std::scoped_lock lock(mutex_);
      if (!isWanted(launch))
        return {};
    }
    const auto memory = memoryOf(kernel, bytes);
    {
      const std::scoped_lock lock(mutex_);
      if (!isAffordable(bytes))
        throw NoCapture("the budget was spent (--budget)");
      copied_ += bytes;
    }
    for (const auto &[index, handle] : memory) {
      Content &content = capture->contents.emplace_back();
      content.index = index;
      content.bytes.resize(objects_.memory(handle)->bytes);
      const cl_int result = opencl_.clEnqueueReadBuffer(
          queue, handle, CL_FALSE, 0, content.bytes.size(), content.bytes.data(), waits,
          waits > 0 ? waitList : nullptr, &content.read);
      if (result != CL_SUCCESS)
        throw NoCapture(
            fmt::format("the host may not read their buffers (OpenCL's error {})", result));
      reads.push_back(content.read);
    }
    const std::scoped_lock lock(mutex_);
    beginning = capture.get();
    reading_.push_back(std::move(capture));
    spent_ += Clock::now() - begin;
  } catch (const std::exception &error) {
    // Commands that were queued write into its memory.
    const std::scoped_lock lock(mutex_);
    ++leftOut_[error.what()];
    if (capture) {
      capture->isBeginning = false;
      reading_.push_back(std::move(capture));
    }
  }
  return reads;
}

void Captures::queued(std::optional<uint64_t> number) {
  if (!beginning)
    return;
  const std::scoped_lock lock(mutex_);
  for (const auto &capture : reading_)
    if (capture.get() == beginning) {
      capture->number = number;
      capture->isBeginning = false;
    }
  beginning = nullptr;
}

bool Captures::hasRead(const Capture &capture) const {
  return std::ranges::all_of(capture.contents, [&](const Content &content) {
    cl_int state = CL_COMPLETE;
    return !content.read ||
           opencl_.clGetEventInfo(content.read, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state,
                                  &state, nullptr) != CL_SUCCESS ||
           state <= CL_COMPLETE;
  });
}

void Captures::release(const Capture &capture) const {
  for (const Content &content : capture.contents)
    if (content.read)
      opencl_.clReleaseEvent(content.read);
}

void Captures::writeEnded() {
  std::vector<std::unique_ptr<Capture>> reading;
  {
    const std::scoped_lock lock(mutex_);
    for (auto &capture : reading_)
      if (!capture->isBeginning)
        reading.push_back(std::move(capture)); // of which this thread is now the owner
    std::erase(reading_, nullptr);
  }
  if (reading.empty())
    return;
  const Clock::time_point begin = Clock::now();
  std::map<std::string, uint64_t> failed;
  for (auto &capture : reading) {
    if (!hasRead(*capture))
      continue;
    try {
      if (capture->number)
        write(*capture);
    } catch (const std::exception &error) {
      ++failed[error.what()];
    }
    release(*capture);
    capture.reset();
  }
  std::erase(reading, nullptr);
  const std::scoped_lock lock(mutex_);
  for (auto &capture : reading)
    reading_.push_back(std::move(capture));
  for (const auto &[reason, count] : failed)
    leftOut_[reason] += count;
  spent_ += Clock::now() - begin;
}

void Captures::write(const Capture &capture) const {
  const run::Launch &launch = capture.launch;
  // The name makes it a capture: a folder without it is incomplete.
  const std::string name = fmt::format("Enqueue_{}_kernel", *capture.number);
  const fs::path folder = folder_ / ("." + name);
  try {
    fs::create_directories(folder / "Pre");
    replaceFile(folder / "kernelName.txt", launch.kernel);
    replaceFile(folder / (capture.kernel.isSpirv ? "kernel.spv" : "kernel.cl"),
                *capture.kernel.source);
    replaceFile(folder / "buildOptions.txt", launch.buildOptions);
    replaceFile(folder / "worksizes.txt", sizeLine(launch.globalSize, launch.workDim) +
                                              sizeLine(launch.localSize, launch.workDim) +
                                              sizeLine(launch.globalOffset, launch.workDim));
    for (const auto &[index, argument] : capture.kernel.arguments)
      if (argument.value.empty())
        replaceFile(folder / fmt::format("Local{}.txt", index), std::to_string(argument.bytes));
      else
        replaceFile(folder / fmt::format("Argument{}.bin", index),
                    {reinterpret_cast<const char *>(argument.value.data()), argument.value.size()});
    for (const Content &content : capture.contents)
      replaceFile(folder / "Pre" / fmt::format("kernel_Arg_{}_Buffer_0.bin", content.index),
                  content.bytes);
    fs::rename(folder, folder_ / name);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
}

std::vector<std::string> Captures::leftOut() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> lines;
  lines.reserve(leftOut_.size());
  for (const auto &[reason, count] : leftOut_)
    lines.push_back(fmt::format("{} chosen {} not characterised: {}", count,
                                count == 1 ? "launch was" : "launches were", reason));
  return lines;
}

} // namespace aiwc::attach
