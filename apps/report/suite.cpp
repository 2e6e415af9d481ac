#include "common/error.h"
#include "common/version.h"
#include "predict/prediction.h"
#include "report/json_parts.h"
#include "report/page.h"
#include "report/times.h"
#include "report/views.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace aiwc::report {

namespace {

using profile::KernelProfile;

/// Of each device, the time of all these launches in microseconds, and the ends of its interval;
/// null for a device that lacks a parameter that they need.
Json timesJson(const Usable &usable, std::span<const predict::DeviceProfile> devices,
               const predict::FittedCostModel &model) {
  const KernelTimes times(usable, model);
  Json rows = Json::array();
  for (const predict::DeviceProfile &device : devices) {
    if (!times.missing(device).empty()) {
      rows.push_back(nullptr);
      continue;
    }
    const DeviceTimes one = times.on(device);
    rows.push_back({{"micros", rounded(one.cost.seconds * 1e6)},
                    {"low", rounded(one.hidden.low * 1e6)},
                    {"high", rounded(one.hidden.high * 1e6)}});
  }
  return rows;
}

Json kernelJson(const std::string &name, const Usable &usable, const SuitePage &page) {
  using namespace literals;
  const KernelProfile &main =
      **std::ranges::max_element(usable.launches, {}, [](const KernelProfile *launch) {
        return launch->count("total_instruction_count"_metric);
      });
  uint64_t sampled = 0;
  for (const KernelProfile *launch : usable.launches)
    sampled += launch->provenance.sampled() ? 1 : 0;
  return {{"name", name},
          {"launches", usable.launches.size()},
          {"sampled", sampled},
          {"metrics", metricsJson(main)},
          {"times", timesJson(usable, page.devices, *page.model)}};
}

/// Appends the programs and their kernels, sorted by name, to `json`. Returns the number of
/// kernels.
size_t addPrograms(std::span<const Run> programs, bool isNew, const SuitePage &page, Json &json) {
  std::vector<const Run *> sorted;
  for (const Run &program : programs)
    sorted.push_back(&program);
  std::ranges::stable_sort(sorted, {}, [](const Run *program) { return program->name; });
  size_t count = 0;
  for (const Run *program : sorted) {
    const std::string programName = text::printable(program->name, kNameBytes);
    const std::vector<std::string> names = namesOf(*program);
    std::vector<size_t> order(names.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::ranges::stable_sort(order, {}, [&](size_t i) { return names[i]; });
    const size_t before = count;
    for (const size_t i : order) {
      const Usable usable = usableOf(program->kernels[i]);
      if (usable.leftOut > 0)
        json["leftOut"].push_back(
            fmt::format("{}, {}: {} of {}: {}", programName, names[i], usable.leftOut,
                        text::counted(program->kernels[i].launches.size(), "launch"),
                        text::printable(usable.reason, kNameBytes)));
      if (usable.launches.empty())
        continue;
      Json kernel = kernelJson(names[i], usable, page);
      kernel["program"] = json["programs"].size();
      json["kernels"].push_back(std::move(kernel));
      ++count;
    }
    if (count > before)
      json["programs"].push_back({{"name", programName}, {"isNew", isNew}});
  }
  return count;
}

Json devicesJson(const SuitePage &page) {
  Json rows = Json::array();
  for (const predict::DeviceProfile &device : page.devices) {
    rows.push_back({{"id", device.id}, {"name", device.name}});
  }
  return rows;
}

std::string footer(const predict::FittedCostModel &model) {
  return fmt::format("Written by aiwc {}. Metrics are counted in a simulator, and times are "
                     "predicted by the {} model: no device was used.",
                     kVersion, text::printable(model.name(), kNameBytes));
}

} // namespace

std::string dataJson(const SuitePage &page) {
  withIds(page.devices, page.chosen);
  Json json = {{"run", text::printable(page.name, kNameBytes)},
               {"chosen", page.chosen},
               {"catalogue", catalogueJson()},
               {"devices", devicesJson(page)},
               {"errorCorrelation", page.model->errorCorrelation()},
               {"tieProbability", predict::kTieProbability},
               {"programs", Json::array()},
               {"kernels", Json::array()},
               {"leftOut", Json::array()},
               {"fewMetrics", fewMetricsJson()},
               {"kiviatAxes", kiviatAxesJson()},
               {"thesisMetrics", thesisMetricsJson()},
               {"views", viewsJson(suiteViews())},
               {"texts", textsJson(suiteTexts())},
               {"footer", footer(*page.model)}};
  const auto reason = [&] {
    return json["leftOut"].empty() ? std::string()
                                   : "; left out: " + json["leftOut"][0].get<std::string>();
  };
  if (const size_t count = addPrograms(page.programs, false, page, json); count < kFewestKernels)
    throw Error(fmt::format("{}: has {} kernel{} that can be compared: expected at least {}{}",
                            text::printable(page.name, kNameBytes), count, count == 1 ? "" : "s",
                            kFewestKernels, reason()));
  if (!page.newPrograms.empty() && addPrograms(page.newPrograms, true, page, json) == 0)
    throw Error(fmt::format("{}: has no kernel that can be compared{}",
                            text::printable(page.newPrograms.front().name, kNameBytes), reason()));
  std::vector<const KernelProfile *> kernels;
  for (const auto *programs : {&page.programs, &page.newPrograms})
    for (const Run &program : *programs)
      for (const ReportedKernel &kernel : program.kernels)
        kernels.push_back(kernel.main);
  for (const char *part : {"catalogue", "kiviatAxes", "views", "texts"})
    putInWordsOf(kernels, json[part]);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace aiwc::report
