#include "report/json_parts.h"

#include "catalogue/definitions.h"
#include "common/error.h"
#include "predict/fitted/launch_demand.h"
#include "profile/kernel_words.h"
#include "profile/metric.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

namespace aiwc::report {

Json valueJson(const profile::Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return *count;
  if (const auto *real = std::get_if<double>(&value))
    return finite(*real);
  return nullptr;
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json metricsJson(const profile::KernelProfile &profile) {
  Json values = Json::array();
  for (const profile::MetricInfo &metric : profile::catalogue())
    values.push_back(valueJson(profile[metric.metric]));
  return values;
}

Json catalogueJson() {
  Json rows = Json::array();
  for (const profile::MetricInfo &metric : profile::catalogue())
    rows.push_back({{"key", metric.key},
                    {"name", metric.name},
                    {"unit", metric.unit},
                    {"category", profile::toString(metric.category)},
                    {"fraction", metric.range == profile::Range::kFraction},
                    {"definition", metrics::definitionOf(metric.metric)}});
  return rows;
}

Usable usableOf(const ReportedKernel &kernel) {
  Usable usable;
  for (size_t i = 0; i < kernel.launches.size(); ++i) {
    std::string reason = predict::whyNoDemand(*kernel.launches[i]);
    if (reason.empty()) {
      usable.launches.push_back(kernel.launches[i]);
      usable.errorFactors.push_back(i < kernel.errorFactors.size() ? kernel.errorFactors[i] : 1);
    } else if (usable.leftOut++ == 0) {
      usable.reason = std::move(reason);
    }
  }
  return usable;
}

namespace {

void putIn(std::string_view sourceKind, Json &json) {
  if (json.is_string())
    json = profile::inWordsOf(sourceKind, json.get<std::string>());
  else if (json.is_structured())
    for (Json &part : json)
      putIn(sourceKind, part);
}

} // namespace

void putInWordsOf(std::span<const profile::KernelProfile *const> kernels, Json &json) {
  std::vector<std::string_view> kinds;
  for (const profile::KernelProfile *kernel : kernels)
    kinds.push_back(kernel->provenance.sourceKind);
  putIn(profile::sourceKindOfAll(kinds), json);
}

std::vector<std::string> namesOf(const Run &run) {
  constexpr size_t kHashBytes = 16; // "xxh3-128:" and seven digits
  constexpr size_t kOptionBytes = 40;
  std::vector<std::string> names;
  for (const ReportedKernel &kernel : run.kernels) {
    const profile::Provenance &own = kernel.main->provenance;
    bool alone = true;
    bool otherSource = false;
    for (const ReportedKernel &other : run.kernels) {
      const profile::Provenance &its = other.main->provenance;
      if (&other == &kernel || its.kernel != own.kernel)
        continue;
      alone = false;
      otherSource = otherSource || its.sourceHash != own.sourceHash;
    }
    std::string name = own.kernel;
    if (!alone)
      name += fmt::format(" ({})", otherSource ? own.sourceHash.substr(0, kHashBytes)
                                   : own.buildOptions.empty()
                                       ? "without build options"
                                       : own.buildOptions.substr(0, kOptionBytes));
    names.push_back(text::printable(name, kNameBytes));
  }
  return names;
}

std::vector<predict::DeviceProfile> withIds(std::span<const predict::DeviceProfile> devices,
                                            std::span<const std::string> ids) {
  std::vector<predict::DeviceProfile> chosen;
  for (const std::string &id : ids) {
    const auto found = std::ranges::find(devices, id, &predict::DeviceProfile::id);
    if (found == devices.end())
      throw Error(fmt::format("report: device {}: expected one of the page's devices", id));
    chosen.push_back(*found);
  }
  return chosen;
}

} // namespace aiwc::report
