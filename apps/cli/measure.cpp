#include "command.h"
#include "command_line/output.h"
#include "common/as_number.h"
#include "device_measurement/device_measurement.h"
#include "inputs.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <utility>

namespace aiwc::cli {

namespace {

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
