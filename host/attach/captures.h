/// Captures of launches: what a launch reads, in the folders of the OpenCL Intercept Layer
/// (src/kernel_launch/capture.h), from which `aiwc kernel` launches it again.
#pragma once

#include "attach/capture_memory.h"
#include "attach/objects.h"
#include "attach/spending.h"
#include "opencl_api/functions.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::attach {

/// Chooses launches, and copies what they read. Of each kind (kernel, source, sizes, arguments) the
/// first that the budget allows is captured, and the 16th, 256th and so on; of the kinds of a
/// kernel, all until one is captured, then the first four, and two for each doubling of their
/// number. Nothing here waits for the device: memory is read by commands of the application's
/// queue. Thread-safe.
class Captures {
public:
  /// No captures if the budget has no bytes.
  Captures(const opencl::Functions &opencl, Objects &objects, Budget budget);

  /// Call it before a launch is queued. `waitList`: the events that it waits for. Returns events
  /// that it has to wait for, too, where the queue is not in order.
  std::vector<cl_event> before(cl_command_queue queue, const AttachedKernel &kernel,
                               const run::Launch &launch, cl_uint waits, const cl_event *waitList);
  /// The launch that the calling thread was about to queue has this number in its process; or it
  /// could not be queued.
  void queued(std::optional<uint64_t> number);
  /// Hands over the captures whose memory has been read.
  void handOver();

  /// What was not captured, and why: a line for each reason.
  std::vector<std::string> leftOut();

private:
  using Clock = std::chrono::steady_clock;

  struct Capture {
    CaptureRoom room;
    std::vector<cl_event> reads = {};
    uint64_t bytes = 0;                  ///< that are read
    Clock::duration host{};              ///< that it took the host
    Clock::duration expected{};          ///< of the device
    std::optional<uint64_t> number = {}; ///< none: the launch could not be queued
    bool isBeginning = true;             ///< whether its thread has yet to queue the launch
  };
  /// What the kinds of a kernel have come to.
  struct KernelKinds {
    uint64_t count = 0;
    bool isCaptured = false; ///< one of them, or none can be
  };
  /// What the launches of a kind have come to.
  struct Kind {
    KernelKinds *kernel = nullptr;
    uint64_t number = 0; ///< among the kernel's kinds, from 1
    uint64_t launches = 0;
    bool isCaptured = false; ///< or cannot be
  };
  /// A buffer that is an argument.
  struct Read {
    cl_uint index = 0; ///< of the argument
    cl_mem handle = nullptr;
    Memory memory;
  };

  void own();
  Kind *wanted(const run::Launch &launch);
  std::vector<Read> readsOf(const AttachedKernel &kernel) const;
  CaptureRoom reserve(const AttachedKernel &kernel, const run::Launch &launch,
                      const std::vector<Read> &reads);
  void read(cl_command_queue queue, const std::vector<Read> &reads, cl_uint waits,
            const cl_event *waitList, Capture &capture) const;
  bool hasRead(const Capture &capture) const;
  Clock::duration timeOf(const Capture &capture) const;

  const opencl::Functions &opencl_;
  Objects &objects_;
  Budget budget_;
  std::mutex mutex_; ///< guards what follows; no function of OpenCL is called while it is held
  std::unique_ptr<CaptureMemory> memory_; ///< made by the first capture
  pid_t owner_ = 0;                       ///< the process whose captures these are
  Clock::time_point began_ = Clock::now();
  Spending spending_;
  std::map<std::string, Kind> kinds_;
  std::map<std::string, KernelKinds> kernels_;
  std::map<std::string, uint64_t> leftOut_; ///< launches, by reason
  std::vector<std::unique_ptr<Capture>> reading_;
};

} // namespace aiwc::attach
