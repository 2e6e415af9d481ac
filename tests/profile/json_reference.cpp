#include "json_reference.h"

#include "profile/access_row.h"
#include "profile/fields.h"
#include "profile/sampling.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace aiwc::test {

using namespace profile;

namespace {

/// A JSON string. Bytes that are not UTF-8 (build options may have any) are replaced, so that
/// writing never fails.
std::string jsonString(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string realText(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string valueText(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return fmt::format("{}", *count);
  const auto *real = std::get_if<double>(&value);
  return real ? realText(*real) : "null";
}

/// A JSON object of the given members, one per line, with `indent` spaces before the closing brace.
std::string object(const std::vector<std::string> &members, size_t indent) {
  if (members.empty())
    return "{}";
  const std::string space(indent, ' ');
  return fmt::format("{{\n{}  {}\n{}}}", space, fmt::join(members, ",\n" + space + "  "), space);
}

std::string member(std::string_view key, const std::string &value) {
  return fmt::format("\"{}\": {}", key, value);
}

std::string provenanceObject(const Provenance &provenance) {
  std::vector<std::string> members;
  const auto text = [&](std::string_view key, const std::string &value) {
    members.push_back(member(key, jsonString(value)));
  };
  const auto sizes = [&](std::string_view key, const Size3 &size) {
    members.push_back(member(key, fmt::format("[{}]", fmt::join(size, ", "))));
  };
  text("kernel", provenance.kernel);
  members.push_back(member("invocation", fmt::format("{}", provenance.invocation)));
  members.push_back(member("work_dim", fmt::format("{}", provenance.workDim)));
  sizes("global_offset", provenance.globalOffset);
  sizes("global_size", provenance.globalSize);
  sizes("local_size", provenance.localSize);
  if (provenance.localSizeLeftOpen)
    members.push_back(member("local_size_left_open", "true"));
  text("source_kind", provenance.sourceKind);
  text("source_hash", provenance.sourceHash);
  if (!provenance.codeHash.empty())
    text("code_hash", provenance.codeHash);
  text("build_options", provenance.buildOptions);
  text("engine", provenance.engine);
  if (!provenance.engineReason.empty())
    text("engine_reason", provenance.engineReason);
  if (provenance.exchangesWithoutBarrier)
    members.push_back(member("exchanges_without_barrier", "true"));
  text("tool_version", provenance.toolVersion);
  text("oclgrind_version", provenance.oclgrindVersion);
  text("llvm_version", provenance.llvmVersion);
  if (!provenance.scaledFrom.empty())
    text("scaled_from", provenance.scaledFrom);
  if (provenance.extrapolated())
    text("extrapolated_from", provenance.extrapolatedFrom);
  if (provenance.sampled())
    for (const auto &count : kSampleFields)
      members.push_back(member(count.key, fmt::format("{}", provenance.*count.member)));
  if (provenance.othersLeftOut)
    members.push_back(member("others_left_out", "true"));
  return object(members, 2);
}

std::string metricsObject(const KernelProfile &profile) {
  std::vector<std::string> members;
  for (const MetricInfo &metric : catalogue())
    members.push_back(member(metric.key, valueText(profile[metric.metric])));
  return object(members, 2);
}

/// The errors of the metrics. Exact metrics are not listed.
std::string errorsObject(const KernelProfile &profile) {
  std::vector<std::string> members;
  for (const MetricInfo &metric : catalogue()) {
    // All metrics of an extrapolated profile are estimates of the same kind.
    const bool extrapolated = profile.provenance.extrapolated();
    Estimate estimate = metric.estimate;
    if (extrapolated)
      estimate = Estimate::kMean;
    if (estimate == Estimate::kExact ||
        std::holds_alternative<std::monostate>(profile[metric.metric]))
      continue;
    const double error = profile.standardError(metric.metric);
    const std::string_view word = errorWord(estimate);
    members.push_back(member(metric.key, !word.empty()       ? jsonString(word)
                                         : std::isnan(error) ? "null"
                                                             : realText(error)));
  }
  return object(members, 2);
}

std::string pairsArray(const Histogram &histogram) {
  std::vector<std::string> pairs;
  for (const auto &[value, count] : histogram)
    pairs.push_back(fmt::format("[{}, {}]", value, count));
  return fmt::format("[{}]", fmt::join(pairs, ", "));
}

/// A row of the table of lines. Profiles that were read without reuse and lanes per line are
/// written without them.
std::string lineObject(const LineRow &row) {
  std::vector<std::string> members;
  for (const auto &field : kLineFields)
    members.push_back(member(field.key, fmt::format("{}", row.*field.member)));
  members.push_back(member("reuse_distances", pairsArray(row.reuseDistances)));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string loopObject(const LoopRow &row) {
  std::vector<std::string> members{member("function", jsonString(row.function))};
  for (const auto &field : kLoopFields)
    members.push_back(member(field.key, fmt::format("{}", row.*field.member)));
  members.push_back(member("carries_dependence", !row.carriesDependence   ? "null"
                                                 : *row.carriesDependence ? "true"
                                                                          : "false"));
  members.push_back(member("dependences", pairsArray(row.dependences)));
  if (row.carriesValue)
    members.push_back(member("carries_value", "true"));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string strideValue(std::optional<int64_t> stride) {
  return stride ? fmt::format("{}", *stride) : "null";
}

std::string accessObject(const AccessRow &row) {
  std::vector<std::string> members{
      member("function", jsonString(row.function)),
      member("line", fmt::format("{}", row.line)),
      member("loop", fmt::format("{}", row.loop)),
      member("array", jsonString(row.array)),
      member("space", jsonString(toString(row.space))),
      member("kind", jsonString(toString(row.kind))),
  };
  for (const auto &field : kAccessCountFields)
    members.push_back(member(field.key, fmt::format("{}", row.*field.member)));
  for (const auto &field : kAccessStrideFields)
    members.push_back(member(field.key, strideValue(row.*field.member)));
  members.push_back(member("data_dependent", row.dataDependent ? "true" : "false"));
  members.push_back(member("idiom", row.idiom ? jsonString(toString(*row.idiom)) : "null"));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

/// A JSON array with one row per text line, with `indent` spaces before the closing bracket.
template <typename Row>
std::string table(const std::vector<Row> &rows, std::string (*write)(const Row &),
                  size_t indent = 4) {
  if (rows.empty())
    return "[]";
  const std::string space(indent, ' ');
  std::vector<std::string> objects;
  for (const Row &row : rows)
    objects.push_back(write(row));
  return fmt::format("[\n{}  {}\n{}]", space, fmt::join(objects, ",\n" + space + "  "), space);
}

std::string histogramsObject(const Histograms &histograms) {
  std::vector<std::string> opcodes;
  for (const auto &[opcode, count] : histograms.opcodes)
    opcodes.push_back(fmt::format("{}: {}", jsonString(opcode), count));
  std::vector<std::string> members{
      member("opcodes", fmt::format("{{{}}}", fmt::join(opcodes, ", ")))};
  for (const auto &field : kHistogramFields)
    members.push_back(member(field.key, pairsArray(histograms.*field.member)));
  members.push_back(member("loops", table(histograms.loops, loopObject)));
  members.push_back(member("lines", table(histograms.lines, lineObject)));
  return object(members, 2);
}

std::string reuseObject(const Reuse &reuse) {
  std::vector<std::string> members;
  for (const auto &field : kReuseCountFields)
    members.push_back(member(field.key, fmt::format("{}", reuse.*field.member)));
  return object(members, 2);
}

} // namespace

std::string referenceJson(const KernelProfile &profile) {
  std::vector<std::string> members = {
      member("schema_version", fmt::format("{}", kSchemaVersion)),
      member("complete", profile.complete ? "true" : "false"),
      member("reason", jsonString(profile.reason)),
      member("simulator_errors", fmt::format("{}", profile.simulatorErrors)),
      member("provenance", provenanceObject(profile.provenance)),
      member("metrics", metricsObject(profile))};
  if (profile.provenance.sampled() || profile.provenance.extrapolated())
    members.push_back(member("errors", errorsObject(profile)));
  members.push_back(member("reuse", reuseObject(profile.reuse)));
  members.push_back(member("histograms", histogramsObject(profile.histograms)));
  if (profile.accesses)
    members.push_back(member("accesses", table(*profile.accesses, accessObject, 2)));
  else if (profile.localMemory)
    members.push_back(
        member("local_memory", fmt::format("{{\"group_bytes\": {}, \"bank_turns\": {}}}",
                                           profile.localMemory->groupBytes,
                                           realText(profile.localMemory->bankTurns))));
  std::vector<std::string> targets;
  for (size_t i = 0; i < kTargetFamilies.size(); ++i)
    if (const auto &traffic = profile.targets[i])
      targets.push_back(
          member(kTargetFamilies[i], fmt::format("{{\"stack_bytes\": {}, \"scratch_bytes\": {}}}",
                                                 traffic->stackBytes, traffic->scratchBytes)));
  if (!targets.empty())
    members.push_back(member("targets", object(targets, 2)));
  return object(members, 0) + "\n";
}

} // namespace aiwc::test
