#include "eod/common/report.h"

#include "eod/common/csv.h"
#include "eod/common/program_source.h"
#include "eod/statistics/quantile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace aiwc::eod {
namespace {

double perRunUs(const Transfers &transfers, const Sample &sample) {
  return 1e-3 * transfers.nanoseconds / sample.runs;
}

uint64_t perRunBytes(const Transfers &transfers, const Sample &sample) {
  return transfers.bytes / sample.runs;
}

/// "yes", "no", or "" where nothing was verified.
std::string verified(const Report &report) {
  if (!report.verdict)
    return "";
  return report.verdict->passed ? "yes" : "no";
}

/// The time that all launches of a kernel take in a run: median over the samples.
double kernelUs(const Report &report, const std::string &kernel) {
  std::vector<double> sums;
  for (const Sample &sample : report.samples) {
    double sum = 0;
    for (const Launch &launch : sample.launches)
      if (launch.kernel == kernel)
        sum += launch.meanUs();
    sums.push_back(sum);
  }
  return statistics::median(std::move(sums));
}

nlohmann::ordered_json toJson(const Transfers &transfers, const Sample &sample) {
  return {{"transfers_per_run", static_cast<double>(transfers.count) / sample.runs},
          {"bytes_per_run", perRunBytes(transfers, sample)},
          {"time_per_run_us", perRunUs(transfers, sample)}};
}

nlohmann::ordered_json toJson(const Sample &sample) {
  nlohmann::ordered_json launches = nlohmann::ordered_json::array();
  for (const Launch &launch : sample.launches)
    launches.push_back({{"kernel", launch.kernel},
                        {"invocation", launch.invocation},
                        {"global_size", shape(launch.range.global, launch.range.dimensions)},
                        {"local_size", shape(launch.range.local, launch.range.dimensions)},
                        {"kernel_time_us", launch.meanUs()}});
  using Json = nlohmann::ordered_json;
  return {{"runs", sample.runs},
          {"energy_per_run_j", sample.joules ? Json(*sample.joules / sample.runs) : Json()},
          {"host_to_device", toJson(sample.toDevice, sample)},
          {"device_to_host", toJson(sample.toHost, sample)},
          {"launches", launches}};
}

struct Memory {
  uint64_t footprint = 0;
  uint64_t device = 0;
};

Memory memoryOf(const std::vector<Allocation> &allocations) {
  Memory memory;
  for (const Allocation &allocation : allocations) {
    memory.device += allocation.bytes;
    memory.footprint += allocation.inFootprint ? allocation.bytes : 0;
  }
  return memory;
}

} // namespace

std::string toCsv(const Report &report) {
  const Description &about = report.application->description();
  const std::string problem =
      fmt::format("{},{},{},{}", about.name, report.options.size,
                  csvField(report.application->parameter()), report.options.seed);
  const std::string origin = fmt::format("{},{},{},{},{:.3f}", csvField(report.device.platformName),
                                         csvField(report.device.name), report.sourceHash,
                                         csvField(report.buildOptions), report.setUpUs);
  std::string text = "application,size,parameter,seed,sample,kernel,invocation,runs,"
                     "kernel_time_us,global_size,local_size,platform,device,source_hash,"
                     "build_options,setup_us,host_to_device_us,host_to_device_bytes,"
                     "device_to_host_us,device_to_host_bytes,energy_j,verified\n";
  for (size_t index = 0; index < report.samples.size(); ++index) {
    const Sample &sample = report.samples[index];
    const std::string transfers =
        fmt::format("{:.3f},{},{:.3f},{},{}", perRunUs(sample.toDevice, sample),
                    perRunBytes(sample.toDevice, sample), perRunUs(sample.toHost, sample),
                    perRunBytes(sample.toHost, sample),
                    sample.joules ? fmt::format("{:.6g}", *sample.joules / sample.runs) : "");
    for (const Launch &launch : sample.launches)
      text += fmt::format("{},{},{},{},{},{:.3f},{},{},{},{},{}\n", problem, index, launch.kernel,
                          launch.invocation, launch.runs, launch.meanUs(),
                          shape(launch.range.global, launch.range.dimensions),
                          shape(launch.range.local, launch.range.dimensions), origin, transfers,
                          verified(report));
  }
  return text;
}

std::string toJson(const Report &report) {
  using Json = nlohmann::ordered_json;
  const Description &about = report.application->description();
  const Options &options = report.options;
  Json json{{"application", about.name},
            {"dwarf", about.dwarf},
            {"size", report.options.size},
            {"parameter", report.application->parameter()},
            {"settings", report.application->settings()},
            {"seed", report.options.seed},
            {"platform", report.device.platformName},
            {"device", report.device.name},
            {"driver_version", report.device.driverVersion},
            {"local_size", report.localSize},
            {"local_size_wanted", options.localSize ? Json(*options.localSize) : Json()},
            {"tuned", !report.tuning.empty()},
            {"samples_wanted", options.samples},
            {"min_seconds", options.minSeconds},
            {"source_hash", report.sourceHash},
            {"build_options", report.buildOptions},
            {"setup_us", report.setUpUs},
            {"result_hash", sourceHash(report.application->result())}};
  json["verified"] = report.verdict ? nlohmann::ordered_json(report.verdict->passed) : nullptr;
  json["finding"] = report.verdict ? report.verdict->finding : "";
  json["tuning"] = Json::array();
  for (const TunedSize &size : report.tuning)
    json["tuning"].push_back(
        {{"local_size", size.localSize}, {"kernel_time_us", size.kernelTimeUs}});
  json["samples"] = nlohmann::ordered_json::array();
  for (const Sample &sample : report.samples)
    json["samples"].push_back(toJson(sample));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string toText(const Report &report) {
  const Description &about = report.application->description();
  std::string text =
      fmt::format("{} {} ({}), seed {}, local size {}\n{} ({})\n\n", about.name,
                  report.options.size, report.application->parameter(), report.options.seed,
                  report.localSize, report.device.name, report.device.platformName);
  if (!report.tuning.empty()) {
    std::string tuned = "time per run by local size:";
    for (const TunedSize &size : report.tuning)
      tuned += fmt::format(" {}: {:.1f} us,", size.localSize, size.kernelTimeUs);
    tuned.back() = '\n';
    text += tuned + '\n';
  }
  text += fmt::format("{:<28} {:>8} {:>16}\n", "kernel", "launches", "time per run, us");
  const Sample &first = report.samples.front();
  for (const std::string &kernel : about.kernels) {
    const auto launches = std::ranges::count_if(
        first.launches, [&](const Launch &launch) { return launch.kernel == kernel; });
    text += fmt::format("{:<28} {:>8} {:>16.1f}\n", kernel, launches, kernelUs(report, kernel));
  }
  uint64_t runs = 0;
  for (const Sample &sample : report.samples)
    runs += sample.runs;
  text += fmt::format("\n{} samples, {} runs; per run {:.1f} KiB to the device, {:.1f} KiB back; "
                      "set-up {:.1f} ms\n",
                      report.samples.size(), runs, perRunBytes(first.toDevice, first) / 1024.0,
                      perRunBytes(first.toHost, first) / 1024.0, report.setUpUs / 1000);
  text += report.verdict ? fmt::format("{}: {}\n", report.verdict->passed ? "correct" : "WRONG",
                                       report.verdict->finding)
                         : "not verified\n";
  return text;
}

std::string sizeTable(Application &application, const Options &options) {
  const Description &about = application.description();
  const size_t localSize = options.localSize.value_or(about.defaultLocalSize);
  std::string text = fmt::format("eod-{}: {} ({})\n", about.name, about.summary, about.dwarf) +
                     fmt::format("{:<8} {:>16} {:>15} {:>18}  {}\n", "size", "parameter",
                                 "footprint, KiB", "device memory, KiB", "settings");
  for (Size size : kSizes) {
    application.selectSize(size);
    application.checkParameters();
    const Memory memory = memoryOf(application.allocations(localSize));
    std::string line =
        fmt::format("{:<8} {:>16} {:>15.1f} {:>18.1f}  {}", name(size), application.parameter(),
                    memory.footprint / 1024.0, memory.device / 1024.0, application.settings());
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text + fmt::format("--local-size {}: {} (default {})\n", about.localSizeMeaning,
                            fmt::join(about.localSizes, ", "), about.defaultLocalSize);
}

std::string sizesToJson(Application &application, const Options &options) {
  using Json = nlohmann::ordered_json;
  const Description &about = application.description();
  const size_t localSize = options.localSize.value_or(about.defaultLocalSize);
  Json json{{"application", about.name},
            {"dwarf", about.dwarf},
            {"summary", about.summary},
            {"kernels", about.kernels},
            {"source_hash", sourceHash(about.source)},
            {"local_size_meaning", about.localSizeMeaning},
            {"local_sizes", about.localSizes},
            {"default_local_size", about.defaultLocalSize},
            {"sizes", Json::array()}};
  for (Size size : kSizes) {
    application.selectSize(size);
    application.checkParameters();
    const Memory memory = memoryOf(application.allocations(localSize));
    json["sizes"].push_back({{"size", name(size)},
                             {"parameter", application.parameter()},
                             {"settings", application.settings()},
                             {"footprint_bytes", memory.footprint},
                             {"device_bytes", memory.device}});
  }
  return json.dump(2) + '\n';
}

} // namespace aiwc::eod
