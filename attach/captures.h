/// Captures of launches: what a launch reads, in the folders of the OpenCL Intercept Layer
/// (src/kernel_launch/capture.h), from which `aiwc kernel` launches it again.
#pragma once

#include "attach/budget.h"
#include "attach/objects.h"

#include <CL/cl_icd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::attach {

/// Chooses launches, and copies what they read. Of each kind (kernel, source, sizes, arguments) the
/// first is captured, and the 16th, 256th and so on; of the kinds of a kernel, the first four, and
/// then two for each doubling of their number. Nothing here waits for the device: memory is read by
/// commands of the application's queue, and written to files when these have ended. Thread-safe.
class Captures {
public:
  /// `folder`: where to put the captures of this process. No captures if the budget has no bytes.
  Captures(const cl_icd_dispatch &opencl, Objects &objects, std::filesystem::path folder,
           Budget budget);

  /// Call it before a launch is queued. `waitList`: the events that it waits for. Returns events
  /// that it has to wait for, too, where the queue is not in order.
  std::vector<cl_event> before(cl_command_queue queue, const Kernel &kernel,
                               const run::Launch &launch, cl_uint waits, const cl_event *waitList);
  /// The launch that the calling thread was about to queue has this number in its process; or it
  /// could not be queued.
  void queued(std::optional<uint64_t> number);
  /// Writes the captures whose memory has been read.
  void writeEnded();

  /// What was not captured, and why: a line for each reason.
  std::vector<std::string> leftOut();

private:
  using Clock = std::chrono::steady_clock;

  struct Content {
    cl_uint index = 0; ///< of the argument
    std::string bytes;
    cl_event read = nullptr;
  };
  struct Capture {
    run::Launch launch;
    Kernel kernel;
    std::vector<Content> contents = {};
    std::optional<uint64_t> number = {}; ///< none: the launch could not be queued
    bool isBeginning = true;             ///< whether its thread has yet to queue the launch
  };

  bool isWanted(const run::Launch &launch);
  bool isAffordable(uint64_t bytes) const;
  std::vector<std::pair<cl_uint, cl_mem>> memoryOf(const Kernel &kernel, uint64_t &bytes) const;
  bool hasRead(const Capture &capture) const;
  void release(const Capture &capture) const;
  void write(const Capture &capture) const;

  const cl_icd_dispatch &opencl_;
  Objects &objects_;
  std::filesystem::path folder_;
  Budget budget_;
  std::mutex mutex_; ///< guards what follows; no function of OpenCL is called while it is held
  Clock::time_point began_ = Clock::now();
  Clock::duration spent_{};
  uint64_t copied_ = 0; ///< bytes
  std::map<std::string, uint64_t> launchesOfKind_, kindsOfKernel_;
  std::map<std::string, uint64_t> leftOut_; ///< launches, by reason
  std::vector<std::unique_ptr<Capture>> reading_;
};

} // namespace aiwc::attach
