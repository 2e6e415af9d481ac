#include "common/error.h"
#include "common/file.h"
#include "common/version.h"
#include "profile/access_row.h"
#include "profile/fields.h"
#include "profile/json.h"
#include "profile/launch_identity_json.h"
#include "profile/relations.h"
#include "profile/sampling.h"
#include "text/json_reader.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

namespace aiwc::profile {

namespace {

template <typename T, size_t N, size_t M>
constexpr std::array<T, N + M> concatenated(const std::array<T, N> &a, const std::array<T, M> &b) {
  std::array<T, N + M> both{};
  std::ranges::copy(b, std::ranges::copy(a, both.begin()).out);
  return both;
}

/// Every integer up to here is a double.
constexpr uint64_t kLargestStride = uint64_t{1} << 53U;

class ProfileReader : LaunchIdentityReader {
public:
  ProfileReader(std::string_view text, const std::string &file)
      : LaunchIdentityReader(text, file, "a profile") {}

  KernelProfile read() const {
    const text::JsonValue &root = document().root();
    const text::JsonValue::Object &members = object(root, "");
    requireSchemaVersion(kSchemaVersion);
    // `aiwc annotate lookup` adds `scaling` for people and other programs; this reader ignores it.
    constexpr std::array<std::string_view, 13> kKeys = {
        "schema_version", "complete", "reason", "simulator_errors", "provenance",
        "metrics",        "errors",   "reuse",  "histograms",       "accesses",
        "local_memory",   "scaling",  "targets"};
    for (const text::JsonMember &member : members)
      if (std::ranges::find(kKeys, member.key) == kKeys.end())
        unknown(member, "", "a key of a profile");

    KernelProfile profile;
    profile.complete = truth(required(root, "", "complete"), "complete");
    profile.reason = text(required(root, "", "reason"), "reason");
    profile.simulatorErrors = count(required(root, "", "simulator_errors"), "simulator_errors");
    readProvenance(required(root, "", "provenance"), profile.provenance);
    readMetrics(required(root, "", "metrics"), profile);
    for (const text::JsonMember &member : members)
      if (member.key == "reuse")
        readReuse(member.value, profile.reuse);
      else if (member.key == "errors")
        readErrors(member.value, profile);
      else if (member.key == "accesses") // missing in scaled profiles
        profile.accesses = accessRows(member.value);
      else if (member.key == "local_memory")
        profile.localMemory = localMemory(member.value);
      else if (member.key == "targets")
        profile.targets = targets(member.value);
    readHistograms(required(root, "", "histograms"), profile.histograms);
    if (const auto wrong = contradictionIn(profile))
      document().fail(required(root, "", wrong->part), wrong->what);
    return profile;
  }

  /// To append to a message about a file of another schema: which version has written it, and what
  /// to do. Empty for a file of this schema.
  std::string advice() const {
    const text::JsonValue &root = document().root();
    const text::JsonValue *schema = find(root, "schema_version"),
                          *provenance = find(root, "provenance"),
                          *tool = provenance ? find(*provenance, "tool_version") : nullptr;
    const auto *version = schema ? std::get_if<uint64_t>(&schema->value) : nullptr;
    if (!version || *version == 0 || *version == kSchemaVersion)
      return "";
    const auto *writer = tool ? std::get_if<std::string>(&tool->value) : nullptr;
    return fmt::format(": {} has written the file, in schema_version {}; this is aiwc {}, of "
                       "schema_version {}: {}",
                       writer ? "aiwc " + text::printable(*writer, 20) : "another version of aiwc",
                       *version, kVersion, kSchemaVersion,
                       *version > kSchemaVersion ? "read it with a newer one"
                                                 : "characterise the program again");
  }

private:
  void readProvenance(const text::JsonValue &value, Provenance &provenance) const {
    constexpr std::string_view kPath = "provenance";
    readIdentity(value, kPath, provenance);
    for (const auto &field : kVersionFields)
      provenance.*field.member =
          text(required(value, kPath, field.key), text::childPath(kPath, field.key));
    for (const text::JsonMember &member : object(value, kPath)) {
      const auto named = [&](const auto &field) { return field.key == member.key; };
      const auto *const origin = std::ranges::find_if(kOriginFields, named);
      if (origin != kOriginFields.end())
        provenance.*(origin->member) = text(member.value, text::childPath(kPath, member.key));
      else if (std::ranges::any_of(kSampleFields, named))
        readSample(value, provenance);
      else if (named(kOthersLeftOutField))
        provenance.othersLeftOut = truth(member.value, text::childPath(kPath, member.key));
      else if (!isIdentityKey(member.key) && !std::ranges::any_of(kVersionFields, named))
        unknown(member, kPath, "a key of a profile's provenance");
    }
    if (provenance.othersLeftOut && !provenance.sampled())
      document().fail(required(value, kPath, kOthersLeftOutField.key),
                      "provenance.others_left_out without sampled_groups: expected it");
  }

  /// Reads both counts; if only one is present, throws Error.
  void readSample(const text::JsonValue &value, Provenance &provenance) const {
    constexpr std::string_view kPath = "provenance";
    for (const auto &field : kSampleFields)
      provenance.*field.member =
          count(required(value, kPath, field.key), text::childPath(kPath, field.key));
    if (provenance.sampledGroups >= provenance.totalGroups)
      document().fail(required(value, kPath, kSampleFields[0].key),
                      fmt::format("provenance.sampled_groups is {}: expected fewer than "
                                  "total_groups, {}",
                                  provenance.sampledGroups, provenance.totalGroups));
  }

  /// Reads standard errors. Error words only need checking, because they follow from the metric.
  void readErrors(const text::JsonValue &value, KernelProfile &profile) const {
    if (!profile.provenance.sampled() && !profile.provenance.extrapolated())
      document().fail(value, "errors without provenance.sampled_groups or extrapolated_from: "
                             "expected one of them");
    for (const text::JsonMember &member : object(value, "errors")) {
      const MetricInfo *metric = findMetric(member.key);
      if (!metric)
        unknown(member, "errors", "one of the keys that `aiwc show --metrics` lists");
      const std::string path = text::childPath("errors", member.key);
      if (const auto *word = std::get_if<std::string>(&member.value.value)) {
        if (!isErrorWord(*word))
          wrong(member.value, path, "a standard error, null, lower_bound, upper_bound or sample");
      } else if (!std::holds_alternative<std::nullptr_t>(member.value.value)) {
        profile.setStandardError(metric->metric, real(member.value, path));
      }
    }
  }

  void readMetrics(const text::JsonValue &value, KernelProfile &profile) const {
    for (const text::JsonMember &member : object(value, "metrics")) {
      const MetricInfo *metric = findMetric(member.key);
      if (!metric)
        unknown(member, "metrics", "one of the keys that `aiwc show --metrics` lists");
      const std::string path = text::childPath("metrics", member.key);
      if (std::holds_alternative<std::nullptr_t>(member.value.value))
        profile.setNone(metric->metric);
      else if (metric->type == MetricType::kCount)
        profile.setCount(metric->metric, count(member.value, path, " or null"));
      else
        profile.setReal(metric->metric, real(member.value, path));
    }
  }

  void readReuse(const text::JsonValue &value, Reuse &reuse) const {
    constexpr std::string_view kPath = "reuse";
    for (const auto &field : kReuseCountFields)
      reuse.*field.member =
          count(required(value, kPath, field.key), text::childPath(kPath, field.key));
    for (const text::JsonMember &member : object(value, kPath))
      if (!std::ranges::any_of(kReuseCountFields,
                               [&](const auto &field) { return field.key == member.key; }))
        unknown(member, kPath, "a key of a profile's reuse");
  }

  void readHistograms(const text::JsonValue &value, Histograms &histograms) const {
    for (const text::JsonMember &member : object(value, "histograms")) {
      const std::string path = text::childPath("histograms", text::printable(member.key, 60));
      const auto *const field =
          std::ranges::find(kHistogramFields, member.key, &Field<Histograms, Histogram>::key);
      if (member.key == "opcodes")
        for (const text::JsonMember &opcode : object(member.value, path))
          histograms.opcodes[opcode.key] =
              count(opcode.value, text::childPath(path, text::printable(opcode.key, 60)));
      else if (field != kHistogramFields.end())
        histograms.*(field->member) = histogram(member.value, path);
      else if (member.key == "loops")
        for (const text::JsonValue &row : array(member.value, path))
          histograms.loops.push_back(
              loopRow(row, fmt::format("{}[{}]", path, histograms.loops.size())));
      else if (member.key == "lines")
        readLines(member.value, path, histograms);
      else
        unknown(member, "histograms", "a histogram of a profile");
    }
  }

  /// Reads the counts of a table's row; `others` are its other keys.
  template <typename Row, size_t N>
  Row counts(const text::JsonValue &value, std::string_view path,
             const std::array<Field<Row, uint64_t>, N> &fields,
             std::initializer_list<std::string_view> others) const {
    return counts(value, path, fields, std::span(others.begin(), others.size()));
  }
  template <typename Row, size_t N>
  Row counts(const text::JsonValue &value, std::string_view path,
             const std::array<Field<Row, uint64_t>, N> &fields,
             std::span<const std::string_view> others) const {
    Row row;
    for (const auto &field : fields)
      row.*field.member = count(required(value, path, field.key), text::childPath(path, field.key));
    for (const text::JsonMember &member : object(value, path))
      if (!std::ranges::any_of(fields, [&](const auto &f) { return f.key == member.key; }) &&
          std::ranges::find(others, member.key) == others.end())
        unknown(member, path, "a key of such a row");
    return row;
  }

  void readLines(const text::JsonValue &value, std::string_view path,
                 Histograms &histograms) const {
    std::vector<LineRow> &rows = histograms.lines;
    for (const text::JsonValue &entry : array(value, path)) {
      const std::string rowPath = fmt::format("{}[{}]", path, rows.size());
      LineRow row = lineRow(entry, rowPath);
      if (!rows.empty() && rows.back().line >= row.line)
        document().fail(entry, fmt::format("{} has line {} behind {}: expected increasing lines",
                                           rowPath, row.line, rows.back().line));
      rows.push_back(std::move(row));
    }
  }

  LineRow lineRow(const text::JsonValue &value, std::string_view path) const {
    constexpr auto &kRare = kRareLineFields;
    static constexpr auto kOthers = [] {
      std::array<std::string_view, kRare.size() + 1> keys = {"reuse_distances"};
      std::ranges::transform(kRare, keys.begin() + 1, &Field<LineRow, uint64_t>::key);
      return keys;
    }();
    LineRow row = counts(value, path, kLineFields, std::span<const std::string_view>(kOthers));
    for (const text::JsonMember &member : object(value, path))
      if (const auto *const field =
              std::ranges::find(kRare, member.key, &Field<LineRow, uint64_t>::key);
          field != kRare.end())
        row.*(field->member) = count(member.value, text::childPath(path, field->key));
    row.reuseDistances = histogram(required(value, path, "reuse_distances"),
                                   text::childPath(path, "reuse_distances"));
    return row;
  }

  LoopRow loopRow(const text::JsonValue &value, std::string_view path) const {
    LoopRow row = counts(value, path, kLoopFields,
                         {"function", "carries_dependence", "dependences", "carries_value"});
    row.function = text(required(value, path, "function"), text::childPath(path, "function"));
    const text::JsonValue &carries = required(value, path, "carries_dependence");
    if (!std::holds_alternative<std::nullptr_t>(carries.value))
      row.carriesDependence = truth(carries, text::childPath(path, "carries_dependence"));
    if (const text::JsonValue *carriesValue = find(value, "carries_value"))
      row.carriesValue = truth(*carriesValue, text::childPath(path, "carries_value"));
    const std::string pairsPath = text::childPath(path, "dependences");
    for (const text::JsonValue &entry : array(required(value, path, "dependences"), pairsPath)) {
      const std::string entryPath = fmt::format("{}[{}]", pairsPath, row.dependences.size());
      const text::JsonValue::Array &lines = array(entry, entryPath);
      if (lines.size() != 2)
        wrong(entry, entryPath, "a pair [line of the write, line of the read]");
      const std::pair pair(count(lines[0], entryPath + "[0]"), count(lines[1], entryPath + "[1]"));
      if (!row.dependences.empty() && row.dependences.back() >= pair)
        document().fail(entry, entryPath + " does not follow the one before it: expected "
                                           "increasing pairs");
      row.dependences.push_back(pair);
    }
    return row;
  }

  std::vector<AccessRow> accessRows(const text::JsonValue &value) const {
    std::vector<AccessRow> rows;
    for (const text::JsonValue &row : array(value, "accesses"))
      rows.push_back(accessRow(row, fmt::format("accesses[{}]", rows.size())));
    return rows;
  }

  LocalMemory localMemory(const text::JsonValue &value) const {
    constexpr std::string_view kPath = "local_memory";
    for (const text::JsonMember &member : object(value, kPath))
      if (member.key != "group_bytes" && member.key != "bank_turns")
        unknown(member, kPath, "group_bytes or bank_turns");
    LocalMemory memory;
    memory.groupBytes = count(required(value, kPath, "group_bytes"), "local_memory.group_bytes");
    const text::JsonValue &turns = required(value, kPath, "bank_turns");
    memory.bankTurns = real(turns, "local_memory.bank_turns");
    if (memory.bankTurns < 1)
      wrong(turns, "local_memory.bank_turns", "a number of 1 or more");
    return memory;
  }

  TargetTraffic targets(const text::JsonValue &value) const {
    TargetTraffic result;
    for (const text::JsonMember &member : object(value, "targets")) {
      const auto *const family = std::ranges::find(kTargetFamilies, member.key);
      if (family == kTargetFamilies.end())
        unknown(member, "targets", "gfx906, gfx1030 or nvptx");
      result[static_cast<size_t>(family - kTargetFamilies.begin())] =
          counts(member.value, text::childPath("targets", member.key), kPrivateTrafficFields, {});
    }
    return result;
  }

  AccessRow accessRow(const text::JsonValue &value, std::string_view path) const {
    constexpr auto kFields =
        concatenated(std::array<Field<AccessRow, uint64_t>, 2>{{{"line", &AccessRow::line},
                                                                {"loop", &AccessRow::loop}}},
                     kAccessCountFields);
    AccessRow row = counts(value, path, kFields,
                           {"function", "array", "space", "kind", "lane_stride", "loop_stride",
                            "data_dependent", "idiom"});
    row.function = text(required(value, path, "function"), text::childPath(path, "function"));
    row.array = text(required(value, path, "array"), text::childPath(path, "array"));
    row.space = word(required(value, path, "space"), text::childPath(path, "space"), memorySpaceOf,
                     "global, constant or local");
    row.kind = word(required(value, path, "kind"), text::childPath(path, "kind"), accessKindOf,
                    "read, write or atomic");
    for (const auto &field : kAccessStrideFields)
      row.*field.member =
          stride(required(value, path, field.key), text::childPath(path, field.key));
    row.dataDependent =
        truth(required(value, path, "data_dependent"), text::childPath(path, "data_dependent"));
    const text::JsonValue &idiom = required(value, path, "idiom");
    if (!std::holds_alternative<std::nullptr_t>(idiom.value))
      row.idiom = word(idiom, text::childPath(path, "idiom"), idiomOf,
                       "null or an idiom: stream, transpose, gather, scatter, gather_scatter, "
                       "reduction, stencil, matrix_multiply");
    return row;
  }

  /// One of the words that `valueOf` knows.
  template <typename Enum>
  Enum word(const text::JsonValue &value, std::string_view path,
            std::optional<Enum> (*valueOf)(std::string_view), std::string_view expected) const {
    const auto *name = std::get_if<std::string>(&value.value);
    const std::optional<Enum> known = name ? valueOf(*name) : std::nullopt;
    if (!known)
      wrong(value, path, expected);
    return *known;
  }

  /// A number of bytes that may be negative; the parser has negative numbers as doubles.
  std::optional<int64_t> stride(const text::JsonValue &value, std::string_view path) const {
    if (std::holds_alternative<std::nullptr_t>(value.value))
      return std::nullopt;
    if (const auto *count = std::get_if<uint64_t>(&value.value); count && *count <= kLargestStride)
      return static_cast<int64_t>(*count);
    const auto *real = std::get_if<double>(&value.value);
    if (!real || !(std::abs(*real) <= static_cast<double>(kLargestStride)) ||
        *real != std::trunc(*real))
      wrong(value, path, "null or an integer from -2^53 to 2^53");
    return static_cast<int64_t>(*real);
  }

  Histogram histogram(const text::JsonValue &value, std::string_view path) const {
    Histogram result;
    for (const text::JsonValue &entry : array(value, path)) {
      const auto *pair = std::get_if<text::JsonValue::Array>(&entry.value);
      const auto entryPath = [&] { return fmt::format("{}[{}]", path, result.size()); };
      if (!pair || pair->size() != 2)
        document().fail(entry, fmt::format("{} is {}: expected a pair [value, occurrences]",
                                           entryPath(), described(entry)));
      const uint64_t *numbers[2];
      for (size_t i = 0; i < 2; ++i) {
        numbers[i] = std::get_if<uint64_t>(&(*pair)[i].value);
        if (!numbers[i])
          wrong((*pair)[i], fmt::format("{}[{}]", entryPath(), i), kCountExpected);
      }
      if (!result.empty() && result.back().first >= *numbers[0])
        document().fail(entry, fmt::format("{} has the value {} behind {}: expected increasing "
                                           "values",
                                           entryPath(), *numbers[0], result.back().first));
      result.emplace_back(*numbers[0], *numbers[1]);
    }
    return result;
  }

  double real(const text::JsonValue &value, std::string_view path) const {
    if (const auto *integer = std::get_if<uint64_t>(&value.value))
      return static_cast<double>(*integer);
    const auto *number = std::get_if<double>(&value.value);
    if (!number || *number < 0)
      wrong(value, path, "a non-negative number or null");
    return *number;
  }
};

} // namespace

KernelProfile fromJson(std::string_view text, const std::string &file) {
  const ProfileReader reader(text, file);
  try {
    return reader.read();
  } catch (const Error &error) {
    throw Error(error.what() + reader.advice());
  }
}

KernelProfile readProfile(const std::filesystem::path &path) {
  return fromJson(readFile(path, "a JSON profile", kMaximumJsonBytes), path.string());
}

} // namespace aiwc::profile
