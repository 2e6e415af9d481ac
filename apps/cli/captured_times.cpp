#include "captured_times.h"

#include "common/as_number.h"
#include "common/error.h"
#include "text/text.h"

#include <fmt/format.h>

#include <map>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kReport = "clintercept_report.txt";
/// The line above a device's table: the name of the device follows, and " (2CUs, 2599MHz):".
constexpr std::string_view kOfDevice = "Device Performance Timing Results for ";

constexpr std::string_view kHeading = "data_set,suite,application,size,kernel,profiles,host_bytes,"
                                      "host_transfers,doubt,device,time_us,"
                                      "clock\n";

std::string rowOf(const std::string &dataSet, const std::string &application,
                  const std::string &size, const std::string &kernel, const std::string &profiles,
                  const std::string &device, uint64_t nanos) {
  constexpr double kNanosPerMicro = 1e3;
  return fmt::format("{0},{0},{1},{2},{3},{4},0,0,,{5},{6},kernel\n", dataSet,
                     text::csvField(application), text::csvField(size), text::csvField(kernel),
                     text::csvField(profiles), device, static_cast<double>(nanos) / kNanosPerMicro);
}

} // namespace

std::vector<CapturedTime> capturedTimesOf(std::string_view text, const std::string &file) {
  std::vector<CapturedTime> times;
  bool isTable = false; // of the device; the host's calls come in another
  size_t devices = 0;
  for (const std::string &line : text::split(text, '\n')) {
    if (line.starts_with(kOfDevice)) {
      isTable = true;
      ++devices;
      continue;
    }
    constexpr size_t kColumns = 7; // name, calls, total, share, mean, shortest, longest
    const std::vector<std::string> cells = text::split(line, ',');
    if (cells.size() != kColumns) {
      isTable = isTable && !line.ends_with(':');
      continue;
    }
    const auto calls = asNumber(text::trimmed(cells[1])), nanos = asNumber(text::trimmed(cells[2]));
    if (isTable && calls && *calls > 0 && nanos)
      times.push_back({std::string(text::trimmed(cells[0])), *calls, *nanos});
  }
  if (devices > 1)
    throw Error(
        fmt::format("{}: has the times of {} devices: expected those of one", file, devices));
  if (times.empty())
    throw Error(fmt::format("{}: has no times: expected a report of the layer with "
                            "DevicePerformanceTiming",
                            file));
  return times;
}

std::string deviceOfReport(std::string_view text) {
  const size_t at = text.find(kOfDevice);
  if (at == std::string_view::npos)
    return "";
  std::string_view name = text.substr(at + kOfDevice.size());
  name = name.substr(0, name.find('\n'));
  return std::string(name.substr(0, name.rfind(" (")));
}

fs::path reportOf(const fs::path &capture) {
  std::error_code ignored;
  const fs::path given = capture.has_filename() ? capture : capture.parent_path();
  fs::path folder = fs::absolute(given);
  for (int level = 0; level < 3; ++level, folder = folder.parent_path()) // dump/Replay/Enqueue_N_K
    if (fs::exists(folder / kReport, ignored))
      return folder / kReport;
  throw Error(fmt::format("{}: has no {} beside it: expected the layer's report of times",
                          given.string(), kReport));
}

std::string timesTable(const run::Run &run, const std::vector<CapturedTime> &times,
                       const std::string &application, const std::string &device,
                       std::vector<std::string> &leftOut) {
  std::string table(kHeading);
  for (const CapturedTime &time : times) {
    std::string profiles;
    uint64_t launches = 0;
    for (const run::Launch &launch : run.launches)
      if (launch.kernel == time.kernel && launch.hasProfile()) {
        ++launches;
        profiles += (profiles.empty() ? "" : " ") + launch.profile;
      }
    if (launches == 0)
      continue; // a call that is no kernel's, or a kernel that was not captured
    if (launches != time.calls) {
      leftOut.push_back(fmt::format("no time of {}: the report has {} calls, the captures {}",
                                    text::printable(time.kernel), time.calls, launches));
      continue;
    }
    table += rowOf("captures", application, std::to_string(launches), time.kernel, profiles, device,
                   time.nanos);
  }
  return table;
}

std::string timesTable(const run::Run &run, const std::string &dataSet,
                       const std::string &application, const std::string &size,
                       const std::string &device) {
  struct KernelTime {
    uint64_t nanos = 0;
    std::map<std::string, uint64_t> profiles; ///< launches of each
  };
  std::map<std::string, KernelTime> kernels;
  for (const run::Launch &launch : run.launches)
    if (launch.hasProfile() && !launch.nearestTo && launch.measured && launch.measured->nanos > 0 &&
        launch.measured->first != run::FirstLaunch::kWarmUp) {
      KernelTime &kernel = kernels[launch.kernel];
      kernel.nanos += launch.measured->nanos;
      ++kernel.profiles[launch.profile];
    }
  std::string table(kernels.empty() ? "" : kHeading);
  for (const auto &[name, kernel] : kernels) {
    std::string profiles;
    for (const auto &[file, launches] : kernel.profiles)
      profiles += fmt::format("{}{}*{}", profiles.empty() ? "" : " ", launches, file);
    table += rowOf(dataSet, application, size, name, profiles, device, kernel.nanos);
  }
  return table;
}

} // namespace aiwc::cli
