#include "support/plausible.h"

#include "profile/reuse.h"
#include "support/ndrange.h"

#include <algorithm>
#include <set>

namespace aiwc::test {

using namespace profile;

Histogram randomLevels(Random &random, size_t distinct, unsigned bits) {
  std::set<uint64_t> widths;
  const bool dense = random.oneIn(3);
  for (size_t i = 0; i < distinct; ++i)
    widths.insert(dense ? 1 + random.below(2 * distinct)
                        : 1 + (random.next() >> (64 - random.between(1, bits))));
  Histogram levels;
  // Counts that fall with the width as a power of it, so that narrow and wide levels weigh alike.
  const uint64_t shape = random.below(3);
  for (const uint64_t width : widths) {
    const uint64_t most = shape == 0 ? 3 : (uint64_t{1} << bits) / (shape == 1 ? width : 1) + 1;
    levels.emplace_back(width, 1 + random.below(std::min<uint64_t>(most, uint64_t{1} << 24U)));
  }
  return levels;
}

Histogram randomDistances(Random &random, unsigned bits, unsigned countBits) {
  Histogram distances;
  const bool even = random.oneIn(3);
  const uint64_t gaps = random.between(1, 4);
  for (uint64_t lowest = 0; lowest < uint64_t{1} << bits; lowest = reuseBinEnd(lowest)) {
    const uint64_t width = reuseBinEnd(lowest) - lowest;
    if (random.oneIn(gaps))
      distances.emplace_back(lowest,
                             even ? width * 1000 + random.below(10)
                                  : 1 + (random.next() >> (64 - random.between(1, countBits))));
  }
  return distances;
}

KernelProfile plausibleProfile(uint64_t seed) {
  Random random(seed);
  KernelProfile profile;
  const auto bytes = [&](size_t most) {
    std::string text;
    for (size_t i = random.below(most); i > 0; --i)
      text += random.oneIn(3) ? static_cast<char>(random.next())
                              : static_cast<char>('a' + random.below(26));
    return text;
  };
  profile.provenance.kernel = "k" + bytes(30);
  profile.provenance.workDim = static_cast<uint32_t>(random.between(1, 3));
  profile.provenance.globalSize = profile.provenance.localSize = {1, 1, 1};
  for (uint32_t i = 0; i < profile.provenance.workDim; ++i) {
    profile.provenance.globalSize[i] = 1 + (random.next() >> random.between(44, 62));
    profile.provenance.localSize[i] = random.between(1, 64);
    profile.provenance.globalOffset[i] = random.oneIn(4) ? random.below(100) : 0;
  }
  profile.provenance.invocation = random.below(1000);
  profile.provenance.sourceKind = "opencl-c";
  profile.provenance.sourceHash = "xxh3-128:0123456789abcdef0123456789abcdef";
  profile.provenance.buildOptions = bytes(60);
  profile.provenance.engine = "interpreter";
  profile.provenance.toolVersion = "0.1.0";
  profile.provenance.oclgrindVersion = "21.10";
  profile.provenance.llvmVersion = "14.0.6";
  profile.simulatorErrors = random.oneIn(3) ? random.below(10) : 0;
  Random ofMetrics(~seed); // so that a metric more changes no histogram
  for (const MetricInfo &metric : catalogue()) {
    if (ofMetrics.oneIn(20))
      continue;
    if (metric.type == MetricType::kCount)
      profile.setCount(metric.metric, ofMetrics.next() >> ofMetrics.between(24, 63));
    else
      profile.setReal(
          metric.metric,
          static_cast<double>(ofMetrics.next() >> 11U) * 0x1p-53 *
              static_cast<double>(uint64_t{1}
                                  << (metric.range == Range::kFraction ? 0 : ofMetrics.below(20))));
  }
  setNdrange(profile, profile.provenance.workDim, profile.provenance.globalSize,
             profile.provenance.localSize);
  profile.histograms.asapFpLevels =
      randomLevels(random, random.below(random.oneIn(4) ? 20'000 : 100),
                   static_cast<unsigned>(random.between(4, 24)));
  profile.histograms.reuseDistances =
      randomDistances(random, static_cast<unsigned>(random.between(1, 34)),
                      static_cast<unsigned>(random.between(1, 44)));
  profile.reuse = {64, random.below(uint64_t{1} << 34U)};
  if (random.oneIn(5))
    profile.reuse = {32, 77};
  const uint64_t accesses = lineAccesses(profile); // each of one byte to a whole line
  const uint64_t constant = random.below(accesses / 2 + 1);
  const auto replace = [&](Metric metric, uint64_t value) {
    if (!std::holds_alternative<std::monostate>(profile[metric]))
      profile.setCount(metric, value);
  };
  replace("bytes_read_global"_metric,
          (accesses - constant) * random.between(1, profile.reuse.lineBytes));
  replace("bytes_read_constant"_metric, constant);
  replace("bytes_written_global"_metric, 0);
  replace("bytes_written_constant"_metric, 0);
  return profile;
}

KernelProfile smallProfile(const std::string &kernel, const std::string &sourceHash,
                           uint64_t workItems) {
  KernelProfile profile;
  profile.provenance.kernel = kernel;
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {workItems, 1, 1};
  profile.provenance.localSize = {8, 1, 1};
  profile.provenance.sourceKind = "opencl-c";
  profile.provenance.sourceHash = sourceHash;
  profile.setCount("total_instruction_count"_metric, 10 * workItems);
  profile.setCount("fp_ops"_metric, 2 * workItems);
  profile.histograms.asapFpLevels = {{workItems, 2}};
  return profile;
}

} // namespace aiwc::test
