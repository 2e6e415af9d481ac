#include "extrapolate/reuse_law.h"

#include "profile/reuse.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::extrapolate {

uint64_t mismatch(const GatheredLines &model, const LineReuse &profile) {
  std::map<uint64_t, int64_t> left;
  for (const auto &[lowest, accesses] : profile.distances)
    left[lowest] = static_cast<int64_t>(accesses);
  for (const auto &[lowest, accesses] : model.distances)
    left[lowest] -= static_cast<int64_t>(accesses);
  uint64_t missing = model.cold - std::min(model.cold, profile.cold);
  for (const auto &[lowest, accesses] : left)
    if (accesses < 0 || lowest >= profile::kExactReuseDistances)
      missing += static_cast<uint64_t>(std::abs(accesses));
  return missing;
}

LineReuse reuseOfWhole(const LineReuse &sample, const GatheredLines &sampleModel,
                       const GatheredLines &wholeModel, double all, double streamGrowth) {
  const auto ofStreams = [&](uint64_t measured, uint64_t modelled) {
    return static_cast<double>(measured - std::min(measured, modelled));
  };
  std::map<uint64_t, uint64_t> modelled(sampleModel.distances.begin(), sampleModel.distances.end());
  std::map<uint64_t, double> streams; // of the sample
  std::map<uint64_t, double> parts;   // of the model's accesses
  double streamed = 0;
  double found = 0;
  for (const auto &[lowest, measured] : sample.distances) {
    streams[lowest] = ofStreams(measured, modelled[lowest]);
    streamed += streams[lowest];
    const auto inModel = static_cast<double>(modelled[lowest]);
    parts[lowest] = inModel > 0 ? std::min(1.0, static_cast<double>(measured) / inModel) : 1;
    found += parts[lowest] * inModel;
  }
  const auto sampleHits = static_cast<double>(sampleModel.accesses() - sampleModel.cold);
  const double usualPart = sampleHits > 0 ? found / sampleHits : 1;
  const double cold = sample.cold < sampleModel.cold
                          ? static_cast<double>(wholeModel.cold) *
                                static_cast<double>(sample.cold) /
                                static_cast<double>(sampleModel.cold)
                          : static_cast<double>(wholeModel.cold) +
                                ofStreams(sample.cold, sampleModel.cold) * streamGrowth;
  std::map<uint64_t, double> bins;
  double gathered = 0;
  for (const auto &[lowest, accesses] : wholeModel.distances) {
    const bool inSample = modelled.contains(lowest) && modelled[lowest] > 0;
    const double part = !inSample ? usualPart : parts.contains(lowest) ? parts[lowest] : 0;
    bins[lowest] = static_cast<double>(accesses) * part;
    gathered += bins[lowest];
  }
  const double rest = std::max(0.0, all - cold - gathered);
  for (const auto &[lowest, accesses] : streams)
    if (streamed > 0)
      bins[lowest] += accesses * rest / streamed;
  LineReuse whole{{}, static_cast<uint64_t>(std::llround(cold))};
  for (const auto &[lowest, accesses] : bins)
    if (const auto number = static_cast<uint64_t>(std::llround(accesses)); number > 0)
      whole.distances.emplace_back(lowest, number);
  return whole;
}

} // namespace aiwc::extrapolate
