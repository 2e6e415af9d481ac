#include "advice/rules/rule.h"
#include "predict/widened.h"
#include "profile/kernel_words.h"

#include <numeric>
#include <unordered_map>

namespace aiwc::advice {

namespace {

#define AIWC_RULE(Name) &rule::k##Name,
constexpr std::array kDefinitions = {AIWC_ALL_RULES(AIWC_RULE)};
#undef AIWC_RULE

} // namespace

std::span<const RuleInfo> rules() {
  static const auto kInfos = [] {
    std::vector<RuleInfo> infos;
    infos.reserve(kDefinitions.size());
    for (const rule::Definition *definition : kDefinitions)
      infos.push_back(definition->info);
    return infos;
  }();
  return kInfos;
}

const RuleInfo &info(Rule rule) {
  return kDefinitions[static_cast<size_t>(rule)]->info;
}

double factorOf(double seconds, double saved) {
  return seconds > saved ? seconds / (seconds - saved) : 1;
}

uint64_t Finding::line() const {
  const auto place =
      std::ranges::find_if(evidence, [](const Evidence &one) { return one.line > 0; });
  return place == evidence.end() ? 0 : place->line;
}

double Finding::largestGain() const {
  double largest = 1;
  for (const Gain &gain : gains)
    largest = std::max(largest, gain.factor);
  return largest;
}

double Finding::expectedGain() const {
  double largest = 1;
  for (const Gain &gain : gains)
    largest = std::max(largest, gain.expected());
  return largest;
}

rule::ExaminedRun::ExaminedRun(std::span<const KernelProfile *const> launches,
                               std::span<const DeviceProfile> devices,
                               const predict::FittedCostModel &model)
    : launches_(launches), devices_(devices), model_(model), times_(devices.size()) {
  std::unordered_map<const KernelProfile *, std::vector<Times>> known; // launches share profiles
  for (size_t n = 0; n < launches.size(); ++n) {
    const auto [place, isNew] = known.try_emplace(launches[n], devices.size());
    std::vector<Times> &times = place->second;
    const predict::LaunchTraffic traffic(*launches[n]);
    transfersKnown_ = transfersKnown_ && traffic.unknown.empty();
    if (isNew) {
      const ExaminedLaunch launch(*launches[n], devices, model);
      const predict::CostedLaunch costed(*launches[n], model);
      for (size_t i = 0; i < devices.size(); ++i)
        times[i] = {launch.costs()[i].seconds, launch.partSeconds(i, "launch"),
                    traffic.unknown.empty() ? costed.transferSeconds(devices[i]) : 0};
    }
    for (size_t i = 0; i < devices.size(); ++i) {
      times_[i].kernels += times[i].kernels;
      times_[i].starts += times[i].starts;
      times_[i].transfers += times[i].transfers;
    }
    const auto add = [](predict::HostTraffic &sum, const predict::HostTraffic &more) {
      sum.bytes += more.bytes;
      sum.transfers += more.transfers;
    };
    add(writes_, traffic.writes);
    add(reads_, traffic.reads);
    constexpr double kFewBytes = 1024;
    if (n + 1 < launches.size() && traffic.reads.transfers > 0 &&
        traffic.reads.bytes <= kFewBytes * traffic.reads.transfers)
      add(roundTrips_, traffic.reads);
  }
  if (transfersKnown_)
    return;
  for (predict::HostTraffic *traffic : {&writes_, &reads_, &roundTrips_})
    *traffic = {0, 0, traffic->direction};
  for (Times &times : times_)
    times.transfers = 0;
}

namespace {

double sumOf(const std::vector<double> &seconds) {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

/// A finding of one rule in several launches.
class JointFinding {
public:
  explicit JointFinding(size_t devices)
      : saved_(devices), ends_(devices, {0, 0}), likelySaved_(devices, Likely{}), most_(-1) {}

  /// The rule has found `finding` in `launch`, which is that of `kind`.
  void add(Finding finding, const rule::ExaminedLaunch &launch, const LaunchKind &kind) {
    const uint64_t launches = kind.launches;
    found_ += launches;
    std::vector<double> costs;
    for (size_t i = 0; i < saved_.size(); ++i) {
      const double seconds = launch.costs()[i].seconds * static_cast<double>(launches);
      const auto savedBy = [&](double factor) { return seconds * (1 - 1 / factor); };
      // A cost without a gain ranks by the time of the launches that have it.
      costs.push_back(finding.gains.empty() ? seconds : savedBy(finding.gains[i].factor));
      if (finding.gains.empty())
        continue;
      const Gain &gain = finding.gains[i];
      const auto ends = [&](double of, const predict::Interval &range) {
        const predict::Interval wider =
            predict::widened({range.low / of, range.high / of}, 1, kind.errorFactor);
        return predict::Interval{savedBy(of * wider.low), savedBy(of * wider.high)};
      };
      saved_[i] += costs.back();
      const predict::Interval most = ends(gain.factor, gain.factorRange);
      ends_[i].low += most.low;
      ends_[i].high += most.high;
      if (gain.likely && likelySaved_[i]) {
        likelySaved_[i]->seconds += savedBy(*gain.likely);
        const predict::Interval likely = ends(*gain.likely, gain.likelyRange);
        likelySaved_[i]->ends.low += likely.low;
        likelySaved_[i]->ends.high += likely.high;
      } else {
        likelySaved_[i].reset();
      }
    }
    const double weight = sumOf(costs) / static_cast<double>(launches);
    if (weight <= most_)
      return;
    most_ = weight;
    invocation_ = launch.profile().provenance.invocation;
    finding_ = std::move(finding);
  }

  /// `seconds`: of all launches, by device.
  std::optional<Finding> finding(const std::vector<double> &seconds, uint64_t launches,
                                 bool alike) && {
    if (found_ == 0)
      return std::nullopt;
    for (size_t i = 0; i < finding_.gains.size(); ++i) {
      Gain &gain = finding_.gains[i];
      const auto factors = [&](const predict::Interval &saved) {
        return predict::Interval{factorOf(seconds[i], saved.low), factorOf(seconds[i], saved.high)};
      };
      gain.savedSeconds = saved_[i];
      gain.factor = factorOf(seconds[i], saved_[i]);
      gain.factorRange = factors(ends_[i]);
      gain.likely.reset();
      if (const auto &likely = likelySaved_[i]) {
        gain.likelySavedSeconds = likely->seconds;
        gain.likely = factorOf(seconds[i], likely->seconds);
        gain.likelyRange = factors(likely->ends);
      }
    }
    if (!finding_.gains.empty() && finding_.largestGain() < kLeastGain)
      return std::nullopt;
    if (!alike)
      finding_.problem +=
          fmt::format(" (In invocation {}; {} of {} launches have this.)", invocation_,
                      found_ == launches ? "all" : text::formatReadable(found_),
                      text::formatReadable(launches));
    return std::move(finding_);
  }

private:
  std::vector<double> saved_; ///< s, by device
  /// At the ends of the intervals, as if all launches were off in the same direction.
  std::vector<predict::Interval> ends_;
  /// The same of what is likely; none where a launch does not tell.
  struct Likely {
    double seconds = 0;
    predict::Interval ends = {0, 0};
  };
  std::vector<std::optional<Likely>> likelySaved_;
  double most_; ///< s of one launch, on all devices
  uint64_t invocation_ = 0;
  uint64_t found_ = 0; ///< launches
  Finding finding_;
};

} // namespace

std::vector<Finding> findingsOf(std::span<const LaunchKind> launches,
                                std::span<const predict::DeviceProfile> devices,
                                const predict::FittedCostModel &model) {
  std::vector<JointFinding> joint(kDefinitions.size(), JointFinding(devices.size()));
  std::vector<double> seconds(devices.size());
  for (const LaunchKind &kind : launches) {
    const rule::ExaminedLaunch launch(*kind.profile, devices, model);
    for (size_t i = 0; i < devices.size(); ++i)
      seconds[i] += launch.costs()[i].seconds * static_cast<double>(kind.launches);
    for (size_t k = 0; k < kDefinitions.size(); ++k)
      if (kDefinitions[k]->find)
        if (std::optional<Finding> finding = kDefinitions[k]->find(launch)) {
          finding->rule = kDefinitions[k]->info.rule;
          joint[k].add(std::move(*finding), launch, kind);
        }
  }
  std::vector<Finding> findings;
  for (JointFinding &one : joint)
    if (auto finding = std::move(one).finding(seconds, launchesOf(launches), launches.size() == 1))
      findings.push_back(std::move(*finding));
  for (Finding &finding : findings) {
    const auto inWords = [&](std::string &text) {
      text = profile::inWordsOf(launches.front().profile->provenance.sourceKind, std::move(text));
    };
    if (finding.title.empty())
      finding.title = info(finding.rule).title;
    inWords(finding.title);
    inWords(finding.problem);
    inWords(finding.remedy);
    for (Evidence &evidence : finding.evidence)
      inWords(evidence.text);
  }
  std::ranges::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return std::pair(a.gains.empty(), -a.expectedGain()) <
           std::pair(b.gains.empty(), -b.expectedGain());
  });
  return findings;
}

std::vector<double> secondsOf(std::span<const LaunchKind> launches,
                              std::span<const predict::DeviceProfile> devices,
                              const predict::FittedCostModel &model) {
  std::vector<double> seconds(devices.size());
  for (const LaunchKind &kind : launches)
    for (size_t i = 0; i < devices.size(); ++i)
      seconds[i] += static_cast<double>(kind.launches) *
                    model.cost(predict::demandOf(*kind.profile), devices[i]).seconds;
  return seconds;
}

std::vector<Finding> findingsOf(const profile::KernelProfile &profile,
                                std::span<const predict::DeviceProfile> devices,
                                const predict::FittedCostModel &model) {
  const LaunchKind one{&profile, 1};
  return findingsOf(std::span(&one, 1), devices, model);
}

std::vector<Finding> applicationFindings(std::span<const profile::KernelProfile *const> launches,
                                         std::span<const predict::DeviceProfile> devices,
                                         const predict::FittedCostModel &model) {
  const rule::ExaminedRun run(launches, devices, model);
  std::vector<Finding> findings;
  for (const rule::Definition *definition : kDefinitions)
    if (definition->findInRun)
      if (std::optional<Finding> finding = definition->findInRun(run)) {
        finding->rule = definition->info.rule;
        findings.push_back(std::move(*finding));
      }
  return findings;
}

} // namespace aiwc::advice
