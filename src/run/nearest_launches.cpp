#include "run/nearest_launches.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace aiwc::run {

namespace {

/// Launches of the same sizes and arguments.
struct SameWork {
  const Launch *example = nullptr;
  std::vector<double> arguments;        ///< on a logarithmic scale, as scaleOf
  std::vector<const Launch *> launches; ///< characterised, in the order of the run
};

/// A smaller one is nearer: whether numbers of arguments and of dimensions and local sizes differ,
/// how much global sizes do, how much arguments do.
using Distance = std::tuple<bool, bool, double, double>;

double logarithm(double value) {
  return std::copysign(std::log2(1 + std::abs(value)), value);
}

/// A value that is no number is its size.
double scaleOf(const Argument &argument) {
  double value = 0;
  const char *const end = argument.value.data() + argument.value.size();
  if (argument.kind == Argument::Kind::kValue &&
      std::from_chars(argument.value.data(), end, value).ec == std::errc() && std::isfinite(value))
    return logarithm(value);
  return logarithm(static_cast<double>(argument.bytes));
}

/// The sum of the differences; the greatest is put into `most`.
double difference(const std::vector<double> &a, const std::vector<double> &b, double &most) {
  double sum = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    sum += std::abs(a[i] - b[i]);
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return sum;
}

double workItemsOf(const Launch &launch) {
  double items = 1;
  for (const uint64_t size : launch.globalSize)
    items *= static_cast<double>(std::max<uint64_t>(size, 1));
  return items;
}

Distance distance(const SameWork &a, const SameWork &b) {
  double sizes = 0;
  for (size_t i = 0; i < a.example->globalSize.size(); ++i)
    sizes += std::abs(logarithm(static_cast<double>(a.example->globalSize[i])) -
                      logarithm(static_cast<double>(b.example->globalSize[i])));
  double most = 0;
  const double arguments = difference(a.arguments, b.arguments, most);
  return {a.arguments.size() != b.arguments.size() || a.example->workDim != b.example->workDim,
          a.example->localSize != b.example->localSize, sizes, arguments};
}

std::vector<double> scalesOf(const Launch &launch) {
  std::vector<double> scales;
  scales.reserve(launch.arguments.size());
  for (const Argument &argument : launch.arguments)
    scales.push_back(scaleOf(argument));
  return scales;
}

SameWork kindOf(const Launch &launch) {
  return {&launch, scalesOf(launch), {}};
}

/// Whether the two differ in nothing but the arguments in which the counted one may.
bool isOfItsKind(const Launch &launch, const Launch &counted) {
  if (launch.codeHash != counted.codeHash || launch.workDim != counted.workDim ||
      launch.globalOffset != counted.globalOffset || launch.globalSize != counted.globalSize ||
      launch.localSize != counted.localSize || launch.arguments.size() != counted.arguments.size())
    return false;
  for (size_t i = 0; i < launch.arguments.size(); ++i)
    if (launch.arguments[i].bytes != counted.arguments[i].bytes ||
        (differ(launch.arguments[i], counted.arguments[i]) &&
         std::ranges::find(*counted.differsIn, i) == counted.differsIn->end()))
      return false;
  return true;
}

/// Of a counted launch from one that may represent it. Where instructions are a twentieth apart and
/// arguments a factor of two, both count alike.
double distanceOfCounted(const Launch &launch, const Launch &counted) {
  constexpr double kInstructions = 16;
  double most = 0;
  return kInstructions * std::abs(logarithm(static_cast<double>(launch.instructions)) -
                                  logarithm(static_cast<double>(counted.instructions))) +
         difference(scalesOf(launch), scalesOf(counted), most);
}

/// Of a launch without a profile, the program is not known.
std::string keyOf(Launch launch) {
  launch.sourceHash.clear();
  launch.buildOptions.clear();
  return workOf(launch);
}

bool comesBefore(const Launch *a, const Launch *b) {
  return std::tie(a->process, a->number) < std::tie(b->process, b->number);
}

/// The nearest in the order of the launches, but not `launch` itself; null if there is no other.
const Launch *nearestIn(const SameWork &kind, const Launch &launch) {
  const auto apart = [&](const Launch *other) {
    return std::pair(other->process != launch.process, std::max(other->number, launch.number) -
                                                           std::min(other->number, launch.number));
  };
  const auto at = std::ranges::lower_bound(kind.launches, &launch, comesBefore);
  const Launch *nearest = nullptr;
  for (auto later = at; later != kind.launches.end() && !nearest; ++later)
    if (*later != &launch)
      nearest = *later;
  for (auto earlier = at; earlier != kind.launches.begin();)
    if (*--earlier != &launch) {
      if (!nearest || apart(*earlier) <= apart(nearest))
        nearest = *earlier;
      break;
    }
  return nearest;
}

/// The characterised launches of one kernel.
class Characterised {
public:
  void add(const Launch &launch) {
    const auto [place, isNew] = places_.try_emplace(keyOf(launch), kinds_.size());
    if (isNew)
      kinds_.push_back(kindOf(launch));
    kinds_[place->second].launches.push_back(&launch);
    byInstructions_.emplace(launch.instructions, &launch);
    byProfile_.emplace(launch.profile, launch.instructions);
  }
  void sort() {
    for (SameWork &kind : kinds_)
      std::ranges::sort(kind.launches, comesBefore);
  }
  bool empty() const { return kinds_.empty(); }
  /// Of the same sizes and arguments.
  bool has(const Launch &launch) const { return places_.contains(keyOf(launch)); }

  /// The nearest launch but `launch` itself; null if there is none.
  const Launch *nearest(const Launch &launch) const {
    std::string key = keyOf(launch);
    if (const auto same = places_.find(key); same != places_.end())
      if (const Launch *found = nearestIn(kinds_[same->second], launch))
        return found;
    auto [place, isNew] = nearestKinds_.try_emplace(std::move(key), kinds_.size());
    if (isNew)
      place->second = nearestOther(kindOf(launch), place->first);
    return place->second == kinds_.size() ? nullptr : nearestIn(kinds_[place->second], launch);
  }

  /// The nearest launch of the same kind to a counted one; null if none is left of those that may
  /// represent it.
  const Launch *nearestToCounted(const Launch &counted) const {
    const uint64_t range = nearRange(counted.instructions);
    const Launch *best = nullptr;
    double least = 0;
    for (auto at = byInstructions_.lower_bound(counted.instructions - range);
         at != byInstructions_.end() && at->first <= counted.instructions + range; ++at) {
      if (!isOfItsKind(*at->second, counted))
        continue;
      const double apart = distanceOfCounted(*at->second, counted);
      if (!best || apart < least || (apart == least && comesBefore(at->second, best))) {
        best = at->second;
        least = apart;
      }
    }
    return best;
  }

  /// Of the launch that `estimated` has its profile from.
  uint64_t instructionsOf(const Launch &estimated) const {
    const auto found = byProfile_.find(estimated.profile);
    return found == byProfile_.end() ? estimated.instructions : found->second;
  }

  /// KernelCoverage::error.
  std::optional<double> error() const {
    double sum = 0;
    double off = 0;
    for (const SameWork &kind : kinds_)
      for (const Launch *launch : kind.launches) {
        const Launch *other = nearest(*launch);
        if (!other)
          return std::nullopt;
        const auto instructions = static_cast<double>(launch->instructions);
        sum += instructions;
        off += std::abs(instructions - static_cast<double>(other->instructions) *
                                           workItemsOf(*launch) / workItemsOf(*other));
      }
    return sum > 0 ? off / sum : 0;
  }

private:
  size_t nearestOther(const SameWork &wanted, const std::string &key) const {
    const auto own = places_.find(key);
    size_t best = kinds_.size();
    Distance least;
    for (size_t i = 0; i < kinds_.size(); ++i) {
      if (own != places_.end() && own->second == i)
        continue;
      const Distance apart = distance(wanted, kinds_[i]);
      if (best == kinds_.size() || apart < least) {
        best = i;
        least = apart;
      }
    }
    return best;
  }

  std::vector<SameWork> kinds_;
  std::unordered_map<std::string, size_t> places_;
  std::multimap<uint64_t, const Launch *> byInstructions_;
  std::unordered_map<std::string, uint64_t> byProfile_;          ///< instructions
  mutable std::unordered_map<std::string, size_t> nearestKinds_; ///< of other kinds
};

/// What is known of `launch` if `nearest` represents it.
void estimate(Launch &launch, const Launch &nearest) {
  launch.profile = nearest.profile;
  launch.nearestTo = nearest.number;
  launch.sourceHash = nearest.sourceHash;
  launch.buildOptions = nearest.buildOptions;
  launch.source = nearest.source;
  launch.sampledGroups = nearest.sampledGroups;
  if (launch.counted())
    return;
  constexpr double kMost = 9e18; // fits into 64 bits
  launch.instructions = static_cast<uint64_t>(
      std::min(kMost, std::round(static_cast<double>(nearest.instructions) * workItemsOf(launch) /
                                 workItemsOf(nearest))));
  for (size_t i = 0; i < launch.localSize.size(); ++i)
    if (launch.localSize[i] == 0) // the application's own device has chosen it
      launch.localSize[i] = std::gcd(launch.globalSize[i], nearest.localSize[i]);
}

using ByKernel = std::map<std::string, Characterised>;

ByKernel characterisedOf(const Run &run) {
  ByKernel kernels;
  for (const Launch &launch : run.launches)
    if (launch.characterised() && launch.complete)
      kernels[launch.kernel].add(launch);
  for (auto &[kernel, launches] : kernels)
    launches.sort();
  return kernels;
}

void standInForCounted(Run &run, const ByKernel &kernels) {
  for (Launch &launch : run.launches)
    if (launch.counted() && !launch.hasProfile())
      if (const auto kernel = kernels.find(launch.kernel); kernel != kernels.end())
        if (const Launch *nearest = kernel->second.nearestToCounted(launch))
          estimate(launch, *nearest);
}

/// By how much the instructions of those that represent counted launches are off.
struct CountedError {
  double sum = 0, off = 0;
};

/// Adds the launch to what is known of its kernel.
void add(const Launch &launch, const Characterised &known, KernelCoverage &kernel,
         CountedError &error) {
  ++kernel.estimated;
  if (!launch.counted())
    return;
  ++kernel.counted;
  kernel.sameWork = false;
  const auto own = static_cast<double>(launch.instructions);
  error.sum += own;
  error.off += std::abs(own - static_cast<double>(known.instructionsOf(launch)));
}

} // namespace

bool isNear(const Launch &characterised, const Launch &counted) {
  const uint64_t a = characterised.instructions, b = counted.instructions;
  if (std::max(a, b) - std::min(a, b) > nearRange(b))
    return false;
  constexpr double kMostFactor = 1; // a factor of two, on the logarithmic scale
  double most = 0;
  difference(scalesOf(characterised), scalesOf(counted), most);
  return most <= kMostFactor;
}

void standInForCounted(Run &run) {
  standInForCounted(run, characterisedOf(run));
}

std::vector<KernelCoverage> estimateFromNearest(Run &run) {
  ByKernel characterised = characterisedOf(run);
  standInForCounted(run, characterised);
  std::vector<KernelCoverage> kernels;
  std::map<std::string, size_t> places;
  std::map<std::string, CountedError> errors;
  for (Launch &launch : run.launches) {
    const auto [place, isNew] = places.try_emplace(launch.kernel, kernels.size());
    if (isNew)
      kernels.emplace_back().kernel = launch.kernel;
    KernelCoverage &kernel = kernels[place->second];
    ++kernel.launches;
    kernel.characterised += launch.characterised();
    kernel.represented += launch.representative.has_value();
    const Characterised &known = characterised[launch.kernel];
    if (launch.hasProfile()) {
      if (launch.nearestTo)
        add(launch, known, kernel, errors[launch.kernel]);
      continue;
    }
    const Launch *nearest = known.nearest(launch);
    if (!nearest)
      continue;
    kernel.sameWork = kernel.sameWork && known.has(launch);
    estimate(launch, *nearest);
    add(launch, known, kernel, errors[launch.kernel]);
  }
  for (KernelCoverage &kernel : kernels)
    if (const CountedError &error = errors[kernel.kernel];
        kernel.estimated > 0 && kernel.counted == kernel.estimated)
      kernel.error = error.sum > 0 ? error.off / error.sum : 0;
    else if (kernel.estimated > 0)
      kernel.error = characterised[kernel.kernel].error();
  return kernels;
}

} // namespace aiwc::run
