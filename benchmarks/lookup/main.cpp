/// aiwc-lookup-time: embeds profiles into a source of a given size and prints the time that it
/// takes to find one again and read it, hash of the source included.
#include "embed/opencl_c.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

/// With all metrics and long histograms, so that its annotation is as large as they come.
profile::KernelProfile largeProfile(const std::string &kernel, const std::string &hash) {
  profile::KernelProfile profile;
  profile.provenance.kernel = kernel;
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {1024, 1, 1};
  profile.provenance.localSize = {64, 1, 1};
  profile.provenance.sourceKind = "opencl-c";
  profile.provenance.sourceHash = hash;
  for (const profile::MetricInfo &metric : profile::catalogue())
    if (metric.type == profile::MetricType::kCount)
      profile.setCount(metric.metric, 123'456);
    else
      profile.setReal(metric.metric, 1.0 / 3);
  for (uint64_t i = 1; i <= 400; ++i)
    profile.histograms.asapFpLevels.emplace_back(i * i, 2);
  for (uint64_t lowest = 0; lowest < 1U << 14U; lowest = profile::reuseBinEnd(lowest))
    profile.histograms.reuseDistances.emplace_back(lowest, 100 + 7 * lowest % 13);
  return profile;
}

std::string sourceOf(size_t bytes, size_t kernels) {
  const std::string line = "  a[i] = a[i] / 2 + b[i]; // halve and add\n";
  std::string source;
  for (size_t i = 0; i < kernels; ++i) {
    source += fmt::format("kernel void k{}(global float *a, global float *b) {{\n", i);
    while (source.size() + line.size() + 3 < bytes * (i + 1) / kernels)
      source += line;
    source += "}\n";
  }
  return source;
}

} // namespace

int main(int argc, char **argv) {
  size_t bytes = 65536;
  size_t kernels = 4;
  size_t rounds = 2000;
  CLI::App app("Times looking a profile up in an annotated source");
  app.add_option("--bytes", bytes, "Of the source, without annotations")->capture_default_str();
  app.add_option("--kernels", kernels, "Each with one profile")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--rounds", rounds, "Look-ups that are timed")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const std::string source = sourceOf(bytes, kernels);
  std::vector<embed::Annotation> annotations;
  for (size_t i = 0; i < kernels; ++i)
    annotations.push_back(
        embed::annotationOf(largeProfile(fmt::format("k{}", i), profile::sourceHash(source))));
  const std::string annotated = embed::embed(source, annotations);

  std::vector<double> times;
  for (size_t i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const embed::Annotations read = embed::readAnnotations(annotated);
    const profile::KernelProfile profile = read.found.at(i % kernels).profile();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    if (read.found[0].stale || profile.count(profile::Metric::kFpOps) != 123'456)
      return 1;
    times.push_back(time.count());
  }
  std::ranges::sort(times);
  fmt::print("{} bytes of source, {} annotations of {} bytes: {:.1f} us per look-up (median; 90 % "
             "below {:.1f})\n",
             source.size(), kernels, (annotated.size() - source.size()) / kernels,
             times[rounds / 2], times[rounds * 9 / 10]);
}
