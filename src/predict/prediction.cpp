#include "predict/prediction.h"

#include "common/error.h"
#include "predict/correlated_errors.h"
#include "predict/opencl_type.h"
#include "predict/widened.h"
#include "profile/source_hash.h"

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
  /// Of each invocation: the place of the first with the same times on the same devices. Launches
  /// that share a profile are copies of one.
  std::vector<size_t> alike;
};

/// Grouped::alike.
std::vector<size_t> alikeOf(std::span<const Invocation> invocations) {
  std::map<std::tuple<const LaunchCosts *, double, std::vector<std::string>>, size_t> first;
  std::vector<size_t> alike;
  alike.reserve(invocations.size());
  for (const Invocation &one : invocations)
    alike.push_back(
        first.try_emplace({one.launch.costs(), one.errorFactor, one.onTypes}, alike.size())
            .first->second);
  return alike;
}

Grouped grouped(std::span<const Invocation> invocations) {
  Grouped result;
  result.alike = alikeOf(invocations);
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
    for (size_t type = 0; type < kernel.matrixOps.size(); ++type)
      kernel.matrixOps[type] += invocation.launch.matrixOps[type];
    if (const size_t place = result.kernelOf.size(); result.alike[place] == place)
      for (std::string &feature : invocation.launch.outsideTrainingRange())
        if (std::ranges::find(kernel.outsideTrainingRange, feature) ==
            kernel.outsideTrainingRange.end())
          kernel.outsideTrainingRange.push_back(std::move(feature));
    result.kernelOf.push_back(found->second);
  }
  for (PredictedKernel &kernel : result.kernels) {
    kernel.label = kernel.name;
    if (kernelsOfName[kernel.name] > 1)
      kernel.label += profile::ofSource(kernel.sourceHash);
  }
  return result;
}

void add(Cost &sum, const Cost &cost) {
  for (size_t i = 0; i < kTermCount; ++i)
    sum.terms[i] += cost.terms[i];
  for (size_t i = 0; i < kMostParts; ++i)
    sum.parts[i] += cost.parts[i];
  sum.seconds += cost.seconds;
  sum.leastSeconds += cost.leastSeconds;
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

/// Adds launches to the entry of several.
void add(Entry &sum, const Entry &more) {
  if (more.launches == 0)
    return;
  if (sum.launches == 0)
    sum.source = more.source;
  else if (sum.source != more.source)
    sum.source = TimeSource::kConditioned;
  for (const auto which : {&Entry::interval, &Entry::kernelInterval}) {
    if (sum.launches == 0)
      sum.*which = more.*which ? std::optional(Interval{0, 0}) : std::nullopt;
    if (sum.*which) {
      (sum.*which)->low += (more.*which)->low;
      (sum.*which)->high += (more.*which)->high;
    }
  }
  sum.launches += more.launches;
  add(sum.cost, more.cost);
  sum.transferSeconds += more.transferSeconds;
  sum.seconds += more.seconds;
  sum.unconditioned += more.unconditioned;
}

/// Adds the measured time of a launch, if there is one of a device that is as it is.
void addMeasured(Entry &sum, const Candidate &candidate, const Invocation &invocation,
                 double predicted) {
  const auto found = invocation.measured.find(candidate.device.id);
  if (found == invocation.measured.end() || candidate.isModified())
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
Missing missingForAll(std::span<const Invocation> invocations, const Grouped &groups,
                      const DeviceProfile &device, double exposed) {
  Missing missing;
  for (size_t i = 0; i < invocations.size(); ++i) {
    const Invocation &invocation = invocations[i];
    if (groups.alike[i] != i || !invocation.isLaunchedOn(device.type))
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
  prediction.missing = missingForAll(invocations, groups, device, exposed);
  prediction.known = model.knows(device);
  if (prediction.ruledOut()) {
    if (!candidate.mayBeOut)
      prediction.missing.require(device);
    return prediction;
  }
  prediction.kernels.resize(groups.kernels.size());
  struct Predicted {
    Entry entry;
    double allTransfers;
  };
  std::unordered_map<size_t, Predicted> predicted; // by Grouped::alike
  for (size_t i = 0; i < invocations.size(); ++i) {
    if (!invocations[i].isLaunchedOn(device.type))
      continue;
    addQuestions(invocations[i], device.type, prediction.askedOfOthers);
    const auto [place, isNew] = predicted.try_emplace(groups.alike[i]);
    Entry &one = place->second.entry;
    if (isNew) {
      place->second.allTransfers = allTransfers(invocations[i].launch, device);
      one = predictOne(invocations[i].launch, device, exposed);
      const double errorFactor = invocations[i].errorFactor;
      if (one.interval) {
        one.kernelInterval =
            exposed > 0 ? widened(*model.interval(device, one.cost), one.cost.seconds, errorFactor)
                        : widened(*one.interval, one.seconds, errorFactor);
        one.interval = widened(*one.interval, one.seconds, errorFactor);
      }
    }
    prediction.allTransferSeconds += place->second.allTransfers;
    for (Entry *sum : {&prediction.kernels[groups.kernelOf[i]], &prediction.application}) {
      add(*sum, one);
      addMeasured(*sum, candidate, invocations[i], one.cost.seconds);
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

const Entry &entryOf(const DevicePrediction &device, std::optional<size_t> kernel) {
  return kernel ? device.kernels[*kernel] : device.application;
}

/// Ranks the entries of a kernel, or of the application. `correlationOf` gives that of the errors
/// of two devices, by their places.
template <typename CorrelationOf>
void rank(Prediction &prediction, std::optional<size_t> kernel, CorrelationOf correlationOf) {
  std::vector<DevicePrediction> &devices = prediction.devices;
  const std::vector<RankedEntry> entries = ranked(prediction, kernel);
  const auto placeOf = [&](const RankedEntry &one) {
    return static_cast<size_t>(one.device - devices.data());
  };
  const auto changed = [&](const RankedEntry &one) -> Entry & {
    DevicePrediction &device = devices[placeOf(one)];
    return kernel ? device.kernels[*kernel] : device.application;
  };
  for (const RankedEntry &one : entries) {
    const double seconds = one.entry->seconds;
    changed(one).rank =
        1 + static_cast<size_t>(std::ranges::count_if(entries, [&](const RankedEntry &other) {
          return other.entry->seconds < seconds * (1 - kEqualTimes);
        }));
  }
  const std::vector<RankedEntry> byRank = ranked(prediction, kernel);
  for (const RankedEntry &one : byRank) {
    const Entry &best = *byRank.front().entry;
    changed(one).relative =
        one.entry->seconds > best.seconds ? one.entry->seconds / best.seconds : 1;
    if (one.entry != &best && one.entry->interval && best.interval && best.seconds > 0)
      changed(one).againstBest =
          compared(one.entry->seconds, *one.entry->interval, best.seconds, *best.interval,
                   correlationOf(placeOf(one), placeOf(byRank.front())));
  }
}

/// Has the kernels take `factor` times as long, but no less than `least`, and the ends of the
/// interval lie where `ends` says as factors of that. What transfers take stays.
void setKernelTime(Entry &entry, double factor, double least, const Interval &ends) {
  factor = std::max(factor, least / entry.cost.seconds);
  for (double &part : entry.cost.parts)
    part *= factor;
  for (double &term : entry.cost.terms)
    term *= factor;
  entry.cost.seconds *= factor;
  entry.seconds = entry.cost.seconds + entry.transferSeconds;
  const Interval kernel{std::max(entry.cost.seconds * ends.low, least),
                        entry.cost.seconds * ends.high};
  entry.interval->low += kernel.low - entry.kernelInterval->low;
  entry.interval->high += kernel.high - entry.kernelInterval->high;
  entry.kernelInterval = kernel;
}

/// Conditions the times of kernels on what was measured of them.
class Conditioning {
public:
  Conditioning(std::span<const Invocation> invocations, const Grouped &groups,
               std::span<const DeviceProfile> measuredOn, Prediction &prediction)
      : model_(invocations.front().launch.model()), errors_(groups.kernels.size()) {
    for (DevicePrediction &device : prediction.devices)
      devices_.push_back(&device);
    // A measured device need not be among those that are predicted.
    std::vector<DevicePrediction> others;
    others.reserve(measuredOn.size());
    std::vector<size_t> places;
    for (const DeviceProfile &device : measuredOn) {
      const auto found = std::ranges::find_if(devices_, [&](const DevicePrediction *one) {
        return one->candidate.device.id == device.id && !one->candidate.isModified();
      });
      places.push_back(static_cast<size_t>(found - devices_.begin()));
      if (found == devices_.end()) {
        others.push_back(predictFor({device, ""}, invocations, groups, 0));
        devices_.push_back(&others.back());
      }
    }
    std::vector<std::vector<std::vector<TimedLaunch>>> timed(
        groups.kernels.size(), std::vector<std::vector<TimedLaunch>>(places.size()));
    for (size_t i = 0; i < invocations.size(); ++i)
      for (size_t m = 0; m < places.size(); ++m) {
        const DevicePrediction &device = *devices_[places[m]];
        const auto found = invocations[i].measured.find(device.candidate.device.id);
        if (found != invocations[i].measured.end() && !device.ruledOut() &&
            invocations[i].isLaunchedOn(device.candidate.device.type))
          timed[groups.kernelOf[i]][m].push_back(
              {found->second, invocations[i].launch.cost(device.candidate.device).seconds});
      }
    const CorrelatedErrors all(devices_.size(), [&](size_t a, size_t b) {
      return model_.errorCorrelation(devices_[a]->candidate.device, devices_[b]->candidate.device);
    });
    for (size_t kernel = 0; kernel < timed.size(); ++kernel)
      condition(kernel, places, timed[kernel], all, prediction.kernels[kernel]);
    devices_.resize(prediction.devices.size());
    if (std::ranges::any_of(errors_, [](const auto &errors) { return errors.has_value(); }))
      for (DevicePrediction *device : devices_)
        if (!device->ruledOut())
          addUp(*device);
  }

  /// Of a kernel on two devices.
  double correlation(size_t kernel, size_t a, size_t b) const {
    return errors_[kernel] ? errors_[kernel]->correlation(a, b) : model_.errorCorrelation();
  }
  /// Of the sum of the kernels, all off in the same direction: each counts by what it adds to the
  /// widths of the two intervals.
  double correlation(size_t a, size_t b) const {
    double sum = 0;
    double weights = 0;
    for (size_t kernel = 0; kernel < errors_.size(); ++kernel) {
      const double weight = widthOf(a, kernel) * widthOf(b, kernel);
      sum += weight * correlation(kernel, a, b);
      weights += weight;
    }
    return weights > 0 ? sum / weights : model_.errorCorrelation();
  }

private:
  void condition(size_t kernel, const std::vector<size_t> &places,
                 const std::vector<std::vector<TimedLaunch>> &timed, const CorrelatedErrors &all,
                 PredictedKernel &said) {
    std::map<size_t, ObservedError> observed; // by the device's place
    for (size_t m = 0; m < places.size(); ++m) {
      const DevicePrediction &device = *devices_[places[m]];
      if (timed[m].empty() || !(deviationAt(places[m], kernel) > 0))
        continue;
      const ObservedError &error = observed[places[m]] = observedErrorOf(timed[m]);
      const double deviation = deviationAt(places[m], kernel);
      if (!errors_[kernel])
        errors_[kernel] = all;
      errors_[kernel]->observe(places[m], error.ln / deviation, error.noise / deviation);
      said.measuredOn[device.candidate.device.id] = timed[m].size();
    }
    if (observed.empty())
      return;
    for (size_t place = 0; place < devices_.size(); ++place) {
      const double deviation = deviationAt(place, kernel);
      if (!(deviation > 0))
        continue;
      Entry &entry = devices_[place]->kernels[kernel];
      if (const auto found = observed.find(place); found != observed.end()) {
        const double end = std::exp(kHalfInterval * found->second.repeat);
        setKernelTime(entry, std::exp(found->second.ln), 0, {1 / end, end});
        entry.source = TimeSource::kMeasured;
        continue;
      }
      const double narrower = errors_[kernel]->deviation(place);
      const auto endOf = [&](double end) { return std::pow(end / entry.cost.seconds, narrower); };
      setKernelTime(entry, std::exp(errors_[kernel]->mean(place) * deviation),
                    entry.cost.leastSeconds,
                    {endOf(entry.kernelInterval->low), endOf(entry.kernelInterval->high)});
      entry.source = TimeSource::kConditioned;
    }
  }

  /// Of the error of a kernel, 0 where that is not known.
  double deviationAt(size_t place, size_t kernel) const {
    const DevicePrediction &device = *devices_[place];
    if (device.ruledOut() || !device.kernels[kernel].kernelInterval ||
        !(device.kernels[kernel].cost.seconds > 0))
      return 0;
    return errorDeviationOf(*device.kernels[kernel].kernelInterval);
  }
  double widthOf(size_t place, size_t kernel) const {
    const Entry &entry = devices_[place]->kernels[kernel];
    return entry.interval ? entry.interval->high - entry.interval->low : 0;
  }

  static void addUp(DevicePrediction &device) {
    Entry sum;
    for (Entry &kernel : device.kernels) {
      kernel.energyJoules = energyJoules(device.candidate.device, kernel);
      add(sum, kernel);
    }
    sum.measured = device.application.measured;
    sum.energyJoules = energyJoules(device.candidate.device, sum);
    device.application = sum;
  }

  const CostModel &model_;
  std::vector<DevicePrediction *> devices_;
  std::vector<std::optional<CorrelatedErrors>> errors_; ///< by kernel; none: nothing was measured
};

} // namespace

std::string_view toString(TimeSource source) {
  constexpr std::array<std::string_view, 3> kNames = {"predicted", "conditioned", "measured"};
  return kNames[static_cast<size_t>(source)];
}

Comparison compared(double seconds, const Interval &interval, double otherSeconds,
                    const Interval &otherInterval, double correlation) {
  const double a = errorDeviationOf(interval);
  const double b = errorDeviationOf(otherInterval);
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
  entry.seconds = entry.unconditioned = entry.cost.seconds + entry.transferSeconds;
  entry.interval = launch.interval(device, entry.cost, exposed);
  entry.energyJoules = energyJoules(device, entry);
  entry.rank = 1;
  return entry;
}

Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   double exposed, std::span<const DeviceProfile> measuredOn) {
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
  std::optional<Conditioning> conditioning;
  if (!measuredOn.empty())
    conditioning.emplace(invocations, groups, measuredOn, prediction);
  for (size_t i = 0; i < prediction.kernels.size(); ++i)
    rank(prediction, i, [&](size_t a, size_t b) {
      return conditioning ? conditioning->correlation(i, a, b) : model.errorCorrelation();
    });
  rank(prediction, std::nullopt, [&](size_t a, size_t b) {
    return conditioning ? conditioning->correlation(a, b) : model.errorCorrelation();
  });
  return prediction;
}

std::vector<RankedEntry> ranked(const Prediction &prediction, std::optional<size_t> kernel) {
  std::vector<RankedEntry> result;
  for (const DevicePrediction &device : prediction.devices)
    if (const Entry &entry = entryOf(device, kernel); !device.ruledOut() && entry.launches > 0)
      result.push_back({&device, &entry});
  std::ranges::stable_sort(result, {}, [](const RankedEntry &one) {
    return std::pair(one.entry->rank, std::string_view(one.device->candidate.device.id));
  });
  return result;
}

} // namespace aiwc::predict
