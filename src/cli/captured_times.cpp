#include "captured_times.h"

#include "common/error.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kReport = "clintercept_report.txt";

std::string trimmed(const std::string &text) {
  const size_t begin = text.find_first_not_of(" \r");
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(" \r") + 1 - begin);
}

bool read(const std::string &text, uint64_t &number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

} // namespace

std::vector<CapturedTime> capturedTimesOf(std::string_view text, const std::string &file) {
  std::vector<CapturedTime> times;
  bool isTable = false; // of the device; the host's calls come in another
  size_t devices = 0;
  for (const std::string &line : text::split(text, '\n')) {
    if (line.starts_with("Device Performance Timing Results for ")) {
      isTable = true;
      ++devices;
      continue;
    }
    constexpr size_t kColumns = 7; // name, calls, total, share, mean, shortest, longest
    const std::vector<std::string> cells = text::split(line, ',');
    CapturedTime time;
    if (cells.size() != kColumns) {
      isTable = isTable && !line.ends_with(':');
    } else if (isTable && read(trimmed(cells[1]), time.calls) && time.calls > 0 &&
               read(trimmed(cells[2]), time.nanos)) {
      time.kernel = trimmed(cells[0]);
      times.push_back(std::move(time));
    }
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
  std::string table = "data_set,suite,application,size,kernel,profiles,host_bytes,host_transfers,"
                      "doubt,device,time_us,clock\n";
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
    constexpr double kNanosPerMicro = 1e3;
    table += fmt::format("captures,captures,{},{},{},{},0,0,,{},{},kernel\n",
                         text::csvField(application), launches, text::csvField(time.kernel),
                         text::csvField(profiles), device,
                         static_cast<double>(time.nanos) / kNanosPerMicro);
  }
  return table;
}

} // namespace aiwc::cli
