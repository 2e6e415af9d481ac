#include "predict/caveats.h"

#include "predict/fitted/time_terms.h"
#include "predict/report.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aiwc::predict {

namespace {

std::vector<const DevicePrediction *> predicted(const Prediction &prediction) {
  std::vector<const DevicePrediction *> devices;
  for (const DevicePrediction &device : prediction.devices)
    if (!device.ruledOut())
      devices.push_back(&device);
  return devices;
}

/// The part of the time in which a kernel is started, by a model that has such a part.
double launchSeconds(const Prediction &prediction, const Entry &entry) {
  for (size_t k = 0; k < prediction.parts.size(); ++k)
    if (prediction.parts[k].key == "launch")
      return entry.cost.parts[k];
  return 0;
}

void addShortLaunches(const Prediction &prediction, std::vector<std::string> &found) {
  std::vector<std::string> ids;
  for (const DevicePrediction *device : predicted(prediction))
    if (launchSeconds(prediction, device->application) > device->application.seconds / 2)
      ids.push_back(text::printable(device->candidate.device.id, 60));
  if (!ids.empty())
    found.push_back(fmt::format("starting the kernels takes more than half of the time on {}: the "
                                "problem is too small to rank these devices",
                                text::someOf(ids)));
}

void addTransfers(const Prediction &prediction, std::vector<std::string> &found) {
  std::vector<std::string> rows;
  for (const DevicePrediction *device : predicted(prediction)) {
    const double kernels = device->application.cost.seconds;
    if (device->allTransferSeconds > kernels)
      rows.push_back(fmt::format("{} ({} against {})",
                                 text::printable(device->candidate.device.id, 60),
                                 duration(device->allTransferSeconds), duration(kernels)));
  }
  if (!rows.empty())
    found.push_back(
        fmt::format("moving data between host and device takes longer than the kernels on {}; {}",
                    text::someOf(rows),
                    prediction.exposedTransfers > 0
                        ? fmt::format("the times include {:g} of it", prediction.exposedTransfers)
                        : "the times do not include it (--transfers 1 does)"));
}

void addOtherTypes(const Prediction &prediction, std::vector<std::string> &found) {
  std::vector<std::string> ids, questions;
  for (const DevicePrediction *device : predicted(prediction)) {
    if (device->askedOfOthers.empty())
      continue;
    ids.push_back(text::printable(device->candidate.device.id, 60));
    questions = device->askedOfOthers;
  }
  if (!ids.empty())
    found.push_back(otherTypeNote(prediction.seenType, questions, ids));
}

void addOutsideTraining(const Prediction &prediction, std::vector<std::string> &found) {
  for (const PredictedKernel &kernel : prediction.kernels)
    if (!kernel.outsideTrainingRange.empty())
      found.push_back(fmt::format("{} is outside the training range of the model: {}",
                                  text::printable(kernel.label, 60),
                                  text::someOf(kernel.outsideTrainingRange)));
}

void addMemory(const Prediction &prediction, std::vector<std::string> &found) {
  for (const PredictedKernel &kernel : prediction.kernels) {
    std::vector<std::string> ids;
    for (const DevicePrediction *device : predicted(prediction))
      if (device->candidate.device.has(Parameter::kMemoryCapacity) &&
          device->candidate.device[Parameter::kMemoryCapacity] < kernel.footprintBytes)
        ids.push_back(text::printable(device->candidate.device.id, 60));
    if (!ids.empty())
      found.push_back(fmt::format(
          "{} touches {} of data, more than the memory of {}", text::printable(kernel.label, 60),
          text::formatBytes(static_cast<uint64_t>(kernel.footprintBytes)), text::someOf(ids)));
  }
}

void addMatrices(const Prediction &prediction, std::vector<std::string> &found) {
  for (const PredictedKernel &kernel : prediction.kernels) {
    std::vector<std::string> ids;
    for (const DevicePrediction *device : predicted(prediction))
      if (lacksMatrixUnits(kernel.matrixOps, device->candidate.device))
        ids.push_back(text::printable(device->candidate.device.id, 60));
    if (!ids.empty())
      found.push_back(
          fmt::format("{} multiplies matrices on tensor cores, and no such units are known of {}: "
                      "the time is that of ordinary multiplications and additions",
                      text::printable(kernel.label, 60), text::someOf(ids)));
  }
}

void addProfiles(const Prediction &prediction, std::vector<std::string> &found) {
  for (const PredictedKernel &kernel : prediction.kernels) {
    const std::string name = text::printable(kernel.label, 60);
    const std::string all = text::counted(kernel.invocations, "launch");
    if (kernel.sampled > 0)
      found.push_back(
          fmt::format("sampled: {} of {} of {}; their work was estimated from a part of "
                      "the work-groups",
                      text::formatReadable(kernel.sampled), all, name));
    if (kernel.extrapolated > 0)
      found.push_back(fmt::format("extrapolated: {} of {} of {}; their work was estimated from "
                                  "samples of a sparse matrix",
                                  text::formatReadable(kernel.extrapolated), all, name));
    if (kernel.withErrors > 0)
      found.push_back(fmt::format("the simulator reported {} in {} of {} of {}; their profiles may "
                                  "not describe a correct run",
                                  text::counted(kernel.simulatorErrors, "error"),
                                  text::formatReadable(kernel.withErrors), all, name));
  }
}

} // namespace

std::string otherTypeNote(std::string_view seenType, const std::vector<std::string> &questions,
                          const std::vector<std::string> &devices) {
  return fmt::format(
      "the application asked the device for {} and saw {}: on {} it may launch other kernels and "
      "sizes; give the run of aiwc run --as {} as well",
      text::someOf(questions),
      seenType == "cpu"   ? "a CPU"
      : seenType == "gpu" ? "a GPU"
                          : "an accelerator",
      text::someOf(devices), devices.front());
}

std::vector<std::string> caveats(const Prediction &prediction) {
  std::vector<std::string> found = prediction.notes;
  const auto tied = std::ranges::count_if(
      prediction.devices, [](const DevicePrediction &device) { return device.application.tie(); });
  if (tied > 0)
    found.push_back(
        fmt::format("{}: the probability that it is faster than the first one is 20 % or "
                    "more",
                    text::counted(static_cast<uint64_t>(tied), "tie")));
  addShortLaunches(prediction, found);
  addTransfers(prediction, found);
  addOtherTypes(prediction, found);
  addMemory(prediction, found);
  addMatrices(prediction, found);
  addOutsideTraining(prediction, found);
  addProfiles(prediction, found);
  return found;
}

} // namespace aiwc::predict
