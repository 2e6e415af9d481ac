#include "predict/prediction.h"

#include "common/error.h"
#include "predict/opencl_type.h"
#include "predict/widened.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace aiwc::predict {

namespace {

/// Invocations by kernel, in the order of their first ones.
struct Grouped {
  std::vector<PredictedKernel> kernels;
  std::vector<size_t> kernelOf; ///< of each invocation
};

Grouped grouped(std::span<const Invocation> invocations) {
  Grouped result;
  std::map<std::pair<std::string_view, profile::KernelIdentity>, size_t> indices;
  std::unordered_map<std::string_view, size_t> kernelsOfName;
  constexpr std::array kTypes = {DeviceType::kCpu, DeviceType::kGpu, DeviceType::kAccelerator};
  struct Launches {
    uint64_t all = 0, characterised = 0;
  };
  std::vector<std::array<Launches, kTypes.size()>> launches; // of each kernel on each type
  for (const Invocation &invocation : invocations) {
    const std::string &name = invocation.launch.kernel;
    const auto [found, isNew] =
        indices.try_emplace({name, profile::identityOf(invocation)}, result.kernels.size());
    if (isNew) {
      result.kernels.push_back(
          {.name = name, .sourceHash = invocation.sourceHash, .sourceKind = invocation.sourceKind});
      ++kernelsOfName[name];
      launches.emplace_back();
    }
    PredictedKernel &kernel = result.kernels[found->second];
    for (size_t i = 0; i < kTypes.size(); ++i)
      if (invocation.isLaunchedOn(kTypes[i])) {
        ++launches[found->second][i].all;
        launches[found->second][i].characterised += invocation.characterised ? 1 : 0;
      }
    const Launches &most = *std::ranges::max_element(launches[found->second], {}, &Launches::all);
    kernel.invocations = most.all;
    kernel.characterised = most.characterised;
    kernel.sampled += invocation.sampled ? 1 : 0;
    kernel.extrapolated += invocation.extrapolated ? 1 : 0;
    kernel.withErrors += invocation.simulatorErrors > 0 ? 1 : 0;
    kernel.simulatorErrors += invocation.simulatorErrors;
    kernel.footprintBytes = std::max(
        kernel.footprintBytes, static_cast<double>(invocation.launch.footprintBytes.value_or(0)));
    for (std::string &feature : invocation.launch.outsideTrainingRange())
      if (std::ranges::find(kernel.outsideTrainingRange, feature) ==
          kernel.outsideTrainingRange.end())
        kernel.outsideTrainingRange.push_back(std::move(feature));
    result.kernelOf.push_back(found->second);
  }
  for (PredictedKernel &kernel : result.kernels) {
    kernel.label = kernel.name;
    if (kernelsOfName[kernel.name] > 1) { // "xxh3-128:<digits>"
      const size_t colon = kernel.sourceHash.find(':');
      kernel.label += fmt::format(" of source {}", kernel.sourceHash.substr(colon + 1, 8));
    }
  }
  return result;
}

void add(Cost &sum, const Cost &cost) {
  for (size_t i = 0; i < kTermCount; ++i)
    sum.terms[i] += cost.terms[i];
  for (size_t i = 0; i < kMostParts; ++i)
    sum.parts[i] += cost.parts[i];
  sum.seconds += cost.seconds;
  sum.boundBy = static_cast<size_t>(std::ranges::max_element(sum.parts) - sum.parts.begin());
}

std::optional<double> energyJoules(const DeviceProfile &device, const Entry &entry) {
  if (!device.has(Parameter::kTdp))
    return std::nullopt;
  const double busyPower = device[Parameter::kTdp];
  const double idlePower =
      device.has(Parameter::kIdlePower) ? device[Parameter::kIdlePower] : busyPower;
  const auto term = [&](Term which) { return entry.cost.terms[static_cast<size_t>(which)]; };
  const double busy = term(Term::kCompute) + term(Term::kCache) + term(Term::kDram);
  return busyPower * busy + idlePower * (entry.seconds - busy);
}

/// Adds a launch to the entry of several.
void add(Entry &sum, const Entry &launch) {
  if (sum.launches == 0)
    sum.interval = launch.interval ? std::optional(Interval{0, 0}) : std::nullopt;
  ++sum.launches;
  add(sum.cost, launch.cost);
  sum.transferSeconds += launch.transferSeconds;
  sum.seconds += launch.seconds;
  if (sum.interval) {
    sum.interval->low += launch.interval->low;
    sum.interval->high += launch.interval->high;
  }
}

/// Adds the measured time of a launch, if there is one of a device that is as it is.
void addMeasured(Entry &sum, const Candidate &candidate, const Invocation &invocation,
                 double predicted) {
  const auto found = invocation.measured.find(candidate.device.id);
  if (found == invocation.measured.end() || !candidate.whatIf.empty())
    return;
  if (!sum.measured)
    sum.measured.emplace();
  ++sum.measured->launches;
  sum.measured->seconds += found->second;
  sum.measured->predicted += predicted;
}

void requireRatio(double exposed) {
  if (!(exposed >= 0 && exposed <= 1))
    throw Error(fmt::format("prediction: a transfer ratio of {:g}: expected 0 to 1", exposed));
}

/// Includes the host link if anything crosses it.
Missing missingForAll(std::span<const Invocation> invocations, const DeviceProfile &device,
                      double exposed) {
  Missing missing;
  for (const Invocation &invocation : invocations) {
    if (!invocation.isLaunchedOn(device.type))
      continue;
    const CostedLaunch &launch = invocation.launch;
    missing.add(launch.missing(device));
    if (exposed > 0)
      for (const HostTraffic &traffic : {launch.traffic.writes, launch.traffic.reads})
        missing.add(launch.model().missingForTransfers(traffic, device));
  }
  return missing;
}

/// If none overlaps with other work; without those that are not known, or a link.
double allTransfers(const CostedLaunch &launch, const DeviceProfile &device) {
  double seconds = 0;
  for (const HostTraffic &traffic : {launch.traffic.writes, launch.traffic.reads})
    if (launch.traffic.unknown.empty() &&
        launch.model().missingForTransfers(traffic, device).empty())
      seconds += launch.model().transferSeconds(traffic, device);
  return seconds;
}

/// Adds what the application asked of the device that it saw, if that one is of another type.
void addQuestions(const Invocation &invocation, DeviceType type,
                  std::vector<std::string> &questions) {
  if (invocation.seenType.empty() || invocation.seenType == openClType(type))
    return;
  for (const std::string &question : invocation.asked)
    if (std::ranges::find(questions, question) == questions.end())
      questions.push_back(question);
}

DevicePrediction predictFor(const Candidate &candidate, std::span<const Invocation> invocations,
                            const Grouped &groups, double exposed) {
  DevicePrediction prediction;
  prediction.candidate = candidate;
  const DeviceProfile &device = candidate.device;
  const CostModel &model = invocations.front().launch.model();
  prediction.missing = missingForAll(invocations, device, exposed);
  prediction.known = model.knows(device);
  if (prediction.ruledOut()) {
    if (!candidate.mayBeOut)
      prediction.missing.require(device);
    return prediction;
  }
  prediction.kernels.resize(groups.kernels.size());
  for (size_t i = 0; i < invocations.size(); ++i) {
    if (!invocations[i].isLaunchedOn(device.type))
      continue;
    addQuestions(invocations[i], device.type, prediction.askedOfOthers);
    prediction.allTransferSeconds += allTransfers(invocations[i].launch, device);
    Entry one = predictOne(invocations[i].launch, device, exposed);
    if (one.interval)
      one.interval = widened(*one.interval, one.seconds, invocations[i].errorFactor);
    for (Entry *sum : {&prediction.kernels[groups.kernelOf[i]], &prediction.application}) {
      add(*sum, one);
      addMeasured(*sum, candidate, invocations[i], one.seconds);
    }
  }
  for (Entry &kernel : prediction.kernels)
    kernel.energyJoules = energyJoules(device, kernel);
  prediction.application.energyJoules = energyJoules(device, prediction.application);
  return prediction;
}

CostedLaunch launchOf(const std::string &file, const profile::KernelProfile &profile,
                      const CostModel &model) {
  if (const std::string reason = model.whyNot(profile); !reason.empty())
    throw Error(fmt::format("{}: {}", file, reason));
  return {profile, model};
}

/// `entryOf` gives the entry of a device that is to be ranked among those of the others.
template <typename EntryOf>
void rank(std::vector<DevicePrediction> &devices, double correlation, EntryOf entryOf) {
  std::vector<Entry *> entries;
  for (DevicePrediction &device : devices)
    if (!device.ruledOut() && entryOf(device).launches > 0)
      entries.push_back(&entryOf(device));
  for (Entry *entry : entries) {
    double best = entry->seconds;
    entry->rank = 1;
    for (const Entry *other : entries) {
      best = std::min(best, other->seconds);
      if (other->seconds < entry->seconds)
        ++entry->rank;
    }
    entry->relative = entry->seconds > best ? entry->seconds / best : 1;
  }
  const auto best = std::ranges::find(entries, 1U, &Entry::rank);
  for (Entry *entry : entries)
    if (entry != *best && entry->interval && (*best)->interval && (*best)->seconds > 0)
      entry->againstBest = compared(entry->seconds, *entry->interval, (*best)->seconds,
                                    *(*best)->interval, correlation);
}

/// Of ln of a time, in standard deviations of a normal distribution: half of an 80 % interval.
constexpr double kHalfInterval = 1.2816;

double deviationOf(const Interval &interval) {
  return std::log(interval.high / interval.low) / (2 * kHalfInterval);
}

} // namespace

Comparison compared(double seconds, const Interval &interval, double otherSeconds,
                    const Interval &otherInterval, double correlation) {
  const double a = deviationOf(interval);
  const double b = deviationOf(otherInterval);
  const double ratio = seconds / otherSeconds;
  const double deviation = std::sqrt(a * a + b * b - 2 * correlation * a * b);
  if (!(deviation > 0))
    return {ratio < 1 ? 1.0 : ratio > 1 ? 0.0 : 0.5, {ratio, ratio}};
  const double limit = std::exp(kHalfInterval * deviation);
  return {std::erfc(std::log(ratio) / deviation / std::numbers::sqrt2) / 2,
          {ratio / limit, ratio * limit}};
}

size_t Entry::boundBy() const {
  return transferSeconds > cost.parts[cost.boundBy] ? kTransfers : cost.boundBy;
}

std::string_view partName(std::span<const TermInfo> parts, size_t part) {
  return part == Entry::kTransfers ? "transfers" : parts[part].name;
}

Invocation::Invocation(std::string file, const profile::KernelProfile &profile,
                       const CostModel &model)
    : file(std::move(file)), launch(launchOf(this->file, profile, model)),
      sourceHash(profile.provenance.sourceHash), codeHash(profile.provenance.codeHash),
      sourceKind(profile.provenance.sourceKind), buildOptions(profile.provenance.buildOptions),
      sampled(profile.provenance.sampled()), extrapolated(profile.provenance.extrapolated()),
      simulatorErrors(profile.simulatorErrors) {}

bool Invocation::isLaunchedOn(DeviceType type) const {
  return onTypes.empty() || std::ranges::find(onTypes, openClType(type)) != onTypes.end();
}

Entry predictOne(const CostedLaunch &launch, const DeviceProfile &device, double exposed) {
  requireRatio(exposed);
  Entry entry;
  entry.launches = 1;
  entry.cost = launch.cost(device);
  if (exposed > 0)
    entry.transferSeconds = exposed * launch.transferSeconds(device);
  entry.seconds = entry.cost.seconds + entry.transferSeconds;
  entry.interval = launch.model().interval(device, entry.cost, entry.transferSeconds);
  entry.energyJoules = energyJoules(device, entry);
  entry.rank = 1;
  return entry;
}

Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   double exposed) {
  if (invocations.empty())
    throw Error("prediction: no kernel invocations: expected at least one profile");
  if (devices.empty())
    throw Error("prediction: no devices: expected at least one");
  requireRatio(exposed);
  for (const Invocation &invocation : invocations)
    if (const std::string &unknown = invocation.launch.traffic.unknown;
        exposed > 0 && !unknown.empty())
      throw Error(fmt::format("{}: {}", invocation.file, unknown));

  const CostModel &model = invocations.front().launch.model();
  const Grouped groups = grouped(invocations);
  Prediction prediction;
  prediction.model = model.name();
  prediction.parts.assign(model.parts().begin(), model.parts().end());
  prediction.exposedTransfers = exposed;
  for (const Invocation &invocation : invocations)
    if (prediction.seenType.empty())
      prediction.seenType = invocation.seenType;
  prediction.kernels = groups.kernels;
  for (const Candidate &candidate : devices)
    prediction.devices.push_back(predictFor(candidate, invocations, groups, exposed));
  const double correlation = model.errorCorrelation();
  for (size_t i = 0; i < prediction.kernels.size(); ++i)
    rank(prediction.devices, correlation,
         [i](DevicePrediction &device) -> Entry & { return device.kernels[i]; });
  rank(prediction.devices, correlation,
       [](DevicePrediction &device) -> Entry & { return device.application; });
  return prediction;
}

} // namespace aiwc::predict
