#include "attach/captures.h"

#include "common/error.h"
#include "opencl_api/answers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace aiwc::attach {

namespace {

/// Thrown for a launch that cannot be captured, as no other of its kind can.
class NoCapture : public Error {
public:
  using Error::Error;
};

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

std::string_view textOf(const std::vector<unsigned char> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

Captures::Captures(const opencl::Functions &opencl, Objects &objects, Budget budget)
    : opencl_(opencl), objects_(objects), budget_(std::move(budget)),
      spending_(budget_.share, budget_.bytes) {}

/// With `mutex_` held.
void Captures::own() {
  if (owner_ == getpid())
    return;
  // A forked child: the captures are its parent's, and so are the events.
  owner_ = getpid();
  reading_.clear();
  kinds_.clear();
  kernels_.clear();
  leftOut_.clear();
}

/// The kind of the launch, which is counted, if it is to be captured. With `mutex_` held.
Captures::Kind *Captures::wanted(const run::Launch &launch) {
  const auto [found, isNew] = kinds_.try_emplace(workOf(launch));
  Kind &kind = found->second;
  if (isNew) {
    kind.kernel = &kernels_[launch.kernel + '\n' + launch.sourceHash];
    kind.number = ++kind.kernel->count;
  }
  ++kind.launches;
  const bool isDue = kind.isCaptured ? isVerySparse(kind.launches)
                                     : isSparse(kind.number) || !kind.kernel->isCaptured;
  return isDue ? &kind : nullptr;
}

/// Throws NoCapture if the launch has an argument that captures cannot hold.
std::vector<Captures::Read> Captures::readsOf(const AttachedKernel &kernel) const {
  if (!kernel.source || kernel.source->empty())
    throw NoCapture("their programs have neither source nor SPIR-V");
  if (kernel.hasPointers)
    throw NoCapture("they have pointers to shared virtual memory");
  if (kernel.arguments.size() < kernel.parameters)
    throw NoCapture("they have arguments that a function of an extension sets");
  std::vector<Read> reads;
  for (const auto &[index, argument] : kernel.arguments)
    if (const cl_mem handle = argument.handle())
      if (const auto known = objects_.memory(handle)) {
        if (known->isImage)
          throw NoCapture("they have images");
        reads.push_back({index, handle, *known});
      }
  return reads;
}

/// Room with all that is known already. Throws Error if there is none.
CaptureRoom Captures::reserve(const AttachedKernel &kernel, const run::Launch &launch,
                              const std::vector<Read> &reads) {
  const std::string sizes = sizeLine(launch.globalSize, launch.workDim) +
                            sizeLine(launch.localSize, launch.workDim) +
                            sizeLine(launch.globalOffset, launch.workDim);
  std::vector<std::string> localBytes; // their texts outlive `files`
  localBytes.reserve(kernel.arguments.size());
  using Content = CapturedFile::Content;
  std::vector<CapturedFile> files = {
      {"kernelName.txt", Content::kGiven, launch.kernel},
      {kernel.isSpirv ? "kernel.spv" : "kernel.cl", Content::kGiven, *kernel.source},
      {"buildOptions.txt", Content::kGiven, launch.buildOptions},
      {"worksizes.txt", Content::kGiven, sizes}};
  for (const auto &[index, argument] : kernel.arguments)
    if (argument.value.empty())
      files.push_back({fmt::format("Local{}.txt", index), Content::kGiven,
                       localBytes.emplace_back(std::to_string(argument.bytes))});
    else
      files.push_back(
          {fmt::format("Argument{}.bin", index), Content::kGiven, textOf(argument.value)});
  for (const Read &read : reads)
    files.push_back({fmt::format("Pre/kernel_Arg_{}_Buffer_0.bin", read.index),
                     read.memory.hasContent ? Content::kLater : Content::kZeros,
                     {},
                     read.memory.bytes});
  CaptureMemory *memory = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (!memory_)
      memory_ = std::make_unique<CaptureMemory>(budget_.memory);
    memory = memory_.get();
  }
  std::optional<CaptureRoom> room = memory->reserve(files);
  if (!room)
    throw NoCapture("the memory for captures is full");
  return std::move(*room);
}

/// Queues the reads. Throws NoCapture if one is refused.
void Captures::read(cl_command_queue queue, const std::vector<Read> &reads, cl_uint waits,
                    const cl_event *waitList, Capture &capture) const {
  size_t next = 0;
  for (const Read &read : reads) {
    if (!read.memory.hasContent)
      continue;
    cl_event event = nullptr;
    const cl_int result = opencl_.clEnqueueReadBuffer(
        queue, read.handle, CL_FALSE, 0, read.memory.bytes, capture.room.later[next++], waits,
        waits > 0 ? waitList : nullptr, &event);
    if (result != CL_SUCCESS)
      throw NoCapture(
          fmt::format("the host may not read their buffers (OpenCL's error {})", result));
    capture.reads.push_back(event);
  }
}

/// The capture that this thread began, until its launch is queued.
thread_local void *beginning = nullptr;

std::vector<cl_event> Captures::before(cl_command_queue queue, const AttachedKernel &kernel,
                                       const run::Launch &launch, cl_uint waits,
                                       const cl_event *waitList) {
  beginning = nullptr;
  if (budget_.bytes == 0)
    return {};
  const Clock::time_point begin = Clock::now();
  Kind *kind = nullptr; // kinds stay where they are
  {
    const std::scoped_lock lock(mutex_);
    own();
    kind = wanted(launch);
  }
  if (!kind)
    return {};
  std::unique_ptr<Capture> capture;
  try {
    const std::vector<Read> reads = readsOf(kernel);
    uint64_t bytes = 0;
    for (const Read &read : reads)
      bytes += read.memory.hasContent ? read.memory.bytes : 0;
    {
      const std::scoped_lock lock(mutex_);
      if (!spending_.allows(!kind->kernel->isCaptured, bytes, Clock::now() - began_))
        return {};
      spending_.copies(bytes);
      kind->isCaptured = kind->kernel->isCaptured = true;
    }
    capture = std::make_unique<Capture>(Capture{reserve(kernel, launch, reads), {}, bytes});
    read(queue, reads, waits, waitList, *capture);
    const std::scoped_lock lock(mutex_);
    beginning = capture.get();
    capture->host = Clock::now() - begin;
    capture->expected = spending_.began(capture->host, bytes);
    std::vector<cl_event> events = capture->reads;
    reading_.push_back(std::move(capture));
    return events;
  } catch (const std::exception &error) {
    const std::scoped_lock lock(mutex_);
    kind->isCaptured = kind->kernel->isCaptured = true; // no other one of it can be
    ++leftOut_[error.what()];
    if (!capture)
      return {};
    // Commands that were queued write into its memory.
    std::vector<cl_event> events = capture->reads;
    capture->isBeginning = false;
    reading_.push_back(std::move(capture));
    return events;
  }
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
  return std::ranges::all_of(capture.reads, [&](cl_event event) {
    return opencl::askOr<cl_int>(CL_COMPLETE, opencl_.clGetEventInfo,
                                 CL_EVENT_COMMAND_EXECUTION_STATUS, event) <= CL_COMPLETE;
  });
}

/// What the device took to read, or what was expected where it does not tell.
Captures::Clock::duration Captures::timeOf(const Capture &capture) const {
  Clock::duration sum{};
  for (const cl_event event : capture.reads) {
    cl_ulong begin = 0, end = 0;
    const auto get = [&](cl_profiling_info what, cl_ulong &time) {
      return opencl_.clGetEventProfilingInfo(event, what, sizeof time, &time, nullptr) ==
             CL_SUCCESS;
    };
    if (!get(CL_PROFILING_COMMAND_START, begin) || !get(CL_PROFILING_COMMAND_END, end) ||
        end < begin)
      return capture.expected;
    sum += std::chrono::nanoseconds(end - begin);
  }
  return sum;
}

void Captures::handOver() {
  std::vector<std::unique_ptr<Capture>> reading;
  {
    const std::scoped_lock lock(mutex_);
    own();
    for (auto &capture : reading_)
      if (!capture->isBeginning)
        reading.push_back(std::move(capture)); // of which this thread is now the owner
    std::erase(reading_, nullptr);
  }
  if (reading.empty())
    return;
  Clock::duration expected{}, hosts{}, taken{};
  uint64_t bytes = 0;
  for (auto &capture : reading) {
    if (!hasRead(*capture))
      continue;
    taken += timeOf(*capture);
    hosts += capture->host;
    expected += capture->expected;
    bytes += capture->bytes;
    for (const cl_event event : capture->reads)
      opencl_.clReleaseEvent(event);
    if (capture->number)
      memory_->complete(capture->room, *capture->number);
    capture.reset();
  }
  std::erase(reading, nullptr);
  const std::scoped_lock lock(mutex_);
  for (auto &capture : reading)
    reading_.push_back(std::move(capture));
  spending_.ended(hosts, taken, expected, bytes);
}

std::vector<std::string> Captures::leftOut() {
  const std::scoped_lock lock(mutex_);
  own();
  auto counts = leftOut_;
  const auto tooDear = std::ranges::count_if(kinds_, [](const auto &kind) {
    return !kind.second.isCaptured && isSparse(kind.second.number);
  });
  if (tooDear > 0)
    counts["the budget was spent (--budget)"] = static_cast<uint64_t>(tooDear);
  std::vector<std::string> lines;
  lines.reserve(counts.size());
  for (const auto &[reason, count] : counts)
    lines.push_back(fmt::format("{} chosen {} not characterised: {}", count,
                                count == 1 ? "launch was" : "launches were", reason));
  return lines;
}

} // namespace aiwc::attach
