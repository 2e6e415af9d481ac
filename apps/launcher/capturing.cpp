#include "launcher/capturing.h"

#include "common/memory.h"
#include "launcher/report.h"
#include "text/text.h"

#include <algorithm>
#include <cstdint>
#include <exception>

namespace aiwc::launcher {
namespace {

// What captures of an application's launches may take in memory, or a share of what is available.
constexpr std::uint64_t kMostCapturedBytes = std::uint64_t{2} << 30;
constexpr std::uint64_t kPartOfMemory = 4;

} // namespace

Capturing::Capturing(const Capture &capture, const SessionOptions &options, Children &children,
                     const PrivateFolder &scratch)
    : capture_(capture), options_(options), children_(children), scratch_(scratch),
      memory_(std::min(kMostCapturedBytes,
                       availableMemory(Swap::kLeftOut).value_or(UINT64_MAX) / kPartOfMemory)),
      jobs_(options_, children, scratch.path(), &memory_) {}

template <typename Work> void Capturing::guarded(const Work &work) {
  try {
    work();
  } catch (const std::exception &error) {
    failure_ = error.what();
  }
}

void Capturing::advance() {
  if (failure_.empty())
    guarded([&] { jobs_.advance(); });
}

void Capturing::stop() {
  guarded([&] { jobs_.stop(); });
}

void Capturing::finish() {
  if (!capture_.waits || !failure_.empty()) {
    stop();
    return;
  }
  guarded([&] {
    jobs_.advance();
    if (const std::size_t left = jobs_.atWork(); left > 0 && !options_.quiet)
      complain("the application has ended; characterising " +
               text::counted(left, "captured launch"));
    signal_ = characteriseCaptures(jobs_, children_, options_.quiet);
  });
}

void Capturing::mergeInto(run::Run &run, const Processes &processes, const fs::path &file) {
  jobs_.unpackAll();
  mergeProfiles(run, processes, jobs_);
  guarded([&] { left_ = keepCaptures(jobs_, processes, options_, file); });
  if (!failure_.empty())
    run.errors.push_back("captured launches were not characterised: " + failure_);
}

} // namespace aiwc::launcher
