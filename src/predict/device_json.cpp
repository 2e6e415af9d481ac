#include "predict/device_json.h"

#include "common/file.h"
#include "predict/device_measurements_json.h"
#include "text/json_text.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::predict {

namespace {

using text::childPath;
using text::JsonList;
using text::JsonMember;
using text::JsonValue;

constexpr std::array kTypes = {DeviceType::kCpu, DeviceType::kGpu, DeviceType::kIntegratedGpu,
                               DeviceType::kAccelerator};

/// The JSON object that contains a parameter: the abstract machine of [AM], or the one for other
/// parameters.
std::string_view sectionOf(Parameter parameter) {
  return parameter <= Parameter::kSyncCost ? "machine" : "properties";
}

constexpr std::array<std::string_view, 2> kSections = {"machine", "properties"};

class DeviceReader : MeasurementsReader {
public:
  DeviceReader(std::string_view text, const std::string &file)
      : MeasurementsReader(text, file, "a device"), file_(file) {}

  DeviceProfile read() const {
    const JsonValue &root = document().root();
    const JsonValue::Object &members = object(root, "");
    requireSchemaVersion(kDeviceSchemaVersion);
    constexpr std::array<std::string_view, 13> kKeys = {
        "schema_version", "id",           "name",    "vendor",     "series",       "type",   "year",
        "opencl",         "opencl_names", "machine", "properties", "measurements", "aliases"};
    for (const JsonMember &member : members)
      if (std::ranges::find(kKeys, member.key) == kKeys.end())
        unknown(member, "", "a key of a device");

    DeviceProfile device;
    device.id = id(required(root, "", "id"));
    for (const JsonMember &member : members)
      if (member.key == "aliases")
        device.aliases = aliases(member.value);
    device.name = line(root, "name");
    device.vendor = line(root, "vendor");
    device.series = line(root, "series");
    device.type = type(required(root, "", "type"));
    device.year = year(required(root, "", "year"));
    for (const JsonMember &member : members)
      if (member.key == "opencl")
        device.opencl = truth(member.value, "opencl");
    device.openclNames = openclNames(required(root, "", "opencl_names"));
    if (!device.opencl && !device.openclNames.empty())
      document().fail(required(root, "", "opencl_names"),
                      "opencl_names is not empty, but opencl is false: expected no names");
    for (const JsonMember &member : members)
      if (std::ranges::find(kSections, member.key) != kSections.end())
        readSection(member, device);
    for (const JsonMember &member : members)
      if (member.key == "measurements")
        device.measurements = measurements(member.value, member.key);
    return device;
  }

private:
  const std::string &idText(const JsonValue &value, std::string_view key) const {
    const std::string &id = text(value, key);
    if (!isDeviceId(id))
      document().fail(value,
                      fmt::format("{} is \"{}\": expected lower-case letters, digits, '.', '-' and "
                                  "'_', the first a letter or digit",
                                  key, text::printable(id, 60)));
    return id;
  }

  std::vector<std::string> aliases(const JsonValue &value) const {
    std::vector<std::string> ids;
    for (const JsonValue &element : array(value, "aliases"))
      ids.push_back(idText(element, fmt::format("aliases[{}]", ids.size())));
    return ids;
  }

  std::string id(const JsonValue &value) const {
    const std::string &id = idText(value, "id");
    const std::string stem = std::filesystem::path(file_).stem().string();
    if (id != stem)
      document().fail(value, fmt::format("id is \"{}\": expected the file's name, \"{}\"", id,
                                         text::printable(stem, 60)));
    return id;
  }

  const std::string &line(const JsonValue &root, std::string_view key) const {
    return printableText(required(root, "", key), key);
  }

  DeviceType type(const JsonValue &value) const {
    const std::string &name = text(value, "type");
    for (const DeviceType type : kTypes)
      if (toString(type) == name)
        return type;
    document().fail(value, fmt::format("type is \"{}\": expected cpu, gpu, integrated_gpu or "
                                       "accelerator",
                                       text::printable(name, 60)));
  }

  int year(const JsonValue &value) const {
    constexpr uint64_t kFirst = 1970;
    constexpr uint64_t kLast = 2100;
    const uint64_t year = count(value, "year");
    if (year < kFirst || year > kLast)
      document().fail(value, fmt::format("year is {}: expected {} to {}", year, kFirst, kLast));
    return static_cast<int>(year);
  }

  std::vector<std::string> openclNames(const JsonValue &value) const {
    std::vector<std::string> names;
    for (const JsonValue &element : array(value, "opencl_names"))
      names.push_back(printableText(element, fmt::format("opencl_names[{}]", names.size())));
    return names;
  }

  void readSection(const JsonMember &section, DeviceProfile &device) const {
    for (const JsonMember &member : object(section.value, section.key)) {
      const auto found = std::ranges::find(parameters(), member.key, &ParameterInfo::key);
      if (found == parameters().end() || sectionOf(found->parameter) != section.key)
        unknown(member, section.key,
                fmt::format("one of the keys of {} in docs/devices.md", section.key));
      const std::string path = childPath(section.key, member.key);
      for (const JsonMember &part : object(member.value, path))
        if (part.key != "value" && part.key != "source" && part.key != "spread")
          unknown(part, path, "value, source or spread");
      const std::string sourcePath = childPath(path, "source");
      device.set(found->parameter,
                 number(required(member.value, path, "value"), childPath(path, "value"), *found),
                 printableText(required(member.value, path, "source"), sourcePath),
                 spreadIfAny(member.value, path));
    }
  }

  double number(const JsonValue &value, std::string_view path,
                const ParameterInfo &parameter) const {
    const auto *integer = std::get_if<uint64_t>(&value.value);
    const auto *real = std::get_if<double>(&value.value);
    if (!integer && !real)
      wrong(value, path, parameter.expected());
    const double number = integer ? static_cast<double>(*integer) : *real;
    if (!parameter.allows(number))
      document().fail(value,
                      fmt::format("{} is {}: expected {}", path, number, parameter.expected()));
    return number;
  }

  std::string file_;
};

/// Whether the device has what the second version of the schema added.
bool isMeasured(const DeviceProfile &device) {
  return device.measurements || std::ranges::any_of(device.quantities, [](const auto &quantity) {
           return quantity && quantity->spread;
         });
}

void appendSection(std::string &to, const DeviceProfile &device, std::string_view section) {
  JsonList object(to, JsonList::Kind::kObject, 2);
  for (const ParameterInfo &parameter : parameters()) {
    const auto &quantity = device.quantities[static_cast<size_t>(parameter.parameter)];
    if (!quantity || sectionOf(parameter.parameter) != section)
      continue;
    JsonList row(object.next(parameter.key), JsonList::Kind::kObject);
    row.next("value") += fmt::format("{}", quantity->value);
    row.member("source", quantity->source);
    if (quantity->spread)
      row.next("spread") += fmt::format("{}", *quantity->spread);
    row.close();
  }
  object.close();
}

} // namespace

bool isDeviceId(std::string_view text) {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos &&
         text[0] != '.' && text[0] != '-';
}

DeviceProfile deviceFromJson(std::string_view text, const std::string &file) {
  return DeviceReader(text, file).read();
}

DeviceProfile readDevice(const std::filesystem::path &path) {
  constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{1} << 20U;
  return deviceFromJson(readFile(path, "a JSON device file", kMaximumBytes), path.string());
}

std::string toJson(const DeviceProfile &device) {
  std::string text;
  JsonList object(text, JsonList::Kind::kObject, 0);
  object.member("schema_version", uint64_t{isMeasured(device) ? 2U : 1U});
  object.member("id", device.id);
  if (!device.aliases.empty())
    object.texts("aliases", device.aliases);
  object.member("name", device.name);
  object.member("vendor", device.vendor);
  object.member("series", device.series);
  object.member("type", toString(device.type));
  text::appendJsonCount(object.next("year"), int64_t{device.year});
  object.member("opencl", device.opencl);
  object.texts("opencl_names", device.openclNames);
  for (const std::string_view section : kSections)
    appendSection(object.next(section), device, section);
  if (device.measurements)
    object.next("measurements") += measurementsJson(*device.measurements);
  object.close();
  return text + "\n";
}

} // namespace aiwc::predict
