/// What costs a kernel time, where in its source, what to do about it, and how much that can gain:
/// rules over its profile. README.md lists them.
#pragma once

#include "advice/edits.h"
#include "advice/launch_kinds.h"
#include "advice/rule_list.h"
#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/kernel_profile.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::advice {

#define AIWC_RULE(Name) k##Name,
enum class Rule : uint8_t { AIWC_ALL_RULES(AIWC_RULE) };
#undef AIWC_RULE

struct RuleInfo {
  Rule rule;
  std::string_view key;   ///< in JSON and SARIF: "uncoalesced-access"
  std::string_view title; ///< for people: "Uncoalesced access"
  std::string_view about; ///< when the rule applies, one sentence
};
/// In the order of Rule.
std::span<const RuleInfo> rules();
const RuleInfo &info(Rule rule);

/// A place in the source, and what was observed there.
struct Evidence {
  uint64_t line = 0; ///< 0: the kernel as a whole
  std::string text;
};

/// How many times faster the kernel can become on a device: its predicted time over the time that
/// the same model predicts for what the launch asks for after the change.
struct Gain {
  std::string device; ///< id
  double factor = 1;  ///< at most, without what replaces the cost; below 1: it becomes slower
  /// Of the predicted time of all launches of the kernel that are examined, or of the run: what the
  /// change saves at most.
  double savedSeconds = 0;
  /// Where the launch can be costed as it is after the change, with what replaces the cost: how
  /// many times faster it then is predicted to be, `factor` at most, and what that saves.
  std::optional<double> likely = {};
  double likelySavedSeconds = 0;
  /// The 80 % intervals of both (FittedCostModel::ratioInterval).
  predict::Interval factorRange = {factor, factor}, likelyRange = {1, 1};

  /// What findings are ranked by: what is likely where that is known, else the most.
  double expected() const { return likely.value_or(factor); }
  /// The low end of what is likely and the high end of the most. If what is likely is not known,
  /// the low end is 1, or less where the change costs time.
  predict::Interval range() const {
    return {likely ? likelyRange.low : std::min(1.0, factorRange.low), factorRange.high};
  }
};

/// How many times faster what takes `seconds` is without `saved` of them, which may be negative; 1
/// if that leaves nothing.
double factorOf(double seconds, double saved);

struct Finding {
  Rule rule = Rule::kUncoalescedAccess; ///< rules need not set it
  std::string title;   ///< in the words of the kernel's language; empty: that of the rule
  std::string problem; ///< a sentence with numbers
  std::string remedy;  ///< what to do, a sentence
  std::vector<Evidence> evidence;
  /// For each device that was asked about, in that order. Empty where the model has no term for the
  /// cost, and where all are below `kLeastGain`.
  std::vector<Gain> gains;
  bool isCosted = true; ///< whether the model has a term for the cost
  Change change;        ///< what to do, where it is an edit of the source

  /// The largest gain, and the largest that is expected; 1 if there is none.
  double largestGain() const;
  double expectedGain() const;
  /// The first line of the source among the evidence; 0: none.
  uint64_t line() const;
};

/// Gains below this are not worth a finding.
inline constexpr double kLeastGain = 1.05;

/// The findings of a kernel's launches, each of which is about those that it holds of: its text is
/// of the launch in which the cost is largest, its gains are on the time of all launches.
/// `launches` is not empty. Largest expected gain first; those without gains last. A finding with
/// gains has one of `kLeastGain` or more. Throws Error for a profile that the model cannot use
/// (predict/fitted/launch_demand.h) and for a device that lacks one of its parameters.
std::vector<Finding> findingsOf(std::span<const LaunchKind> launches,
                                std::span<const predict::DeviceProfile> devices,
                                const predict::FittedCostModel &model);
/// The predicted time of all these launches on each device, s. Throws as `findingsOf`.
std::vector<double> secondsOf(std::span<const LaunchKind> launches,
                              std::span<const predict::DeviceProfile> devices,
                              const predict::FittedCostModel &model);
/// The findings of one launch.
std::vector<Finding> findingsOf(const profile::KernelProfile &profile,
                                std::span<const predict::DeviceProfile> devices,
                                const predict::FittedCostModel &model);

/// What concerns all launches together, which are in the order in which they ran: starting them,
/// transfers, waiting for the host. Throws as `findingsOf`.
std::vector<Finding> applicationFindings(std::span<const profile::KernelProfile *const> launches,
                                         std::span<const predict::DeviceProfile> devices,
                                         const predict::FittedCostModel &model);

} // namespace aiwc::advice
