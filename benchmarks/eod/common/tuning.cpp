#include "eod/common/tuning.h"

#include "eod/common/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace aiwc::eod {
namespace {

double kernelTimeOfRun(Application &application, Session &session) {
  Recorder &recorder = session.recorder();
  recorder.beginSample();
  recorder.beginRun();
  application.run(session);
  session.finish();
  recorder.endRun();
  double us = 0;
  for (const Launch &launch : recorder.sample().launches)
    us += launch.meanUs();
  return us;
}

double fastestRun(const Device &device, Application &application, uint64_t seed,
                  std::string_view program, size_t localSize) {
  using Clock = std::chrono::steady_clock;
  Session session(device, application, {localSize}, program);
  application.setUp(session, seed);
  kernelTimeOfRun(application, session);
  double fastest = std::numeric_limits<double>::infinity();
  const Clock::time_point begin = Clock::now();
  for (int run = 0; run < 3 || Clock::now() - begin < std::chrono::milliseconds(100); ++run)
    fastest = std::min(fastest, kernelTimeOfRun(application, session));
  return fastest;
}

} // namespace

std::vector<TunedSize> measureLocalSizes(const Device &device, Application &application,
                                         uint64_t seed, std::string_view program) {
  std::vector<TunedSize> measured;
  for (size_t localSize : fittingLocalSizes(device, application)) {
    checkFits(device, application.allocations(localSize));
    try {
      measured.push_back({localSize, fastestRun(device, application, seed, program, localSize)});
    } catch (const UsageError &) {
      // The compiled kernels take fewer work-items than the device.
    }
  }
  if (measured.empty())
    throw UsageError(fmt::format("--tune: {} accepts none of the legal local sizes", device.name));
  return measured;
}

TunedSize fastest(const std::vector<TunedSize> &sizes) {
  return *std::ranges::min_element(sizes, {}, &TunedSize::kernelTimeUs);
}

} // namespace aiwc::eod
