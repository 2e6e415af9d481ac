#include "command.h"
#include "command_line/output.h"
#include "common/as_number.h"
#include "device_measurement/device_measurement.h"
#include "inputs.h"
#include "predict/device_json.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace aiwc::cli {

namespace {

using predict::DeviceLibrary;
using predict::DeviceProfile;
using predict::Parameter;
using predict::ParameterInfo;

struct ListOptions {
  std::vector<std::string> types;
  bool ids = false;
  bool json = false;
};

struct DeviceShowOptions {
  std::vector<std::string> ids;
  bool json = false;
};

constexpr std::string_view kNoFigure = "-";

std::optional<double> deviceValue(const DeviceProfile &device, Parameter parameter) {
  return device.has(parameter) ? std::optional(device[parameter]) : std::nullopt;
}

/// Of all cores, GFLOP/s.
std::optional<double> devicePeak(const DeviceProfile &device, Parameter rate) {
  if (!device.has(Parameter::kCores) || !device.has(rate))
    return std::nullopt;
  return device[Parameter::kCores] * device[rate];
}

/// At least three digits; numbers below 1000 get no more than three.
std::string threeDigits(std::optional<double> value) {
  if (!value)
    return std::string(kNoFigure);
  return *value >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.3g}", *value);
}

/// All digits; a number of bytes is also shown in KiB, MiB and so on.
std::string quantityText(const ParameterInfo &parameter, double value) {
  std::string text =
      fmt::format("{}{}{}", value, parameter.unit.empty() ? "" : " ", parameter.unit);
  if (parameter.unit == "B" && value >= 1024)
    text += fmt::format(" ({})", text::formatBytes(static_cast<uint64_t>(value)));
  return text;
}

std::string bytesOrNone(std::optional<double> bytes) {
  return bytes ? text::formatBytes(static_cast<uint64_t>(*bytes)) : std::string(kNoFigure);
}

std::string deviceListText(const std::vector<const DeviceProfile *> &devices) {
  std::vector<std::vector<std::string>> rows = {{"id", "name", "type", "year", "OpenCL", "memory",
                                                 "cores", "GFLOP/s", "in double", "memory GB/s",
                                                 "launch us"}};
  for (const DeviceProfile *device : devices)
    rows.push_back({device->id, device->name, std::string(toString(device->type)),
                    fmt::format("{}", device->year), device->opencl ? "yes" : "no",
                    bytesOrNone(deviceValue(*device, Parameter::kMemoryCapacity)),
                    threeDigits(deviceValue(*device, Parameter::kCores)),
                    threeDigits(devicePeak(*device, Parameter::kFp32Rate)),
                    threeDigits(devicePeak(*device, Parameter::kFp64Rate)),
                    threeDigits(deviceValue(*device, Parameter::kDramBandwidth)),
                    threeDigits(deviceValue(*device, Parameter::kLaunchOverhead))});
  return text::textTable(rows, {true, true, true});
}

std::string deviceIds(const std::vector<const DeviceProfile *> &devices) {
  std::string text;
  for (const DeviceProfile *device : devices)
    text += device->id + "\n";
  return text;
}

std::string deviceListJson(const std::vector<const DeviceProfile *> &devices) {
  std::string text = "[\n";
  for (const DeviceProfile *device : devices) {
    if (text.size() > 2)
      text.insert(text.size() - 1, ",");
    text += predict::toJson(*device);
  }
  return text + "]\n";
}

/// All devices, also those without OpenCL, or those of the types.
std::vector<const DeviceProfile *> listedDevices(const DeviceLibrary &library,
                                                 const std::vector<std::string> &types) {
  std::vector<const DeviceProfile *> listed;
  for (const DeviceProfile &device : library.devices())
    if (types.empty() || std::ranges::find(types, toString(device.type)) != types.end())
      listed.push_back(&device);
  return listed;
}

/// " +- 3 %": half of the 95 % interval of the median.
std::string spreadText(std::optional<double> spread) {
  constexpr double kPercent = 100;
  return spread ? fmt::format(" +- {:.2g} %", *spread * kPercent) : "";
}

/// Figures and idioms; --json has the other curves.
std::string measurementsText(const predict::DeviceMeasurements &measured) {
  std::string text = fmt::format("\nmeasured by {}, driver {}\n", measured.by, measured.driver);
  std::vector<std::vector<std::string>> rows;
  for (const predict::FigureInfo &info : predict::figures())
    for (const predict::Figure &figure : measured.figures)
      if (figure.key == info.key)
        rows.push_back(
            {std::string(info.key),
             fmt::format("{:.4g} {}{}", figure.value, info.unit, spreadText(figure.spread)),
             std::string(info.description)});
  if (!rows.empty())
    text += "\n" + text::textTable(rows, {true, true, true});
  rows = {{"idiom", "footprints", "GB/s", "error"}};
  for (const predict::IdiomCurve &curve : measured.idioms) {
    const predict::CurvePoint &first = curve.points.front();
    const predict::CurvePoint &last = curve.points.back();
    rows.push_back({std::string(toString(curve.idiom)),
                    fmt::format("{} to {}", text::formatBytes(static_cast<uint64_t>(first.bytes)),
                                text::formatBytes(static_cast<uint64_t>(last.bytes))),
                    fmt::format("{:.3g} to {:.3g}", first.value, last.value),
                    fmt::format("{:.1f} %", curve.error * 100)});
  }
  if (rows.size() > 1)
    text += "\n" + text::textTable(rows, {true, true, true});
  for (const std::string &reason : measured.missing)
    text += fmt::format("\nnot measured: {}", reason);
  return text + (measured.missing.empty() ? "" : "\n");
}

std::string deviceText(const DeviceProfile &device) {
  std::string text = fmt::format("{}: {} {}\n{}, {}, {}\n", device.id, device.vendor, device.name,
                                 toString(device.type), device.series, device.year);
  if (!device.opencl)
    text += "no OpenCL implementation\n";
  for (const std::string &name : device.openclNames)
    text += fmt::format("OpenCL device \"...{}...\"\n", name);
  text += fmt::format("peak {} GFLOP/s in single precision, {} in double\n\n",
                      threeDigits(devicePeak(device, Parameter::kFp32Rate)),
                      threeDigits(devicePeak(device, Parameter::kFp64Rate)));
  std::vector<std::vector<std::string>> rows;
  for (const ParameterInfo &parameter : predict::parameters()) {
    const auto &quantity = device.quantities[static_cast<size_t>(parameter.parameter)];
    rows.push_back({std::string(parameter.name),
                    quantity
                        ? quantityText(parameter, quantity->value) + spreadText(quantity->spread)
                        : std::string(kNoFigure),
                    quantity ? quantity->source : "unknown"});
  }
  text += text::textTable(rows, {true, true, true});
  return device.measurements ? text + measurementsText(*device.measurements) : text;
}

/// The ratio B / A.
std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
  return a && b && *a != 0 ? std::optional(*b / *a) : std::nullopt;
}

std::string deviceComparisonText(const DeviceProfile &a, const DeviceProfile &b) {
  std::vector<std::vector<std::string>> rows = {
      {"", a.id, b.id, "ratio"},
      {"name", a.name, b.name, ""},
      {"type", std::string(toString(a.type)), std::string(toString(b.type)), ""},
      {"year", fmt::format("{}", a.year), fmt::format("{}", b.year), ""}};
  const auto add = [&](std::string_view name, std::string_view unit, std::optional<double> first,
                       std::optional<double> second) {
    const auto cell = [&](std::optional<double> value) {
      if (!value)
        return std::string(kNoFigure);
      return unit == "B" ? text::formatBytes(static_cast<uint64_t>(*value))
                         : fmt::format("{:.7g}{}{}", *value, unit.empty() ? "" : " ", unit);
    };
    const auto change = quotient(first, second);
    rows.push_back({std::string(name), cell(first), cell(second),
                    change ? fmt::format("{:.4g}", *change) : std::string(kNoFigure)});
  };
  for (const auto &[name, rate] :
       {std::pair("peak fp32", Parameter::kFp32Rate), std::pair("peak fp64", Parameter::kFp64Rate)})
    add(name, "GFLOP/s", devicePeak(a, rate), devicePeak(b, rate));
  for (const ParameterInfo &parameter : predict::parameters())
    add(parameter.name, parameter.unit, deviceValue(a, parameter.parameter),
        deviceValue(b, parameter.parameter));
  return text::textTable(rows, {true});
}

std::string deviceComparisonJson(const DeviceProfile &a, const DeviceProfile &b) {
  using Json = nlohmann::ordered_json;
  const auto orNull = [](std::optional<double> value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json = {{"a", a.id}, {"b", b.id}, {"parameters", Json::array()}};
  for (const ParameterInfo &parameter : predict::parameters()) {
    const auto first = deviceValue(a, parameter.parameter);
    const auto second = deviceValue(b, parameter.parameter);
    json["parameters"].push_back({{"name", parameter.name},
                                  {"key", parameter.key},
                                  {"a", orNull(first)},
                                  {"b", orNull(second)},
                                  {"ratio", orNull(quotient(first, second))}});
  }
  return json.dump(2) + "\n";
}

std::string deviceList(const ListOptions &options) {
  const DeviceLibrary library = loadDevices();
  const auto listed = listedDevices(library, options.types);
  return options.json  ? deviceListJson(listed)
         : options.ids ? deviceIds(listed)
                       : deviceListText(listed);
}

std::string shownDevices(const DeviceShowOptions &options) {
  const DeviceLibrary library = loadDevices();
  if (options.ids.size() > 2)
    throw Misuse(fmt::format("{} devices: expected one, or two to compare", options.ids.size()));
  const DeviceProfile &device = library[options.ids[0]];
  if (options.ids.size() == 1)
    return options.json ? predict::toJson(device) : deviceText(device);
  const DeviceProfile &other = library[options.ids[1]];
  return options.json ? deviceComparisonJson(device, other) : deviceComparisonText(device, other);
}

void addList(Command devices) {
  auto options = std::make_shared<ListOptions>();
  Command list = devices.subcommand("list", "List the known devices, one per row");
  list.option("TYPE", &options->types, "List only devices of this type")
      .oneOf({"cpu", "gpu", "integrated_gpu", "accelerator"});
  Option json = list.flag("--json", options->json, "Print JSON");
  list.flag("--ids", options->ids, "List only the ids, one per line: for programs").excludes(json);
  list.examples({{"aiwc devices list gpu", "all GPUs"}});
  list.action([options] { print(deviceList(*options)); });
}

void addShowDevice(Command devices) {
  auto options = std::make_shared<DeviceShowOptions>();
  Command show =
      devices.subcommand("show", "Print everything about a device, or two devices side by side");
  show.option("ID", &options->ids, "The device's id; with a second one, both and their ratios")
      .required();
  show.flag("--json", options->json, "Print JSON: of one device, its file");
  show.examples(
      {{"aiwc devices show rtx4090", "each number with its source"},
       {"aiwc devices show rtx4090 rx7900xtx", "side by side"},
       {"aiwc devices show rtx4090 --json > mine.json", "to start a device of your own"}});
  show.action([options] { print(shownDevices(*options)); });
}

struct MeasureCommand {
  device_measurement::MeasureOptions options;
  std::string output;
  bool list = false;
};

/// What is measured now, and the time left: on a terminal, a line that changes.
class Meter {
public:
  void show(const device_measurement::Progress &progress) {
    if (isatty(STDERR_FILENO) != 1)
      return;
    fmt::print(stderr, "\r\033[K{} of {}: {}, {} s left", progress.done + 1, progress.total,
               progress.item, static_cast<int>(std::ceil(progress.secondsLeft)));
    shown_ = true;
  }
  void clear() {
    if (std::exchange(shown_, false))
      fmt::print(stderr, "\r\033[K");
  }

private:
  bool shown_ = false;
};

std::string deviceTable() {
  std::vector<std::vector<std::string>> rows = {{"device", "name", "platform", "driver"}};
  const auto line = [](const std::string &text) { return text::printable(text, 100); };
  for (const device_measurement::ListedDevice &device : device_measurement::listedDevices())
    rows.push_back({fmt::format("{}", rows.size() - 1), line(device.name), line(device.platform),
                    line(device.driver)});
  return text::textTable(rows, {true, true, true, true});
}

std::string measured(MeasureCommand &command) {
  const predict::DeviceLibrary library = loadDevices();
  command.options.library = &library;
  command.options.output = command.output;
  Meter meter;
  command.options.progress = [&](const device_measurement::Progress &progress) {
    meter.show(progress);
  };
  try {
    const device_measurement::Measured result = device_measurement::measure(command.options);
    meter.clear();
    for (const std::string &reason : result.profile.measurements->missing)
      warn("aiwc devices measure: not measured: " + reason);
    warn(fmt::format("aiwc devices measure: see how well times are predicted on it: aiwc attach "
                     "--output run -- ./app; aiwc --device-dir {} predict run --devices {}",
                     result.file.has_parent_path() ? result.file.parent_path().string() : ".",
                     result.profile.id));
    return result.file.string() + "\n";
  } catch (...) {
    meter.clear();
    throw;
  }
}

} // namespace

void addDevices(Command app) {
  Command devices = app.subcommand("devices", "List, show or measure devices");
  addList(devices);
  addShowDevice(devices);
  addMeasure(devices);
}

void addMeasure(Command devices) {
  auto command = std::make_shared<MeasureCommand>();
  Command measure = devices.subcommand("measure", "Measure an OpenCL device and write its file");
  measure
      .option(
          "--opencl-device",
          [command](const std::string &text) {
            command->list = text == "list";
            if (const auto device = asNumber<size_t>(text))
              command->options.device = *device;
            else if (!command->list)
              throw Misuse(fmt::format("{}: expected a device's number, or list", text));
          },
          "The device's number; list prints which there are. Default: 0")
      .type("N|list");
  measure
      .option("-o,--output", &command->output,
              "File ID.json to write; default: the device's name, in this folder")
      .type("FILE");
  measure
      .option("--seconds", &command->options.seconds,
              "Time to measure, apart from compiling; below 60, fewer sizes and kinds")
      .type("S")
      .between(0.1, 86400.0)
      .showDefault();
  measure
      .option("--base", &command->options.base,
              "Take what cannot be measured from this device; default: the device of this name")
      .type("ID");
  measure.examples({{"aiwc devices measure --opencl-device list", "which OpenCL devices there are"},
                    {"aiwc devices measure --seconds 20 -o devices/mine.json", ""},
                    {"aiwc devices measure --opencl-device 1 --base gtx1080", ""}});
  measure.action([command] { print(command->list ? deviceTable() : measured(*command)); });
}

} // namespace aiwc::cli
