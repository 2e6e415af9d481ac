/// aiwc-analyses: feeds the trace of a synthetic kernel to the families of metrics, each by itself
/// and all together, and prints CPU time per access and peak memory. The interpreter would need
/// hours for as many accesses.
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/shared/analysis.h"
#include "workload.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace aiwc;

struct Settings {
  bench::Workload workload;
  metrics::AnalysisOptions options;
  unsigned threads = 1;
  bool outOfOrder = false; ///< even groups first, then odd ones: nothing can be joined for long
  std::vector<std::string> families;
};

uint64_t groupOf(const Settings &settings, uint64_t n) {
  const uint64_t half = (settings.workload.groups + 1) / 2;
  if (!settings.outOfOrder)
    return n;
  return n < half ? 2 * n : 2 * (n - half) + 1;
}

/// The threads take the next group as they get free, as Oclgrind's do.
void analyse(const Settings &settings, const std::vector<std::string> &families) {
  const trace::Program program = bench::loopProgram();
  metrics::AnalysisOptions options = settings.options;
  options.only = families;
  const auto order = std::make_shared<metrics::ReuseOrder>(program);
  std::deque<metrics::AnalysisSet> sets;
  for (unsigned i = 0; i < settings.threads; ++i)
    sets.emplace_back(program, options, order);
  std::atomic<uint64_t> next = 0;
  std::vector<std::thread> threads;
  for (metrics::AnalysisSet &set : sets)
    threads.emplace_back([&] {
      trace::Recorder recorder(set);
      for (uint64_t n; (n = next++) < settings.workload.groups;)
        bench::simulateGroup(settings.workload, program, groupOf(settings, n), recorder);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (size_t i = 1; i < sets.size(); ++i)
    sets[0].merge(sets[i]);
  profile::KernelProfile profile;
  sets[0].finish(profile);
}

struct Cost {
  double nanosecondsPerAccess = 0; ///< CPU time, all threads together
  double peakMiB = 0;
};

/// In a process of its own, whose peak is nobody else's.
Cost costOf(const Settings &settings, const std::vector<std::string> &families) {
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process");
  if (child == 0) {
    analyse(settings, families);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || status != 0)
    throw std::runtime_error("a measurement failed");
  const auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {1e9 * (seconds(usage.ru_utime) + seconds(usage.ru_stime)) /
              static_cast<double>(settings.workload.accesses),
          static_cast<double>(usage.ru_maxrss) / 1024};
}

void measure(const Settings &settings) {
  const bench::Workload &workload = settings.workload;
  fmt::print("{} accesses of {} to {} bytes, {} work-groups of {}, {} threads\n", workload.accesses,
             workload.pattern, workload.bytes, workload.groups, workload.items, settings.threads);
  fmt::print("{:<26} {:>13} {:>14}\n", "", "ns per access", "peak, MiB");
  const Cost nothing = costOf(settings, {});
  fmt::print("{:<26} {:>13.1f} {:>14.1f}\n", "trace alone", nothing.nanosecondsPerAccess,
             nothing.peakMiB);
  const auto row = [&](const std::string &name, const std::vector<std::string> &list) {
    const Cost cost = costOf(settings, list);
    fmt::print("{:<26} {:>+13.1f} {:>+14.1f}\n", name,
               cost.nanosecondsPerAccess - nothing.nanosecondsPerAccess,
               cost.peakMiB - nothing.peakMiB);
    std::fflush(stdout);
  };
  const std::vector<std::string> all = metrics::AnalysisSet::families();
  for (const std::string &family : settings.families.empty() ? all : settings.families)
    row(family, {family});
  if (settings.families.empty())
    row("all", all);
}

} // namespace

int main(int argc, char **argv) {
  Settings settings;
  bench::Workload &workload = settings.workload;
  CLI::App app("Feeds the trace of a synthetic kernel to the families of metrics");
  app.add_option("--family", settings.families, "Measure these families (default: all)")
      ->check(CLI::IsMember(metrics::AnalysisSet::families()));
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
  app.add_option("--items", workload.items, "Of so many work-items")
      ->check(CLI::Range(1U, 1U << 16U))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "That so many threads simulate")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  app.add_flag("--out-of-order", settings.outOfOrder, "Every other group first");
  CLI11_PARSE(app, argc, argv);
  try {
    measure(settings);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc-analyses: %s\n", error.what());
    return 1;
  }
}
