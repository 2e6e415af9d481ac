#include "report/device.h"

#include "common/error.h"
#include "common/version.h"
#include "device_measurement/curves.h"
#include "report/document.h"
#include "report/json_parts.h"
#include "report/page_parts.h"
#include "report/views.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::report {

namespace {

using predict::DeviceProfile;
using predict::Parameter;

Json pointsJson(const predict::Curve &curve) {
  Json points = Json::array();
  for (const predict::CurvePoint &point : curve)
    points.push_back({point.bytes, point.value});
  return points;
}

Json idiomsJson(const predict::DeviceMeasurements &measured) {
  Json curves = Json::array();
  for (const predict::IdiomCurve &curve : measured.idioms) {
    std::string name(toString(curve.idiom));
    std::ranges::replace(name, '_', ' ');
    curves.push_back({{"name", name}, {"points", pointsJson(curve.points)}});
  }
  return curves;
}

Json latencyJson(const predict::DeviceMeasurements &measured) {
  Json levels = Json::array();
  if (!measured.latency.empty())
    for (const device_measurement::Level &level : device_measurement::levelsOf(measured.latency))
      levels.push_back({{"bytes", level.bytes}, {"value", level.value}});
  return {{"points", pointsJson(measured.latency)}, {"levels", std::move(levels)}};
}

Json transfersJson(const predict::DeviceMeasurements &measured) {
  constexpr int kSteps = 200; // of the curve that was fitted
  Json curves = Json::array();
  for (const auto &[direction, transfer] :
       {std::pair("toDevice", &measured.toDevice), std::pair("toHost", &measured.toHost)}) {
    if (!*transfer)
      continue;
    const predict::TransferCurve &curve = **transfer;
    const double begin = curve.points.front().bytes;
    const double ratio = curve.points.back().bytes / begin;
    Json fit = Json::array();
    for (int i = 0; i <= kSteps; ++i) {
      const double bytes = begin * std::pow(ratio, static_cast<double>(i) / kSteps);
      fit.push_back({bytes, curve.microsAt(bytes)});
    }
    curves.push_back({{"direction", direction},
                      {"points", pointsJson(curve.points)},
                      {"fit", std::move(fit)},
                      {"latency_us", curve.pieces.front().latencyMicros},
                      {"gb_per_s", curve.pieces.back().gbPerS}});
  }
  return curves;
}

Json rooflineJson(const DeviceProfile &device) {
  Json peaks = Json::array();
  for (const auto &[name, rate] : {std::pair("single precision", Parameter::kFp32Rate),
                                   std::pair("double precision", Parameter::kFp64Rate)})
    if (device.has(Parameter::kCores) && device.has(rate) && device[rate] > 0)
      peaks.push_back({{"name", name}, {"value", device[Parameter::kCores] * device[rate]}});
  Json bandwidths = Json::array();
  for (const auto &[name, bandwidth] : {std::pair("memory", Parameter::kDramBandwidth),
                                        std::pair("caches", Parameter::kCacheBandwidth)})
    if (device.has(bandwidth))
      bandwidths.push_back({{"name", name}, {"value", device[bandwidth]}});
  return {{"peaks", std::move(peaks)}, {"bandwidths", std::move(bandwidths)}};
}

Json dataOf(const DeviceProfile &device) {
  const predict::DeviceMeasurements none;
  const predict::DeviceMeasurements &measured = device.measurements ? *device.measurements : none;
  return {{"idioms", idiomsJson(measured)},
          {"latency", latencyJson(measured)},
          {"transfers", transfersJson(measured)},
          {"roofline", rooflineJson(device)}};
}

/// By view, whether the data has something to show.
bool has(const Json &data, std::string_view view) {
  if (view == "roofline")
    return !data["roofline"]["peaks"].empty() && !data["roofline"]["bandwidths"].empty();
  if (view == "latency")
    return !data["latency"]["points"].empty();
  return !data[std::string(view)].empty();
}

} // namespace

std::string_view firstPicture(const DeviceProfile &device) {
  const Json data = dataOf(device);
  for (const View &view : deviceViews())
    if (has(data, view.name))
      return view.name;
  throw Error(fmt::format("device {} has neither peak rates and bandwidth nor measurements: "
                          "expected one of them",
                          device.id));
}

std::string html(const DeviceProfile &device) {
  firstPicture(device);
  Json json = dataOf(device);
  const std::string name = text::printable(device.name, kNameBytes);
  json["title"] = fmt::format("{} ({})", name, device.id);
  json["said"] = {fmt::format("{} of {}, {}.", toString(device.type),
                              text::printable(device.vendor, kNameBytes), device.year)};
  if (device.measurements)
    json["said"].push_back(fmt::format("Measured by {}, driver {}.",
                                       text::printable(device.measurements->by, kNameBytes),
                                       text::printable(device.measurements->driver, kNameBytes)));
  json["footer"] = fmt::format("Written by aiwc {}.", kVersion);
  json["views"] = viewsJson(deviceViews());
  return document(name + ": device", json.dump(-1, ' ', false, Json::error_handler_t::replace),
                  kDeviceProgram);
}

} // namespace aiwc::report
