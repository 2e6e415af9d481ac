#include "common/file.h"
#include "predict/fitted/fitted_model.h"
#include "text/json_reader.h"
#include "text/json_text.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace aiwc::predict {

namespace {

using text::childPath;
using text::JsonMember;
using text::JsonValue;

/// Larger factors than e^40 between data sheet and time mean a broken file.
constexpr double kLargestCoefficient = 40;
constexpr size_t kMostRows = 100'000;
constexpr double kLargestCorrelation = 0.99; // of errors that are never all the same
constexpr std::string_view kClassCorrelation = "class_correlation";

class ModelReader : text::JsonReader {
public:
  ModelReader(std::string_view text, const std::string &file) : JsonReader(text, file, "a model") {}

  FittedModel read() const {
    const JsonValue &root = document().root();
    object(root, "");
    requireSchemaVersion(kModelSchemaVersion);
    FittedModel model;
    model.toolVersion = line(required(root, "", "tool_version"), "tool_version");
    std::set<DeviceClass> classes;
    for (const JsonValue &row : rows(root, "classes")) {
      model.classes.push_back(readClass(row));
      const DeviceClass added = model.classes.back().deviceClass;
      if (!classes.insert(added).second)
        document().fail(row,
                        fmt::format("a second class \"{}\": expected each once", toString(added)));
    }
    if (model.classes.empty())
      document().fail(root, "classes is empty: expected at least one class of devices");
    std::set<std::pair<std::string, std::string>> devices;
    for (const JsonValue &row : rows(root, "devices")) {
      model.devices.push_back(readDevice(row));
      const DeviceDeviation &added = model.devices.back();
      if (!devices.emplace(added.device, added.dataSet).second)
        document().fail(row, fmt::format("a second deviation of \"{}\" in \"{}\": expected one",
                                         added.device, added.dataSet));
    }
    model.launchAboveShortest =
        number(required(root, "", "launch_above_shortest"), "launch_above_shortest",
               -kLargestCoefficient, kLargestCoefficient);
    model.knownDevice = errorFactors(root, "known_device");
    model.unknownDevice = errorFactors(root, "unknown_device");
    model.unknownDeviceMeasuredLaunch = errorFactors(root, "unknown_device_measured_launch");
    model.errorCorrelation = number(required(root, "", "error_correlation"), "error_correlation", 0,
                                    kLargestCorrelation);
    model.classCorrelation = {model.errorCorrelation, model.errorCorrelation};
    for (const JsonMember &member : object(root, ""))
      if (member.key == "seen")
        model.seen = seenRanges(member.value);
      else if (member.key == kClassCorrelation)
        model.classCorrelation = classCorrelation(member.value);
    for (const JsonValue &name : rows(root, "applications"))
      model.applications.push_back(line(name, "applications"));
    return model;
  }

private:
  const JsonValue::Array &rows(const JsonValue &root, std::string_view key) const {
    const JsonValue &value = required(root, "", key);
    const JsonValue::Array &found = array(value, key);
    if (found.size() > kMostRows)
      document().fail(
          value, fmt::format("{} has {} rows: expected at most {}", key, found.size(), kMostRows));
    return found;
  }

  const std::string &line(const JsonValue &value, std::string_view path) const {
    const std::string &result = text(value, path);
    if (result.empty() || text::printable(result, SIZE_MAX) != result)
      document().fail(value, fmt::format("{} is no line of text: expected one", path));
    return result;
  }

  double number(const JsonValue &value, std::string_view path, double least, double most) const {
    const auto *integer = std::get_if<uint64_t>(&value.value);
    const auto *real = std::get_if<double>(&value.value);
    const std::string expected = fmt::format("a number from {:g} to {:g}", least, most);
    if (!integer && !real)
      wrong(value, path, expected);
    const double result = integer ? static_cast<double>(*integer) : *real;
    if (!(result >= least && result <= most))
      document().fail(value, fmt::format("{} is {:g}: expected {}", path, result, expected));
    return result + 0.0; // -0 is 0
  }

  Coefficients coefficients(const JsonValue &row) const {
    const JsonValue &values = required(row, "", "coefficients");
    for (const JsonMember &member : object(values, "coefficients"))
      if (std::ranges::find(predict::coefficients(), member.key, &CoefficientInfo::key) ==
          predict::coefficients().end())
        unknown(member, "coefficients", "a coefficient of the model");
    Coefficients result{};
    for (size_t k = 0; k < kCoefficientCount; ++k) {
      const std::string_view key = predict::coefficients()[k].key;
      result[k] = number(required(values, "coefficients", key), childPath("coefficients", key),
                         -kLargestCoefficient, kLargestCoefficient);
    }
    return result;
  }

  ClassCoefficients readClass(const JsonValue &row) const {
    const JsonValue &name = required(row, "", "class");
    for (size_t i = 0; i < kDeviceClassCount; ++i)
      if (toString(static_cast<DeviceClass>(i)) == text(name, "class"))
        return {static_cast<DeviceClass>(i), coefficients(row)};
    document().fail(name, fmt::format("class is \"{}\": expected cpu, nvidia_gpu, amd_gpu, "
                                      "mobile_gpu, many_core or other",
                                      text::printable(text(name, "class"), 60)));
  }

  DeviceDeviation readDevice(const JsonValue &row) const {
    return {line(required(row, "", "device"), "device"),
            line(required(row, "", "data_set"), "data_set"), coefficients(row),
            count(required(row, "", "times"), "times"), clockOf(required(row, "", "clock"))};
  }

  Clock clockOf(const JsonValue &value) const {
    for (const Clock clock : {Clock::kKernel, Clock::kQueued}) // those that published times have
      if (toString(clock) == text(value, "clock"))
        return clock;
    wrong(value, "clock", "kernel or queued");
  }

  TrainingRanges seenRanges(const JsonValue &value) const {
    constexpr double kMost = 1e18; // more than any launch has of anything
    object(value, "seen");
    TrainingRanges seen;
    for (const Feature &feature : features()) {
      const JsonValue &row = required(value, "seen", feature.key);
      const std::string path = childPath("seen", feature.key);
      object(row, path);
      const auto limit = [&](std::string_view key) {
        return number(required(row, path, key), childPath(path, key), 0, kMost);
      };
      seen.push_back({limit("low"), limit("high")});
    }
    return seen;
  }

  ClassCorrelation classCorrelation(const JsonValue &value) const {
    object(value, kClassCorrelation);
    const auto of = [&](std::string_view key) {
      return number(required(value, kClassCorrelation, key), childPath(kClassCorrelation, key), 0,
                    kLargestCorrelation);
    };
    return {of("same"), of("others")};
  }

  ErrorFactors errorFactors(const JsonValue &root, std::string_view key) const {
    const JsonValue &value = required(root, "", key);
    object(value, key);
    ErrorFactors result;
    for (size_t i = 0; i < kErrorPartCount; ++i) {
      const std::string_view part = toString(static_cast<ErrorPart>(i));
      const std::string path = childPath(key, part);
      const JsonValue &row = required(value, key, part);
      object(row, path);
      const auto limit = [&](std::string_view end, double least, double most) {
        return number(required(row, path, end), childPath(path, end), least, most);
      };
      result[i] = {limit("low", -kLargestCoefficient, 0), limit("high", 0, kLargestCoefficient)};
    }
    return result;
  }
};

std::string coefficientsJson(const Coefficients &values) {
  std::vector<std::string> members;
  for (size_t k = 0; k < kCoefficientCount; ++k)
    members.push_back(fmt::format("\"{}\": {:.6g}", coefficients()[k].key, values[k]));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string list(const std::vector<std::string> &rows) {
  return rows.empty() ? "[]" : fmt::format("[\n    {}\n  ]", fmt::join(rows, ",\n    "));
}

} // namespace

std::string toJson(const FittedModel &model) {
  std::vector<std::string> classes;
  for (const ClassCoefficients &row : model.classes)
    classes.push_back(fmt::format("{{\"class\": \"{}\", \"coefficients\": {}}}",
                                  toString(row.deviceClass), coefficientsJson(row.values)));
  std::vector<std::string> devices;
  for (const DeviceDeviation &row : model.devices)
    devices.push_back(
        fmt::format("{{\"device\": {}, \"data_set\": {}, \"times\": {}, \"clock\": \"{}\", "
                    "\"coefficients\": {}}}",
                    text::jsonString(row.device), text::jsonString(row.dataSet), row.times,
                    toString(row.clock), coefficientsJson(row.values)));
  std::vector<std::string> applications;
  for (const std::string &name : model.applications)
    applications.push_back(text::jsonString(name));
  const auto errorFactors = [](const ErrorFactors &values) {
    std::vector<std::string> members;
    for (size_t i = 0; i < kErrorPartCount; ++i)
      members.push_back(fmt::format("\"{}\": {{\"low\": {:.6g}, \"high\": {:.6g}}}",
                                    toString(static_cast<ErrorPart>(i)), values[i].low,
                                    values[i].high));
    return fmt::format("{{{}}}", fmt::join(members, ", "));
  };
  std::vector<std::string> ranges;
  for (size_t i = 0; i < model.seen.size(); ++i)
    ranges.push_back(fmt::format("\"{}\": {{\"low\": {:.6g}, \"high\": {:.6g}}}", features()[i].key,
                                 model.seen[i].low, model.seen[i].high));
  const std::string seen =
      ranges.empty() ? "" : fmt::format("  \"seen\": {{{}}},\n", fmt::join(ranges, ", "));
  return fmt::format(
      "{{\n  \"schema_version\": {},\n  \"tool_version\": {},\n  \"classes\": {},\n"
      "  \"devices\": {},\n  \"launch_above_shortest\": {:.6g},\n"
      "  \"known_device\": {},\n  \"unknown_device\": {},\n"
      "  \"unknown_device_measured_launch\": {},\n  \"error_correlation\": {:.3g},\n"
      "  \"{}\": {{\"same\": {:.3g}, \"others\": {:.3g}}},\n"
      "{}  \"applications\": {}\n}}\n",
      kModelSchemaVersion, text::jsonString(model.toolVersion), list(classes), list(devices),
      model.launchAboveShortest, errorFactors(model.knownDevice), errorFactors(model.unknownDevice),
      errorFactors(model.unknownDeviceMeasuredLaunch), model.errorCorrelation, kClassCorrelation,
      model.classCorrelation.same, model.classCorrelation.others, seen, list(applications));
}

FittedModel modelFromJson(std::string_view text, const std::string &file) {
  return ModelReader(text, file).read();
}

FittedModel readModel(const std::filesystem::path &file) {
  constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{64} << 20U;
  return modelFromJson(readFile(file, "a JSON model", kMaximumBytes), file.string());
}

} // namespace aiwc::predict
