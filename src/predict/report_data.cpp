#include "predict/caveats.h"
#include "predict/report.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace aiwc::predict {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicroseconds = 1e6; // per second

Json whatIfJson(const Candidate &candidate) {
  return candidate.whatIf.empty() ? Json(nullptr) : Json(candidate.whatIf);
}

std::string_view boundBy(const Prediction &prediction, const Entry &entry) {
  const size_t part = entry.boundBy();
  return part == Entry::kTransfers ? "transfers" : prediction.parts[part].key;
}

Json measuredJson(const Entry &entry) {
  if (!entry.measured)
    return nullptr;
  return {{"launches", entry.measured->launches},
          {"time_us", entry.measured->seconds * kMicroseconds},
          {"predicted_us", entry.measured->predicted * kMicroseconds},
          {"ratio", entry.measured->ratio()}};
}

Json entryJson(const Prediction &prediction, const DevicePrediction &device, const Entry &entry) {
  Json terms = Json::object();
  for (size_t k = 0; k < prediction.parts.size(); ++k)
    terms[fmt::format("{}_us", prediction.parts[k].key)] = entry.cost.parts[k] * kMicroseconds;
  terms["transfers_us"] = entry.transferSeconds * kMicroseconds;
  Json json = {
      {"device", device.candidate.device.id},
      {"what_if", whatIfJson(device.candidate)},
      {"known_device", device.known},
      {"rank", entry.rank},
      {"time_us", entry.seconds * kMicroseconds},
      {"time_is", toString(entry.source)},
      {"predicted_us", entry.unconditioned * kMicroseconds},
      {"low_us", entry.interval ? Json(entry.interval->low * kMicroseconds) : Json(nullptr)},
      {"high_us", entry.interval ? Json(entry.interval->high * kMicroseconds) : Json(nullptr)},
      {"chance", entry.againstBest ? Json(entry.againstBest->probability) : Json(nullptr)},
      {"relative_low", entry.againstBest ? Json(entry.againstBest->ratio.low) : Json(nullptr)},
      {"relative_high", entry.againstBest ? Json(entry.againstBest->ratio.high) : Json(nullptr)},
      {"tie", entry.tie()},
      {"relative_time", entry.relative},
      {"bound_by", boundBy(prediction, entry)},
      {"terms", std::move(terms)},
      {"energy_j", entry.energyJoules ? Json(*entry.energyJoules) : Json(nullptr)},
      {"measured", measuredJson(entry)}};
  return json;
}

Json entriesJson(const Prediction &prediction, std::optional<size_t> kernel = std::nullopt) {
  Json entries = Json::array();
  for (const auto &[device, entry] : ranked(prediction, kernel))
    entries.push_back(entryJson(prediction, *device, *entry));
  return entries;
}

Json asJson(const Prediction &prediction) {
  Json json = {{"model", prediction.model},
               {"transfer_ratio", prediction.exposedTransfers},
               {"kernels", Json::array()}};
  uint64_t invocations = 0;
  uint64_t characterised = 0;
  for (size_t i = 0; i < prediction.kernels.size(); ++i) {
    Json kernel = {{"kernel", prediction.kernels[i].name},
                   {"source_hash", prediction.kernels[i].sourceHash},
                   {"invocations", prediction.kernels[i].invocations},
                   {"characterised_invocations", prediction.kernels[i].characterised},
                   {"sampled_invocations", prediction.kernels[i].sampled},
                   {"simulator_errors", prediction.kernels[i].simulatorErrors},
                   {"measured_on", prediction.kernels[i].measuredOn}};
    kernel["devices"] = entriesJson(prediction, i);
    json["kernels"].push_back(std::move(kernel));
    invocations += prediction.kernels[i].invocations;
    characterised += prediction.kernels[i].characterised;
  }
  json["application"] = {{"invocations", invocations},
                         {"characterised_invocations", characterised},
                         {"whole", prediction.whole},
                         {"devices", entriesJson(prediction)}};
  json["caveats"] = caveats(prediction);
  json["ruled_out"] = Json::array();
  for (const DevicePrediction &device : prediction.devices)
    if (device.ruledOut())
      json["ruled_out"].push_back({{"device", device.candidate.device.id},
                                   {"what_if", whatIfJson(device.candidate)},
                                   {"missing", device.missing.keys()}});
  return json;
}

std::string dumped(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string header(const Prediction &prediction) {
  std::string text =
      "kernel,invocations,device,what_if,known_device,rank,time_us,low_us,high_us,chance,"
      "tie,relative_time,relative_low,relative_high,bound_by";
  for (const TermInfo &part : prediction.parts)
    text += fmt::format(",{}_us", part.key);
  return text + ",transfers_us,energy_j,measured_launches,measured_us,measured_ratio,"
                "characterised_invocations,whole,sampled_invocations,"
                "simulator_errors,missing\n";
}

std::string csvReal(double value) {
  return std::isfinite(value) ? text::formatReal(value) : std::string("inf");
}

/// `whole`: "true" or "false" for the application, empty for a kernel.
std::string csvRow(const Prediction &prediction, const PredictedKernel &kernel,
                   const DevicePrediction &device, const Entry &entry,
                   const std::string &whole = "") {
  const Cost &cost = entry.cost;
  const auto limit = [&](double Interval::*which) {
    return entry.interval ? csvReal((*entry.interval).*which * kMicroseconds) : "NaN";
  };
  const auto ratio = [&](double Interval::*which) {
    return entry.againstBest ? csvReal(entry.againstBest->ratio.*which) : "NaN";
  };
  std::string text = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", text::csvField(kernel.name),
      kernel.invocations, text::csvField(device.candidate.device.id),
      text::csvField(device.candidate.whatIf), device.known, entry.rank,
      csvReal(entry.seconds * kMicroseconds), limit(&Interval::low), limit(&Interval::high),
      entry.againstBest ? csvReal(entry.againstBest->probability) : "NaN", entry.tie(),
      csvReal(entry.relative), ratio(&Interval::low), ratio(&Interval::high),
      boundBy(prediction, entry));
  for (size_t k = 0; k < prediction.parts.size(); ++k)
    text += "," + csvReal(cost.parts[k] * kMicroseconds);
  const auto measured = [&](double value) { return entry.measured ? csvReal(value) : "NaN"; };
  const Measured known = entry.measured.value_or(Measured{});
  text += fmt::format(",{},{},{},{},{}", csvReal(entry.transferSeconds * kMicroseconds),
                      entry.energyJoules ? csvReal(*entry.energyJoules) : "NaN", known.launches,
                      measured(known.seconds * kMicroseconds), measured(known.ratio()));
  return text + fmt::format(",{},{},{},{},\n", kernel.characterised, whole, kernel.sampled,
                            kernel.simulatorErrors);
}

/// Rows without a header, each after `prefix`.
} // namespace

std::string toJson(const Prediction &prediction) {
  return dumped(asJson(prediction));
}

std::string toCsv(const Prediction &prediction) {
  // Of the header, between the changes and the characterised invocations.
  std::string text = header(prediction);
  const auto emptyFields = static_cast<size_t>(std::ranges::count(text, ',')) - 7;
  PredictedKernel all{.name = "*"};
  for (size_t i = 0; i < prediction.kernels.size(); ++i) {
    const PredictedKernel &kernel = prediction.kernels[i];
    all.invocations += kernel.invocations;
    all.characterised += kernel.characterised;
    all.sampled += kernel.sampled;
    all.simulatorErrors += kernel.simulatorErrors;
    for (const DevicePrediction &device : prediction.devices)
      if (!device.ruledOut() && device.kernels[i].launches > 0)
        text += csvRow(prediction, kernel, device, device.kernels[i]);
  }
  for (const DevicePrediction &device : prediction.devices)
    if (device.ruledOut())
      text += fmt::format("*,{},{},{}{}{},{},{},{},{}\n", all.invocations,
                          text::csvField(device.candidate.device.id),
                          text::csvField(device.candidate.whatIf), std::string(emptyFields, ','),
                          all.characterised, prediction.whole, all.sampled, all.simulatorErrors,
                          fmt::join(device.missing.keys(), " "));
    else
      text +=
          csvRow(prediction, all, device, device.application, prediction.whole ? "true" : "false");
  return text;
}

} // namespace aiwc::predict
