#include "command.h"
#include "command_line/output.h"
#include "device_measurement/device_measurement.h"
#include "inputs.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

namespace aiwc::cli {

namespace {

struct MeasureCommand {
  std::vector<std::string> folders; ///< of devices
  device_measurement::MeasureOptions options;
  std::string output;
  bool list = false, quiet = false;
};

/// What is measured now, and the time left: on a terminal, a line that changes; else a line
/// for each tenth of the way.
class Meter {
public:
  void show(const device_measurement::Progress &progress) {
    const int left = static_cast<int>(std::ceil(progress.secondsLeft));
    const std::string text = fmt::format("{} of {}: {}, {} s left", progress.done + 1,
                                         progress.total, progress.item, left);
    if (terminal_) {
      fmt::print(stderr, "\r\033[K{}", text);
      shown_ = true;
    } else if (const size_t tenth = 10 * progress.done / progress.total; tenth != tenth_) {
      tenth_ = tenth;
      warn("aiwc devices measure: " + text);
    }
  }
  void note(const std::string &line) {
    clear();
    warn(line);
  }
  void clear() {
    if (std::exchange(shown_, false))
      fmt::print(stderr, "\r\033[K");
  }

private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  size_t tenth_ = SIZE_MAX;
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
  const predict::DeviceLibrary library = loadDevices(command.folders);
  command.options.library = &library;
  command.options.output = command.output;
  Meter meter;
  if (!command.quiet) {
    command.options.progress = [&](const device_measurement::Progress &progress) {
      meter.show(progress);
    };
    command.options.note = [&](const std::string &line) { meter.note(line); };
  }
  try {
    const device_measurement::Measured result = device_measurement::measure(command.options);
    meter.clear();
    for (const std::string &reason : result.profile.measurements->missing)
      if (!command.quiet)
        warn("aiwc devices measure: not measured: " + reason);
    if (!command.quiet)
      warn(fmt::format("aiwc devices measure: see how well times are predicted on it: aiwc attach "
                       "--output run -- ./app; aiwc predict run --device-dir {} --devices {}",
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
  Command measure = devices.subcommand("measure", "Measure an OpenCL device and write its profile");
  measure
      .option("--opencl-device", &command->options.device,
              "The device's number in --list; default: 0")
      .type("N");
  measure
      .option("-o,--output", &command->output,
              "File ID.json to write; default: the device's name, in this folder")
      .type("FILE");
  measure.flag("--quick", command->options.quick,
               "Fewer sizes and kinds: half a minute instead of some minutes");
  measure
      .option("--seconds", &command->options.seconds,
              "Time to measure, apart from compiling; default: 200, with --quick 20")
      .type("S")
      .between(0.1, 86400.0);
  measure
      .option("--base", &command->options.base,
              "Take what cannot be measured from this device; default: the device of this name")
      .type("ID");
  Option list = measure.flag("--list", command->list, "List the OpenCL devices only");
  measure.flag("--quiet", command->quiet, "Show no progress");
  addDeviceFolders(measure, command->folders);
  measure.examples({{"aiwc devices measure --list", "which OpenCL devices there are"},
                    {"aiwc devices measure --quick -o devices/mine.json", ""},
                    {"aiwc devices measure --opencl-device 1 --base gtx1080", ""}});
  measure.action([command, list] { print(list.given() ? deviceTable() : measured(*command)); });
}

} // namespace aiwc::cli
