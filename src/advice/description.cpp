#include "advice/description.h"

#include "advice/lanes.h"
#include "advice/limit.h"
#include "advice/words.h"
#include "profile/access_row.h"
#include "profile/kernel_profile.h"
#include "profile/kernel_words.h"
#include "profile/reuse.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace aiwc::advice {

using profile::KernelProfile;
using profile::machineInstructions;
using profile::Metric;
using text::formatBytes;
using text::formatReadable;

namespace {

/// "a or b" for the array "a|b", one of which an access reads.
std::string alternatives(std::string_view array) {
  std::string text;
  for (const char c : array)
    text += c == '|' ? " or " : std::string(1, c);
  return text;
}

class Describer {
public:
  explicit Describer(std::span<const LaunchKind> launches)
      : launches_(launches), count_(launchesOf(launches)), longest_(longestOf(launches)),
        profile_(together(launches)) {}

  std::vector<DescriptionLine> lines(std::span<const predict::DeviceProfile> devices,
                                     const predict::FittedCostModel &model) {
    differences();
    work();
    parallelism();
    chain();
    memory();
    idioms();
    cache();
    coalescing();
    localMemory();
    lanes();
    branches();
    barriers();
    transfers();
    limits(devices, model);
    return std::move(lines_);
  }

private:
  bool known(Metric metric) const { return !std::isnan(profile_.real(metric)); }
  double real(Metric metric) const { return known(metric) ? profile_.real(metric) : 0; }
  /// A metric of machine instructions; the other one where the profile lacks it.
  double machineOr(Metric metric, Metric other) const {
    return real(known(metric) ? metric : other);
  }
  void add(std::string subject, std::string text) {
    lines_.push_back({std::move(subject), std::move(text)});
  }

  bool isOne() const { return count_ == 1; }
  /// " in all launches together", where there are several.
  std::string_view inAll() const { return isOne() ? "" : " in all launches together"; }

  /// "5", or "5 to 7": of each launch that has a value.
  template <typename Value, typename Text> std::string range(Value valueOf, Text textOf) const {
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    for (const LaunchKind &kind : launches_)
      if (const double value = valueOf(*kind.profile); !std::isnan(value)) {
        least = std::min(least, value);
        most = std::max(most, value);
      }
    if (least > most)
      return {};
    std::string from = textOf(least);
    std::string to = textOf(most);
    return from == to ? from : fmt::format("{} to {}", from, to);
  }

  /// How the launches differ, if there are several.
  void differences() {
    if (isOne())
      return;
    const auto isRange = [](const std::string &text) {
      return text.find(" to ") != std::string::npos;
    };
    const std::string each =
        range([](const KernelProfile &one) { return machineInstructions(one); }, rounded);
    const std::string perItem = range(
        [](const KernelProfile &one) {
          return machineInstructions(one) / std::max(1.0, one.real("work_items"_metric));
        },
        rounded);
    const std::string lanes = range(
        [](const KernelProfile &one) { return one.real("lane_utilization_32"_metric); }, percent);
    std::string text = fmt::format("{} execute {}, {} each",
                                   plural(static_cast<double>(count_), "launch", "launches"),
                                   plural(machineInstructions(profile_), "instruction"), each);
    if (!isRange(each) && !isRange(perItem) && !isRange(lanes))
      return add("Launches", text + ": they do the same work.");
    if (isRange(perItem))
      text += fmt::format(", {} for each work-item on average", perItem);
    if (isRange(lanes))
      text += fmt::format("; {} of the lanes are in use where 32 work-items execute in lockstep",
                          lanes);
    add("Launches", text + ".");
  }

  void work() {
    const double items = std::max(1.0, real("work_items"_metric));
    const double fp = real("fp_ops"_metric);
    const double integer = real("int_ops"_metric);
    const double accesses = real("total_reads"_metric) + real("total_writes"_metric);
    std::string text = fmt::format("A work-item executes {}",
                                   plural(machineInstructions(profile_) / items, "instruction"));
    const double least = machineOr("machine_ipt_min"_metric, "ipt_min"_metric);
    const double most = machineOr("machine_ipt_max"_metric, "ipt_max"_metric);
    const bool alike = least == most;
    if (!alike)
      text += fmt::format(" on average ({} to {})", rounded(least), rounded(most));
    std::vector<std::string> kinds;
    if (fp > 0) {
      const double doubles = real("fp_ops_f64"_metric) / fp;
      kinds.push_back(
          fmt::format("{}{}", plural(fp / items, "floating-point operation"),
                      doubles == 0   ? ""
                      : doubles == 1 ? " in double precision"
                                     : fmt::format(" ({} in double precision)", percent(doubles))));
    }
    if (integer > 0)
      kinds.push_back(plural(integer / items, "integer operation"));
    if (const double matrices = real("matrix_ops"_metric); matrices > 0)
      kinds.push_back(plural(matrices / items, "operation of products of matrices",
                             "operations of products of matrices"));
    if (accesses > 0)
      kinds.push_back(plural(accesses / items, "memory access", "memory accesses"));
    if (!kinds.empty())
      text += fmt::format(", {}{}", alike ? "on average " : "", fmt::join(kinds, ", "));
    add("Work", text + ".");
  }

  void parallelism() {
    const auto valueOf = [](Metric metric) {
      return [metric](const KernelProfile &one) { return one.real(metric); };
    };
    const auto counted = [&](Metric metric, std::string_view noun) {
      const std::string number = range(valueOf(metric), rounded);
      return fmt::format("{} {}{}", number, noun, number == "1" ? "" : "s");
    };
    const double items = longest_.real("work_items"_metric);
    const double groups = longest_.real("work_groups"_metric);
    const double mean = longest_.real("total_instruction_count"_metric) / std::max(1.0, groups);
    std::string text = fmt::format("{}{} in {} of {}", isOne() ? "" : "Each launch has ",
                                   counted("work_items"_metric, "work-item"),
                                   counted("work_groups"_metric, "work-group"),
                                   range(valueOf("work_group_size"_metric), rounded));
    if (items == 1)
      text = "one work-item: nothing runs in parallel";
    if (const double heaviest = longest_.real("work_group_instructions_max"_metric);
        groups > 1 && heaviest > 1.2 * mean)
      text += fmt::format("; the heaviest work-group{} does {} times the mean",
                          isOne() ? "" : " of the longest launch", rounded(heaviest / mean));
    add("Parallelism", text + ".");
  }

  void chain() {
    if (!known("asap_parallelism"_metric) || real("asap_depth"_metric) == 0)
      return;
    add("Dependences",
        fmt::format("The longest chain has {}; if nothing else limited it, {} could run at once{}.",
                    plural(real("asap_depth"_metric), "instruction",
                           "instructions that each need the result of the one before"),
                    plural(real("asap_parallelism"_metric), "instruction"),
                    isOne() ? "" : " in the longest launch"));
  }

  void memory() {
    const double bytes = real("bytes_read_global"_metric) + real("bytes_read_constant"_metric) +
                         real("bytes_written_global"_metric);
    if (bytes == 0)
      return add("Memory", "Touches no global memory.");
    const double footprint = real("footprint_bytes"_metric);
    std::string text =
        fmt::format("Reads {} and writes {}{}",
                    formatBytes(profile_.count("bytes_read_global"_metric) +
                                profile_.count("bytes_read_constant"_metric)),
                    formatBytes(profile_.count("bytes_written_global"_metric)), inAll());
    const bool isSample = std::ranges::any_of(launches_, [](const LaunchKind &kind) {
      return kind.profile->provenance.sampled(); // whose footprint is smaller than the launch's
    });
    if (footprint > 0 && !isSample)
      text += fmt::format(", {}within {}", isOne() ? "" : "one launch ",
                          formatBytes(profile_.count("footprint_bytes"_metric)));
    const double fp = real("fp_ops"_metric);
    const double operations = fp > 0 ? fp : real("int_ops"_metric);
    text += fmt::format(": {} {} operations for each byte", rounded(operations / bytes),
                        fp > 0 ? "floating-point" : "integer");
    add("Memory", text + ".");
  }

  void idioms() {
    if (!profile_.accesses)
      return;
    std::vector<std::string> parts;
    for (const profile::IdiomInstance &instance : profile::idiomInstances(*profile_.accesses)) {
      constexpr size_t kMost = 5;
      std::string name(toString(instance.idiom));
      std::ranges::replace(name, '_', ' ');
      if (parts.size() == kMost) {
        parts.emplace_back("and others");
        break;
      }
      std::vector<std::string> arrays;
      for (const std::string &array : instance.arrays)
        arrays.push_back(alternatives(array));
      if (!arrays.empty())
        name += fmt::format(" of {}", fmt::join(arrays, ", "));
      if (std::ranges::find(parts, name) == parts.end())
        parts.push_back(std::move(name));
    }
    if (!parts.empty())
      add("Access pattern", text::printable(fmt::format("{}.", fmt::join(parts, "; ")), 400));
  }

  void cache() {
    const uint64_t accesses = profile::lineAccesses(profile_);
    if (accesses == 0)
      return;
    const auto knees = profile::workingSetKnees(profile_);
    const double cold =
        static_cast<double>(profile_.reuse.coldAccesses) / static_cast<double>(accesses);
    std::string text;
    if (knees.empty())
      text = cold > 0.5 ? fmt::format("Most data is used once, so that no cache helps: {} of the "
                                      "accesses are first ones",
                                      percent(cold))
                        : fmt::format("The smallest cache serves all but {} of the accesses",
                                      percent(1 - profile::hitRatio(profile_, 1024).value_or(1)));
    for (size_t i = 0; i < knees.size(); ++i) {
      constexpr size_t kMost = 3;
      if (i == kMost)
        break;
      text += i == 0 ? fmt::format("A cache of {} cuts the misses from {} of the accesses to {}",
                                   formatBytes(knees[i].cacheBytes),
                                   percent(knees[i].missRatioBefore), percent(knees[i].missRatio))
                     : fmt::format(", one of {} to {}", formatBytes(knees[i].cacheBytes),
                                   percent(knees[i].missRatio));
    }
    if (!knees.empty())
      text += fmt::format("; {} are the first of their data, which no cache serves", percent(cold));
    add("Cache", text + ".");
  }

  void coalescing() {
    const double needed = profile_.real("coalescing_32"_metric);
    if (std::isnan(needed))
      return;
    add("Coalescing",
        needed > 0.9 ? "Neighbouring work-items access neighbouring memory."
                     : fmt::format("32 neighbouring work-items touch {} times as much memory as "
                                   "they use, in pieces of 128 bytes.",
                                   rounded(1 / std::max(needed, 1e-6))));
  }

  void localMemory() {
    const double bytes = real("bytes_read_local"_metric) + real("bytes_written_local"_metric);
    if (bytes > 0)
      add("Local memory", fmt::format("{} read and written{}.",
                                      formatBytes(profile_.count("bytes_read_local"_metric) +
                                                  profile_.count("bytes_written_local"_metric)),
                                      inAll()));
  }

  void lanes() {
    const double used = profile_.real("lane_utilization_32"_metric);
    if (std::isnan(used))
      return;
    constexpr double kWidth = 32;
    const double size = real("work_group_size"_metric);
    const double filled = filledLanes(size, kWidth);
    std::string text;
    if (filled < 0.95)
      text = fmt::format("Work-groups of {} leave {} of the lanes of groups of 32 without a "
                         "work-item",
                         rounded(size), percent(1 - filled));
    if (used < 0.95 * filled)
      text += fmt::format("{}{} of the lanes are idle where 32 work-items execute in lockstep",
                          text.empty() ? "" : "; in all, ", percent(1 - used));
    if (text.empty())
      text = "Neighbouring work-items take the same path";
    add("Divergence", text + ".");
  }

  void branches() {
    double executed = 0;
    double wrong = 0;
    for (const profile::LineRow &row : profile_.histograms.lines) {
      executed += static_cast<double>(row.branches);
      wrong += static_cast<double>(row.mispredictions);
    }
    if (executed == 0)
      return add("Branches", "None that depend on data.");
    add("Branches", wrong < 0.01 * executed
                        ? std::string("A processor predicts nearly all of them right.")
                        : fmt::format("A processor that learns from their history predicts {} of "
                                      "them wrong, at best.",
                                      percent(wrong / executed)));
  }

  void barriers() {
    const double items = std::max(1.0, real("work_items"_metric));
    if (const double each = real("barriers_hit"_metric) / items; each > 0)
      add("Barriers",
          fmt::format(
              "{} for each work-item, {} apart in the median.", rounded(each),
              plural(machineOr("machine_itb_median"_metric, "itb_median"_metric), "instruction")));
    if (const double atomics = real("atomic_contention_max"_metric); atomics > 1)
      add("Atomics", fmt::format("Up to {} on one address.", rounded(atomics)));
  }

  void transfers() {
    if (!known("host_to_device_bytes"_metric) || !known("device_to_host_bytes"_metric))
      return;
    const uint64_t in = profile_.count("host_to_device_bytes"_metric);
    const uint64_t out = profile_.count("device_to_host_bytes"_metric);
    if (in + out > 0)
      add("Transfers", fmt::format("The host copies {} to the device for {}, and {} back.",
                                   in > 0 ? formatBytes(in) : "nothing",
                                   isOne() ? "this launch" : "all launches together",
                                   out > 0 ? formatBytes(out) : "nothing"));
  }

  void limits(std::span<const predict::DeviceProfile> devices,
              const predict::FittedCostModel &model) {
    std::vector<std::string> parts;
    for (const predict::DeviceProfile &device : devices)
      if (const auto limit = limitOf(launches_, device, model))
        parts.push_back(fmt::format("{} on {} ({} of the predicted time)", limit->activity,
                                    device.id, percent(limit->share)));
    if (!parts.empty())
      add("Limited by", fmt::format("{}.", fmt::join(parts, "; ")));
  }

  std::span<const LaunchKind> launches_;
  uint64_t count_;
  const KernelProfile &longest_;
  KernelProfile profile_; ///< of all launches together
  std::vector<DescriptionLine> lines_;
};

} // namespace

std::vector<DescriptionLine> descriptionOf(std::span<const LaunchKind> launches,
                                           std::span<const predict::DeviceProfile> devices,
                                           const predict::FittedCostModel &model) {
  std::vector<DescriptionLine> lines = Describer(launches).lines(devices, model);
  for (DescriptionLine &line : lines)
    for (std::string *text : {&line.subject, &line.text})
      *text = profile::inWordsOf(launches.front().profile->provenance.sourceKind, std::move(*text));
  return lines;
}

} // namespace aiwc::advice
