#include "predict/prediction.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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

Grouped grouped(std::span<const Invocation> invocations, const CostModel &model) {
  Grouped result;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, size_t> indices;
  std::unordered_map<std::string_view, size_t> kernelsOfName;
  for (const Invocation &invocation : invocations) {
    const std::string &name = invocation.work.kernel;
    const auto [found, isNew] = indices.try_emplace(
        {name, invocation.sourceHash, invocation.buildOptions}, result.kernels.size());
    if (isNew) {
      result.kernels.push_back({.name = name, .sourceHash = invocation.sourceHash});
      ++kernelsOfName[name];
    }
    PredictedKernel &kernel = result.kernels[found->second];
    ++kernel.invocations;
    kernel.sampled += invocation.sampled ? 1 : 0;
    kernel.extrapolated += invocation.extrapolated ? 1 : 0;
    kernel.withErrors += invocation.simulatorErrors > 0 ? 1 : 0;
    kernel.simulatorErrors += invocation.simulatorErrors;
    kernel.footprintBytes = std::max(
        kernel.footprintBytes, static_cast<double>(invocation.work.footprintBytes.value_or(0)));
    for (std::string &difference : model.unlike(invocation.work))
      if (std::ranges::find(kernel.unlike, difference) == kernel.unlike.end())
        kernel.unlike.push_back(std::move(difference));
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

/// Adds to a sum that starts as Cost{}; `roofSeconds` is the time of the operations at the
/// roofline.
void add(Cost &sum, const Cost &cost, double &roofSeconds, bool first) {
  for (size_t i = 0; i < kTermCount; ++i)
    sum.terms[i] += cost.terms[i];
  for (size_t i = 0; i < kMostParts; ++i)
    sum.parts[i] += cost.parts[i];
  sum.seconds += cost.seconds;
  sum.operations += cost.operations;
  sum.slowBytes += cost.slowBytes;
  sum.fastBytes += cost.fastBytes;
  sum.floatingPoint = (first || sum.floatingPoint) && cost.floatingPoint;
  sum.doubleRateForSingle = sum.doubleRateForSingle || cost.doubleRateForSingle;
  if (cost.operations > 0)
    roofSeconds += cost.operations / (cost.rooflineGflops * 1e9);
}

void finish(Cost &sum, double roofSeconds) {
  sum.boundBy = static_cast<size_t>(std::ranges::max_element(sum.parts) - sum.parts.begin());
  sum.upperBoundGflops = sum.seconds > 0 ? sum.operations / sum.seconds / 1e9 : 0;
  sum.intensity =
      sum.slowBytes > 0 ? sum.operations / sum.slowBytes : std::numeric_limits<double>::infinity();
  sum.rooflineGflops = roofSeconds > 0 ? sum.operations / roofSeconds / 1e9 : 0;
}

std::optional<double> energyJoules(const DeviceProfile &device, const Entry &entry) {
  if (!device.has(Parameter::kTdp))
    return std::nullopt;
  const double busyPower = device[Parameter::kTdp];
  const double idlePower =
      device.has(Parameter::kIdlePower) ? device[Parameter::kIdlePower] : busyPower;
  const auto term = [&](Term which) { return entry.cost.terms[static_cast<size_t>(which)]; };
  const double busy = term(Term::kCompute) + term(Term::kFastMemory) + term(Term::kSlowMemory);
  return busyPower * busy + idlePower * (entry.seconds - busy);
}

std::optional<Interval> intervalOf(double seconds, const DeviceProfile &device,
                                   const CostModel &model) {
  const std::optional<Interval> factors = model.interval(device);
  if (!factors)
    return std::nullopt;
  return Interval{seconds * factors->low, seconds * factors->high};
}

void requireRatio(double exposed) {
  if (!(exposed >= 0 && exposed <= 1))
    throw Error(fmt::format("prediction: a transfer ratio of {:g}: expected 0 to 1", exposed));
}

/// Includes the host link if anything crosses it.
std::vector<Parameter> lackingForAll(std::span<const Invocation> invocations,
                                     const DeviceProfile &device, const CostModel &model,
                                     double exposed) {
  std::vector<Parameter> missing;
  const auto miss = [&](Parameter parameter) {
    if (std::ranges::find(missing, parameter) == missing.end())
      missing.push_back(parameter);
  };
  for (const Invocation &invocation : invocations) {
    for (const Parameter parameter : model.lacking(invocation.work, device))
      miss(parameter);
    if (exposed == 0)
      continue;
    for (const HostTraffic &traffic : {invocation.work.hostWrites, invocation.work.hostReads})
      for (const Parameter parameter : model.lackingForTransfers(traffic, device))
        miss(parameter);
  }
  std::ranges::sort(missing);
  return missing;
}

std::vector<std::string> lackingCurves(std::span<const Invocation> invocations,
                                       const DeviceProfile &device, const CostModel &model) {
  std::vector<std::string> missing;
  for (const Invocation &invocation : invocations)
    for (std::string &key : model.lackingCurves(invocation.work, device))
      if (std::ranges::find(missing, key) == missing.end())
        missing.push_back(std::move(key));
  return missing;
}

double allTransfers(const KernelWork &work, const DeviceProfile &device, const CostModel &model) {
  double seconds = 0;
  for (const HostTraffic &traffic : {work.hostWrites, work.hostReads})
    if (work.unknownTransfers.empty() && model.lackingForTransfers(traffic, device).empty())
      seconds += model.transferSeconds(traffic, device);
  return seconds;
}

DevicePrediction predictFor(const Candidate &candidate, std::span<const Invocation> invocations,
                            const Grouped &groups, const CostModel &model, double exposed) {
  DevicePrediction prediction;
  prediction.candidate = candidate;
  const DeviceProfile &device = candidate.device;
  prediction.lacking = lackingForAll(invocations, device, model, exposed);
  prediction.lackingCurves = lackingCurves(invocations, device, model);
  prediction.known = model.knows(device);
  if (prediction.ruledOut()) {
    if (candidate.mayBeOut)
      return prediction;
    if (prediction.lacking.empty())
      throw MissingParameter(fmt::format("device {}: no {}, which this prediction needs: expected "
                                         "the curves of aiwc devices measure",
                                         device.id, prediction.lackingCurves.front()));
    const ParameterInfo &first = info(prediction.lacking.front());
    throw MissingParameter(fmt::format("device {}: no {}, which this prediction needs: {}",
                                       device.id, first.key, first.description));
  }
  struct Sum {
    Entry entry;
    double roofSeconds = 0;
    bool first = true;
  };
  std::vector<Sum> sums(groups.kernels.size());
  Sum all;
  for (size_t i = 0; i < invocations.size(); ++i) {
    prediction.allTransferSeconds += allTransfers(invocations[i].work, device, model);
    const Entry one = predictOne(invocations[i].work, device, model, exposed);
    for (Sum *sum : {&sums[groups.kernelOf[i]], &all}) {
      add(sum->entry.cost, one.cost, sum->roofSeconds, sum->first);
      sum->entry.transferSeconds += one.transferSeconds;
      sum->first = false;
    }
  }
  const auto finished = [&](Sum &sum) {
    finish(sum.entry.cost, sum.roofSeconds);
    sum.entry.seconds = sum.entry.cost.seconds + sum.entry.transferSeconds;
    sum.entry.interval = intervalOf(sum.entry.seconds, device, model);
    sum.entry.energyJoules = energyJoules(device, sum.entry);
    return sum.entry;
  };
  for (Sum &sum : sums)
    prediction.kernels.push_back(finished(sum));
  prediction.application = finished(all);
  return prediction;
}

/// `entryOf` gives the entry of a device that is to be ranked among those of the others.
template <typename EntryOf> void rank(std::vector<DevicePrediction> &devices, EntryOf entryOf) {
  std::vector<Entry *> entries;
  for (DevicePrediction &device : devices)
    if (!device.ruledOut())
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
    entry->tie = entry != *best && entry->interval && (*best)->interval &&
                 entry->interval->low < (*best)->interval->high;
}

} // namespace

size_t Entry::boundBy() const {
  return transferSeconds > cost.parts[cost.boundBy] ? kTransfers : cost.boundBy;
}

std::string_view partName(std::span<const TermInfo> parts, size_t part) {
  return part == Entry::kTransfers ? "transfers" : parts[part].name;
}

std::vector<std::string> DevicePrediction::lackingKeys() const {
  std::vector<std::string> keys;
  for (const Parameter parameter : lacking)
    keys.emplace_back(info(parameter).key);
  keys.insert(keys.end(), lackingCurves.begin(), lackingCurves.end());
  return keys;
}

Invocation::Invocation(std::string file, const profile::KernelProfile &profile)
    : file(std::move(file)), work(KernelWork::from(profile)),
      sourceHash(profile.provenance.sourceHash), buildOptions(profile.provenance.buildOptions),
      sampled(profile.provenance.sampled()), extrapolated(profile.provenance.extrapolated()),
      simulatorErrors(profile.simulatorErrors) {}

Entry predictOne(const KernelWork &work, const DeviceProfile &device, const CostModel &model,
                 double exposed) {
  requireRatio(exposed);
  Entry entry;
  entry.cost = model.cost(work, device, 1);
  if (exposed > 0) {
    work.requireTransfers();
    entry.transferSeconds = exposed * (model.transferSeconds(work.hostWrites, device) +
                                       model.transferSeconds(work.hostReads, device));
  }
  entry.seconds = entry.cost.seconds + entry.transferSeconds;
  entry.interval = intervalOf(entry.seconds, device, model);
  entry.energyJoules = energyJoules(device, entry);
  entry.rank = 1;
  return entry;
}

Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   const CostModel &model, double exposed) {
  if (invocations.empty())
    throw Error("prediction: no kernel invocations: expected at least one profile");
  if (devices.empty())
    throw Error("prediction: no devices: expected at least one");
  requireRatio(exposed);
  for (const Invocation &invocation : invocations) {
    std::string found = model.unusable(invocation.work);
    if (found.empty() && exposed > 0)
      found = invocation.work.unknownTransfers;
    if (!found.empty())
      throw Error(fmt::format("{}: {}", invocation.file, found));
  }

  const Grouped groups = grouped(invocations, model);
  Prediction prediction;
  prediction.model = model.name();
  prediction.parts.assign(model.parts().begin(), model.parts().end());
  prediction.rates = model.rates();
  prediction.exposedTransfers = exposed;
  prediction.kernels = groups.kernels;
  for (const Candidate &candidate : devices)
    prediction.devices.push_back(predictFor(candidate, invocations, groups, model, exposed));
  for (size_t i = 0; i < prediction.kernels.size(); ++i)
    rank(prediction.devices,
         [i](DevicePrediction &device) -> Entry & { return device.kernels[i]; });
  rank(prediction.devices, [](DevicePrediction &device) -> Entry & { return device.application; });
  return prediction;
}

} // namespace aiwc::predict
