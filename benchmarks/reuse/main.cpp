/// aiwc-reuse: feeds synthetic accesses to the reuse distance analysis alone and prints CPU time
/// per access and peak memory. The interpreter would need hours for as many.
#include "metrics/families.h"
#include "profile/reuse.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

struct Workload {
  std::string pattern = "random";
  uint64_t accesses = 100'000'000;
  uint64_t bytes = uint64_t{1} << 20U;
  uint64_t groups = 1000;
  bool outOfOrder = false; ///< even groups first, then odd ones: nothing can be joined for long
};

constexpr size_t kChunk = 8192; // as many as the recorder hands on at once

/// Address of the i-th access.
class Pattern {
public:
  explicit Pattern(const Workload &workload)
      : random_(workload.pattern == "random"), streams_(workload.pattern == "streams"),
        words_(workload.bytes / 4) {}

  uint64_t address(uint64_t i) {
    if (random_) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      return 4 * ((state_ >> 33U) % words_);
    }
    if (streams_) // three at a time, as a[i] = b[i] + c[i]
      return 4 * ((i % 3 * (words_ / 3) + i / 3) % words_);
    return i * 64 % (4 * words_); // a line after the other, round and round
  }

private:
  bool random_, streams_;
  uint64_t words_;
  uint64_t state_ = 1;
};

/// CPU time of this process: the machine may have other work.
double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A block of one load, at line 1 of the source.
trace::Program program() {
  trace::Program program;
  trace::Operation load;
  load.memory = trace::MemoryKind::kLoad;
  load.space = trace::AddressSpace::kGlobal;
  load.line = 1;
  program.operations.push_back(load);
  trace::Block block;
  block.firstOp = trace::OpId{0};
  block.opCount = 1;
  program.blocks.push_back(block);
  return program;
}

/// Seconds that the analysis took.
double feed(const Workload &workload, const trace::Program &program, metrics::Analysis &analysis) {
  Pattern pattern(workload);
  std::vector<trace::Access> accesses;
  std::vector<trace::BlockEvent> events;
  double seconds = 0;
  uint64_t i = 0;
  const uint64_t perGroup = workload.accesses / workload.groups;
  for (uint64_t n = 0; n < workload.groups; ++n) {
    const uint64_t half = (workload.groups + 1) / 2;
    const uint64_t id = !workload.outOfOrder ? n : n < half ? 2 * n : 2 * (n - half) + 1;
    analysis.beginGroup(program, {id, 1});
    for (uint64_t left = perGroup; left > 0; left -= accesses.size()) {
      accesses.resize(std::min<uint64_t>(left, kChunk));
      for (trace::Access &access : accesses) {
        access.address = pattern.address(i++);
        access.size = 4;
        access.space = static_cast<uint32_t>(trace::AddressSpace::kGlobal) & 3U;
      }
      const auto count = static_cast<uint32_t>(accesses.size());
      events.clear();
      for (uint32_t end = 1; end <= count; ++end)
        events.push_back({trace::BlockId{0}, end});
      trace::Run run;
      run.eventEnd = run.accessEnd = count;
      const double begin = cpuSeconds();
      analysis.consume({program, events, accesses, {&run, 1}, trace::ChunkEnd::kFull});
      seconds += cpuSeconds() - begin;
    }
    const double begin = cpuSeconds();
    analysis.endGroup();
    seconds += cpuSeconds() - begin;
  }
  return seconds;
}

double peakMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

} // namespace

int main(int argc, char **argv) {
  Workload workload;
  metrics::AnalysisOptions options;
  CLI::App app("Feeds synthetic accesses to the reuse distance analysis");
  app.add_option("--pattern", workload.pattern, "Which addresses")
      ->check(CLI::IsMember({"random", "streams", "sweep"}))
      ->capture_default_str();
  app.add_option("--accesses", workload.accesses, "How many")->capture_default_str();
  app.add_option("--bytes", workload.bytes, "To so many bytes (at least 64)")
      ->check(CLI::Range(uint64_t{64}, uint64_t{1} << 40U))
      ->capture_default_str();
  app.add_option("--groups", workload.groups, "In so many work-groups")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32U))
      ->capture_default_str();
  app.add_flag("--out-of-order", workload.outOfOrder, "Every other group first");
  app.add_option("--sample", options.reuseSampleRate, "Share of the lines that is followed")
      ->check(CLI::Range(1e-6, 1.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const double before = peakMiB();
  const trace::Program code = program();
  const auto analysis = metrics::makeReuseDistance(code, options);
  const double seconds = feed(workload, code, *analysis);
  profile::KernelProfile profile;
  analysis->finish(profile);
  const uint64_t accesses = profile::lineAccesses(profile);
  fmt::print("{} accesses of {}, {} bytes, {} groups: {:.1f} ns per access, peak {:.1f} MiB "
             "({:.1f} before), {} lines, hit ratio of half the bytes {:.4f}\n",
             accesses, workload.pattern, workload.bytes, workload.groups,
             seconds * 1e9 / static_cast<double>(accesses), peakMiB(), before,
             profile.reuse.coldAccesses,
             profile::hitRatio(profile, workload.bytes / 2).value_or(0));
}
