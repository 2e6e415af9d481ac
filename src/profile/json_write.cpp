#include "profile/access_row.h"
#include "profile/fields.h"
#include "profile/json.h"
#include "profile/launch_identity_json.h"
#include "profile/sampling.h"
#include "text/json_text.h"
#include "text/text.h"

#include <algorithm>
#include <cmath>

namespace aiwc::profile {

namespace {

using Kind = text::JsonList::Kind;

void appendProvenance(std::string &to, const Provenance &provenance) {
  text::JsonList object(to, Kind::kObject, 2);
  appendIdentity(object, provenance);
  for (const auto &field : kVersionFields)
    object.member(field.key, provenance.*field.member);
  for (const auto &field : kOriginFields)
    if (!(provenance.*field.member).empty())
      object.member(field.key, provenance.*field.member);
  if (provenance.sampled())
    for (const auto &count : kSampleFields)
      object.member(count.key, provenance.*count.member);
  if (provenance.othersLeftOut)
    object.member(kOthersLeftOutField.key, true);
  object.close();
}

void appendMetrics(std::string &to, const KernelProfile &profile) {
  text::JsonList object(to, Kind::kObject, 2);
  for (const MetricInfo &metric : catalogue())
    text::appendValue(object.next(metric.key), profile[metric.metric], "null");
  object.close();
}

/// The errors of the metrics. Exact metrics are not listed.
void appendErrors(std::string &to, const KernelProfile &profile) {
  text::JsonList object(to, Kind::kObject, 2);
  for (const MetricInfo &metric : catalogue()) {
    // All metrics of an extrapolated profile are estimates of the same kind.
    const bool extrapolated = profile.provenance.extrapolated();
    Estimate estimate = metric.estimate;
    if (extrapolated)
      estimate = Estimate::kMean;
    if (estimate == Estimate::kExact ||
        std::holds_alternative<std::monostate>(profile[metric.metric]))
      continue;
    object.next(metric.key);
    const double error = profile.standardError(metric.metric);
    if (const std::string_view word = errorWord(estimate); !word.empty())
      text::appendJsonString(to, word);
    else if (std::isnan(error))
      to += "null";
    else
      text::appendReal(to, error);
  }
  object.close();
}

void appendPairs(std::string &to, const Histogram &histogram) {
  text::JsonList array(to, Kind::kArray);
  for (const auto &[value, count] : histogram) {
    array.next() += '[';
    text::appendJsonCount(to, value);
    to += ", ";
    text::appendJsonCount(to, count);
    to += ']';
  }
  array.close();
}

/// A row of the table of lines. Profiles that were read without reuse and lanes per line are
/// written without them.
void appendLine(std::string &to, const LineRow &row) {
  text::JsonList object(to, Kind::kObject);
  for (const auto &field : kLineFields)
    object.member(field.key, row.*field.member);
  for (const auto &field : kRareLineFields)
    if (row.*field.member > 0)
      object.member(field.key, row.*field.member);
  appendPairs(object.next("reuse_distances"), row.reuseDistances);
  object.close();
}

void appendLoop(std::string &to, const LoopRow &row) {
  text::JsonList object(to, Kind::kObject);
  object.member("function", row.function);
  for (const auto &field : kLoopFields)
    object.member(field.key, row.*field.member);
  object.next("carries_dependence");
  if (row.carriesDependence)
    text::appendJsonBool(to, *row.carriesDependence);
  else
    to += "null";
  appendPairs(object.next("dependences"), row.dependences);
  if (row.carriesValue)
    object.member("carries_value", true);
  object.close();
}

void appendAccess(std::string &to, const AccessRow &row) {
  text::JsonList object(to, Kind::kObject);
  object.member("function", row.function);
  object.member("line", row.line);
  object.member("loop", row.loop);
  object.member("array", row.array);
  object.member("space", toString(row.space));
  object.member("kind", toString(row.kind));
  for (const auto &field : kAccessCountFields)
    object.member(field.key, row.*field.member);
  for (const auto &field : kAccessStrideFields) {
    object.next(field.key);
    if (const std::optional<int64_t> &stride = row.*field.member)
      text::appendJsonCount(to, *stride);
    else
      to += "null";
  }
  object.member("data_dependent", row.dataDependent);
  object.next("idiom");
  if (row.idiom)
    text::appendJsonString(to, toString(*row.idiom));
  else
    to += "null";
  object.close();
}

/// A JSON array with one row per text line, with `indent` spaces before the closing bracket.
template <typename Row>
void appendTable(std::string &to, const std::vector<Row> &rows,
                 void (*append)(std::string &, const Row &), size_t indent) {
  text::JsonList array(to, Kind::kArray, indent);
  for (const Row &row : rows)
    append(array.next(), row);
  array.close();
}

void appendHistograms(std::string &to, const Histograms &histograms) {
  text::JsonList object(to, Kind::kObject, 2);
  text::JsonList opcodes(object.next("opcodes"), Kind::kObject);
  for (const auto &[opcode, count] : histograms.opcodes) {
    text::appendJsonString(opcodes.next(), opcode);
    to += ": ";
    text::appendJsonCount(to, count);
  }
  opcodes.close();
  for (const auto &field : kHistogramFields)
    appendPairs(object.next(field.key), histograms.*field.member);
  appendTable(object.next("loops"), histograms.loops, appendLoop, 4);
  appendTable(object.next("lines"), histograms.lines, appendLine, 4);
  object.close();
}

void appendReuse(std::string &to, const Reuse &reuse) {
  text::JsonList object(to, Kind::kObject, 2);
  for (const auto &field : kReuseCountFields)
    object.member(field.key, reuse.*field.member);
  object.close();
}

void appendLocalMemory(std::string &to, const LocalMemory &memory) {
  text::JsonList object(to, Kind::kObject);
  object.member("group_bytes", memory.groupBytes);
  text::appendValue(object.next("bank_turns"), memory.bankTurns, "null");
  object.close();
}

void appendTargets(std::string &to, const TargetTraffic &targets) {
  text::JsonList object(to, Kind::kObject, 2);
  for (size_t family = 0; family < targets.size(); ++family) {
    if (!targets[family])
      continue;
    text::JsonList traffic(object.next(kTargetFamilies[family]), Kind::kObject);
    for (const auto &field : kPrivateTrafficFields)
      traffic.member(field.key, (*targets[family]).*field.member);
    traffic.close();
  }
  object.close();
}

} // namespace

std::string toJson(const KernelProfile &profile) {
  constexpr size_t kUsualBytes = size_t{8} << 10U;
  std::string text;
  text.reserve(kUsualBytes);
  text::JsonList object(text, Kind::kObject, 0);
  object.member("schema_version", kSchemaVersion);
  object.member("complete", profile.complete);
  object.member("reason", profile.reason);
  object.member("simulator_errors", profile.simulatorErrors);
  appendProvenance(object.next("provenance"), profile.provenance);
  appendMetrics(object.next("metrics"), profile);
  if (profile.provenance.sampled() || profile.provenance.extrapolated())
    appendErrors(object.next("errors"), profile);
  appendReuse(object.next("reuse"), profile.reuse);
  appendHistograms(object.next("histograms"), profile.histograms);
  if (profile.accesses)
    appendTable(object.next("accesses"), *profile.accesses, appendAccess, 2);
  else if (profile.localMemory)
    appendLocalMemory(object.next("local_memory"), *profile.localMemory);
  if (std::ranges::any_of(profile.targets, [](const auto &known) { return known.has_value(); }))
    appendTargets(object.next("targets"), profile.targets);
  object.close();
  text += '\n';
  return text;
}

} // namespace aiwc::profile
