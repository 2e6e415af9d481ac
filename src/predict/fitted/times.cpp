#include "predict/fitted/times.h"

#include "common/error.h"
#include "profile/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace aiwc::predict {

namespace {

void add(const TimeEstimate &one, TimeEstimate &sum) {
  for (size_t k = 0; k < kTimeTermCount; ++k)
    sum.terms[k] += one.terms[k];
  sum.micros += one.micros;
  sum.low += one.low;
  sum.high += one.high;
  sum.boundBy =
      static_cast<TimeTerm>(std::distance(sum.terms.begin(), std::ranges::max_element(sum.terms)));
}

/// Sorts the devices by time and marks those that the model cannot tell from the fastest.
void rank(KernelTimes &times) {
  std::ranges::stable_sort(times.devices, {},
                           [](const DeviceTime &row) { return row.time.micros; });
  for (DeviceTime &row : times.devices)
    row.tie = &row != &times.devices.front() && row.time.low < times.devices.front().time.high;
}

/// Two significant digits, with a unit: the model knows no more.
std::string duration(double micros) {
  struct Unit {
    double micros;
    const char *name;
  };
  constexpr std::array<Unit, 4> kUnits = {{{1e6, "s"}, {1e3, "ms"}, {1, "us"}, {1e-3, "ns"}}};
  const auto *unit = std::ranges::find_if(
      kUnits, [&](const Unit &candidate) { return micros >= 0.995 * candidate.micros; });
  if (unit == kUnits.end())
    --unit;
  const double value = micros / unit->micros;
  return fmt::format("{:.{}f} {}", value >= 99.5 ? 10 * std::round(value / 10) : value,
                     value < 9.95 ? 1 : 0, unit->name);
}

std::string share(const TimeEstimate &time) {
  return fmt::format("{} ({:.0f} %)", timeTerms()[static_cast<size_t>(time.boundBy)].name,
                     100 * time.terms[static_cast<size_t>(time.boundBy)] / time.micros);
}

std::string table(const KernelTimes &times) {
  std::vector<std::vector<std::string>> rows = {
      {"device", "time", "80 % interval", "most of it", ""}};
  for (const DeviceTime &row : times.devices)
    rows.push_back({profile::printable(row.device->id, 60), duration(row.time.micros),
                    fmt::format("{} to {}", duration(row.time.low), duration(row.time.high)),
                    share(row.time), row.tie ? "tie" : ""});
  return profile::textTable(rows, {true, false, false, true, true}, "  ");
}

std::string heading(const KernelTimes &times) {
  return fmt::format("{}, {} launch{}\n",
                     times.kernel.empty() ? "the whole application"
                                          : profile::printable(times.kernel, 60),
                     profile::formatReadable(times.launches), times.launches == 1 ? "" : "es");
}

nlohmann::ordered_json json(const KernelTimes &times) {
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const DeviceTime &row : times.devices) {
    nlohmann::ordered_json terms;
    for (size_t k = 0; k < kTimeTermCount; ++k)
      terms[std::string(timeTerms()[k].key) + "_us"] = row.time.terms[k];
    devices.push_back({{"device", row.device->id},
                       {"time_us", row.time.micros},
                       {"low_us", row.time.low},
                       {"high_us", row.time.high},
                       {"tie", row.tie},
                       {"known_device", row.known},
                       {"most", timeTerms()[static_cast<size_t>(row.time.boundBy)].key},
                       {"terms", terms}});
  }
  return {{"kernel",
           times.kernel.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(times.kernel)},
          {"launches", times.launches},
          {"devices", devices}};
}

} // namespace

Times timesOf(const FittedModel &model, std::span<const ProfiledLaunch> launches,
              std::span<const DeviceProfile *const> devices, bool transfers) {
  std::vector<LaunchDemand> demands;
  Times result;
  std::vector<size_t> kernelOf;
  for (const ProfiledLaunch &launch : launches) {
    if (const std::string found = unusableDemand(*launch.profile); !found.empty())
      throw Error(fmt::format("{}: {}", launch.file, found));
    demands.push_back(demandOf(*launch.profile));
    const std::string &name = launch.profile->provenance.kernel;
    auto kernel = std::ranges::find(result.kernels, name, &KernelTimes::kernel);
    if (kernel == result.kernels.end())
      kernel = result.kernels.insert(kernel, {name, 0, {}});
    ++kernel->launches;
    kernelOf.push_back(static_cast<size_t>(kernel - result.kernels.begin()));
  }
  result.application.launches = launches.size();
  for (const DeviceProfile *device : devices) {
    std::vector<DeviceTime> sums(result.kernels.size(), {device, {}, model.knows(device->id)});
    DeviceTime all = {device, {}, model.knows(device->id)};
    try {
      for (size_t i = 0; i < demands.size(); ++i) {
        const TimeEstimate one = estimate(model, demands[i], *device, transfers);
        add(one, sums[kernelOf[i]].time);
        add(one, all.time);
      }
    } catch (const MissingParameter &error) {
      result.leftOut.emplace_back(error.what());
      continue;
    }
    for (size_t k = 0; k < sums.size(); ++k)
      result.kernels[k].devices.push_back(sums[k]);
    result.application.devices.push_back(all);
  }
  if (result.application.devices.empty())
    throw Error(result.leftOut.empty() ? "prediction: no devices: expected at least one"
                                       : result.leftOut.front());
  for (KernelTimes &kernel : result.kernels)
    rank(kernel);
  rank(result.application);
  return result;
}

std::string timesTable(const Times &times) {
  std::string text;
  for (const KernelTimes &kernel : times.kernels)
    text += (text.empty() ? "" : "\n") + heading(kernel) + table(kernel);
  if (times.kernels.size() > 1)
    text += "\n" + heading(times.application) + table(times.application);
  const std::vector<DeviceTime> &devices = times.application.devices;
  if (std::ranges::any_of(devices, &DeviceTime::tie))
    text += "\ntie: the intervals overlap, so that this device may be the fastest\n";
  if (std::ranges::any_of(devices, [](const DeviceTime &row) {
        return row.time.terms[static_cast<size_t>(TimeTerm::kLaunch)] > row.time.micros / 2;
      }))
    text += "launches take more than half of the time on some devices: the problem is too small to "
            "rank them\n";
  for (const std::string &line : times.leftOut)
    text += fmt::format("left out: {}\n", line);
  return text;
}

std::string timesJson(const Times &times) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const KernelTimes &kernel : times.kernels)
    kernels.push_back(json(kernel));
  const nlohmann::ordered_json document = {
      {"kernels", kernels}, {"application", json(times.application)}, {"left_out", times.leftOut}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace aiwc::predict
