#include "common/error.h"
#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "profile/fields.h"
#include "profile/local_memory.h"
#include "profile/reuse.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aiwc::embed {

using profile::Histogram;
using profile::KernelProfile;

namespace {

constexpr size_t kLineWidth = 96;

[[noreturn]] void refuse(const KernelProfile &profile, const std::string &what) {
  throw Error(fmt::format("kernel {}: {}", text::printable(profile.provenance.kernel, 60), what));
}

/// Writes tokens on lines of limited width.
class Lines {
public:
  void add(std::string_view key, std::string_view value) { add(fmt::format("{}={}", key, value)); }

  /// A list that does not fit into a line continues on the next one, with the same key.
  void addList(std::string_view key, const std::vector<std::string> &values) {
    std::string token;
    for (const std::string &value : values) {
      if (!token.empty() && token.size() + 1 + value.size() > kLineWidth) {
        add(token);
        token.clear();
      }
      token += token.empty() ? fmt::format("{}={}", key, value) : "," + value;
    }
    if (!token.empty())
      add(token);
  }

  void breakLine() { fresh_ = true; }

  std::vector<std::string> finish() {
    breakLine();
    // The checksum is of the text on one line, since its lines may be changed.
    add("check",
        fmt::format("{:016x}", profile::checksum(fmt::format("{}", fmt::join(lines_, " ")))));
    return std::move(lines_);
  }

private:
  void add(const std::string &token) {
    if (fresh_ || lines_.back().size() + 1 + token.size() > kLineWidth)
      lines_.push_back(token);
    else
      lines_.back() += " " + token;
    fresh_ = false;
  }

  std::vector<std::string> lines_;
  bool fresh_ = true;
};

std::string boundedOptions(const std::string &options) {
  constexpr size_t kMaximum = 300;
  std::string text = escaped(options);
  if (text.size() <= kMaximum)
    return text;
  text.resize(text.find_last_not_of("%0123456789abcdef", kMaximum - 60) + 1);
  return text + "..." + profile::sourceHash(options);
}

void addProvenance(const profile::Provenance &from, Lines &lines) {
  lines.add("kernel", escaped(from.kernel));
  lines.add("global", sizeText(from.globalSize, from.workDim));
  lines.add("local", sizeText(from.localSize, from.workDim));
  lines.add("source", escaped(from.sourceHash));
  lines.add("source_kind", escaped(from.sourceKind));
  if (from.globalOffset != profile::Size3{})
    lines.add("offset", sizeText(from.globalOffset, from.workDim));
  lines.add("invocation", fmt::format("{}", from.invocation));
  if (from.sampled())
    lines.add("sampled_groups", fmt::format("{},{}", from.sampledGroups, from.totalGroups));
  if (from.extrapolated())
    lines.add("extrapolated", escaped(from.extrapolatedFrom));
  if (!from.buildOptions.empty())
    lines.add("build_options", boundedOptions(from.buildOptions));
  lines.add("engine", escaped(from.engine));
  lines.add("tool", escaped(from.toolVersion));
  lines.add("oclgrind", escaped(from.oclgrindVersion));
  lines.add("llvm", escaped(from.llvmVersion));
}

void addMetrics(const KernelProfile &profile, bool essential, Lines &lines) {
  for (const MetricList &list : kMetricLists) {
    if (list.essential() != essential)
      continue;
    std::vector<std::string> values;
    bool any = false;
    for (const profile::MetricInfo &metric : list.metrics) {
      const profile::Value &value = profile[metric.metric];
      any = any || !std::holds_alternative<std::monostate>(value);
      values.push_back(text::formatValue(value, "-"));
    }
    if (any)
      lines.add(list.key, fmt::format("{}", fmt::join(values, ",")));
  }
}

/// `width:levels`, or `width:levels+more` where `more` levels are one wider.
std::vector<std::string> levelTexts(const Histogram &levels) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < levels.size(); ++i) {
    const auto &[width, count] = levels[i];
    texts.push_back(fmt::format("{}:{}", width, count));
    if (i + 1 < levels.size() && levels[i + 1].first == width + 1)
      texts.back() += fmt::format("+{}", levels[++i].second);
  }
  return texts;
}

/// `lowest:accesses` for one bin, `lowest~end:accesses` for several. A bin directly after the one
/// before has only its accesses.
std::vector<std::string> reuseTexts(const std::vector<ReuseRange> &ranges) {
  std::vector<std::string> texts;
  uint64_t next = 0;
  bool bin = false;
  for (const ReuseRange &range : ranges) {
    const bool follows = bin && range.lowest == next;
    bin = range.end == profile::reuseBinEnd(range.lowest);
    next = range.end;
    const std::string accesses = formatScaledCount(range.accesses);
    if (!bin)
      texts.push_back(fmt::format("{}~{}:{}", range.lowest, range.end, accesses));
    else if (follows)
      texts.back() += ";" + accesses;
    else
      texts.push_back(fmt::format("{}:{}", range.lowest, accesses));
    // Not longer than a line holds.
    if (bin && texts.back().size() > 60)
      bin = false;
  }
  return texts;
}

void check(const KernelProfile &profile) {
  const profile::Provenance &from = profile.provenance;
  if (!profile.complete)
    refuse(profile, fmt::format("complete is false ({}): expected a profile of a whole invocation",
                                profile.reason.empty() ? "no reason given"
                                                       : text::printable(profile.reason)));
  if (!from.scaledFrom.empty())
    refuse(profile, fmt::format("scaled_from is {}: expected a profile that was measured",
                                text::printable(from.scaledFrom, 60)));
  if (from.kernel.empty())
    refuse(profile, "kernel is empty: expected a name");
  if (from.workDim < 1 || from.workDim > 3)
    refuse(profile, fmt::format("work_dim is {}: expected 1 to 3", from.workDim));
  constexpr size_t kLongestName = 512;
  const auto bounded = [&](std::string_view key, const std::string &name) {
    if (escaped(name).size() > kLongestName)
      refuse(profile, fmt::format("{} has {} bytes: expected at most {} after escaping", key,
                                  name.size(), kLongestName));
  };
  bounded("kernel", from.kernel);
  bounded("source_kind", from.sourceKind);
  bounded("source_hash", from.sourceHash);
  bounded("engine", from.engine);
  for (const auto &field : profile::kVersionFields)
    bounded(field.key, from.*field.member);
  for (const auto &[lowest, accesses] : profile.histograms.reuseDistances)
    if (profile::reuseBin(lowest) != lowest)
      refuse(profile, fmt::format("histograms.reuse_distances has the value {}: expected the "
                                  "lower bound of a bin",
                                  lowest));
}

struct Detail {
  ReuseDetail reuse;
  bool allMetrics;
};

std::vector<std::string> encodeAs(const KernelProfile &profile, const Histogram &levels,
                                  const Detail &detail) {
  Lines lines;
  addProvenance(profile.provenance, lines);
  if (profile.simulatorErrors > 0)
    lines.add("simulator_errors", fmt::format("{}", profile.simulatorErrors));
  lines.breakLine();
  addMetrics(profile, true, lines);
  lines.breakLine();
  lines.addList("level_widths", levelTexts(levels));
  lines.breakLine();
  lines.add("line_bytes", fmt::format("{}", profile.reuse.lineBytes));
  lines.add("cold_accesses", fmt::format("{}", profile.reuse.coldAccesses));
  if (const auto memory = profile::localMemoryOf(profile))
    lines.add("local_memory",
              fmt::format("{},{}", memory->groupBytes, text::formatValue(memory->bankTurns, "-")));
  lines.addList("reuse_distances",
                reuseTexts(compactReuse(profile.histograms.reuseDistances,
                                        profile.reuse.coldAccesses, detail.reuse)));
  if (detail.allMetrics) {
    lines.breakLine();
    addMetrics(profile, false, lines);
  }
  return lines.finish();
}

} // namespace

std::vector<std::string> encode(const KernelProfile &profile) {
  check(profile);
  const Histogram levels = compactLevels(profile.histograms.asapFpLevels);
  // Uses the first level of detail that fits; they are ordered from most detail to least.
  for (const Detail &detail : {Detail{ReuseDetail::kExact, true},
                               {ReuseDetail::kMerged, true},
                               {ReuseDetail::kRounded, true},
                               {ReuseDetail::kRounded, false},
                               {ReuseDetail::kCoarse, false}}) {
    std::vector<std::string> lines = encodeAs(profile, levels, detail);
    size_t bytes = 0;
    for (const std::string &line : lines)
      bytes += line.size() + kBytesPerLine;
    if (bytes <= kMaximumBytes)
      return lines;
  }
  refuse(profile, fmt::format("does not fit into {} bytes: expected smaller counts, or a shorter "
                              "name or source hash",
                              kMaximumBytes));
}

} // namespace aiwc::embed
