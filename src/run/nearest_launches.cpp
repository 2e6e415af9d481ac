#include "run/nearest_launches.h"

#include "profile/source_hash.h"

#include <fmt/format.h>

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

/// The sum of the differences.
double difference(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    sum += std::abs(a[i] - b[i]);
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
  return {a.arguments.size() != b.arguments.size() || a.example->workDim != b.example->workDim,
          a.example->localSize != b.example->localSize, sizes,
          difference(a.arguments, b.arguments)};
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

/// The program makes no difference here.
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
  }
  void sort() {
    for (SameWork &kind : kinds_)
      std::ranges::sort(kind.launches, comesBefore);
  }
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
  mutable std::unordered_map<std::string, size_t> nearestKinds_; ///< of other kinds
};

/// What is known of `launch` if `nearest` represents it.
void estimate(Launch &launch, const Launch &nearest) {
  launch.profile = nearest.profile;
  launch.nearestTo = nearest.number;
  if (launch.codeHash.empty()) {
    launch.sourceHash = nearest.sourceHash;
    launch.codeHash = nearest.codeHash;
    launch.buildOptions = nearest.buildOptions;
  }
  launch.source = nearest.source;
  launch.sampledGroups = nearest.sampledGroups;
  constexpr double kMost = 9e18; // fits into 64 bits
  launch.instructions = static_cast<uint64_t>(
      std::min(kMost, std::round(static_cast<double>(nearest.instructions) * workItemsOf(launch) /
                                 workItemsOf(nearest))));
  for (size_t i = 0; i < launch.localSize.size(); ++i)
    if (launch.localSize[i] == 0) // the application's own device has chosen it
      launch.localSize[i] = std::gcd(launch.globalSize[i], nearest.localSize[i]);
}

/// What launches of one kernel have in common, the most telling first: name and code, name and
/// source, the name alone. What is not known is left out.
std::vector<std::string> commonOf(const Launch &launch) {
  std::vector<std::string> all;
  if (!launch.codeHash.empty())
    all.push_back(fmt::format("{}\ncode {}", launch.kernel, launch.codeHash));
  if (!launch.sourceHash.empty())
    all.push_back(
        fmt::format("{}\nsource {} {}", launch.kernel, launch.sourceHash, launch.buildOptions));
  all.push_back(launch.kernel);
  return all;
}

/// By the most telling of what the launches without a profile have: the characterised ones that
/// have it, too.
std::map<std::string, Characterised> characterisedOf(const Run &run) {
  std::map<std::string, Characterised> kernels;
  for (const Launch &launch : run.launches)
    if (!launch.hasProfile())
      kernels.try_emplace(commonOf(launch).front());
  for (const Launch &launch : run.launches)
    if (!kernels.empty() && launch.characterised() && launch.complete)
      for (const std::string &common : commonOf(launch))
        if (const auto found = kernels.find(common); found != kernels.end())
          found->second.add(launch);
  for (auto &[kernel, launches] : kernels)
    launches.sort();
  return kernels;
}

} // namespace

std::vector<KernelCoverage> estimateFromNearest(Run &run) {
  const std::map<std::string, Characterised> characterised = characterisedOf(run);
  std::vector<KernelCoverage> kernels;
  std::map<KernelKey, size_t> places;
  std::vector<profile::NamedCode> codes;
  for (Launch &launch : run.launches) {
    const Characterised *known = nullptr; // null if the launch has a profile or gets none
    bool isSameWork = true;
    if (!launch.hasProfile()) {
      known = &characterised.at(commonOf(launch).front());
      isSameWork = known->has(launch);
      if (const Launch *nearest = known->nearest(launch))
        estimate(launch, *nearest);
      else
        known = nullptr;
    }
    const auto [place, isNew] = places.try_emplace(kernelOf(launch), kernels.size());
    if (isNew) {
      kernels.push_back({.key = place->first, .label = launch.kernel});
      codes.push_back({launch.kernel, launch.sourceHash, launch.buildOptions});
    }
    KernelCoverage &kernel = kernels[place->second];
    ++kernel.launches;
    kernel.characterised += launch.characterised();
    kernel.represented += launch.representative.has_value();
    if (!known)
      continue;
    kernel.sameWork = kernel.sameWork && isSameWork;
    if (++kernel.estimated == 1)
      kernel.error = known->error();
  }
  const std::vector<std::string> apart = profile::toldApart(codes);
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i].label += apart[i];
  return kernels;
}

} // namespace aiwc::run
