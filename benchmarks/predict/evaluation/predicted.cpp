#include "evaluation/predicted.h"

#include "common/error.h"
#include "predict/prediction.h"
#include "profile/json.h"
#include "train/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace aiwc::evaluation {

namespace {

namespace fs = std::filesystem;

/// An application at a size: what is predicted in one go.
struct Run {
  std::vector<std::unique_ptr<profile::KernelProfile>> profiles;
  std::vector<predict::Invocation> invocations;
  std::map<std::string, std::map<uint64_t, Launch>> launches;  ///< by kernel
  std::map<std::string, const profile::KernelProfile *> first; ///< invocation 0, by kernel
};
using Runs = std::map<std::pair<std::string, std::string>, Run>; ///< by application and size

Runs readRuns(const fs::path &folder, const std::vector<std::string> &sizes) {
  const fs::path file = folder / "index.csv";
  const train::CsvTable index(file,
                              {"application", "size", "parameter", "seed", "kernel", "invocation",
                               "global_size", "local_size", "source_hash", "profile"});
  Runs runs;
  for (size_t row = 0; row < index.size(); ++row) {
    const std::string &size = index.text(row, "size");
    if (!sizes.empty() && std::ranges::find(sizes, size) == sizes.end())
      continue;
    Run &run = runs[{index.text(row, "application"), size}];
    const fs::path path = folder / index.text(row, "profile");
    run.profiles.push_back(std::make_unique<profile::KernelProfile>(profile::readProfile(path)));
    run.invocations.push_back({path.string(), *run.profiles.back()});
    const std::string &kernel = index.text(row, "kernel");
    if (run.profiles.back()->provenance.kernel != kernel)
      throw Error(fmt::format("{}: provenance.kernel is {}: expected {}, as {} says", path.string(),
                              run.profiles.back()->provenance.kernel, kernel, file.string()));
    const Launch launch{index.text(row, "parameter"), index.text(row, "seed"),
                        index.text(row, "global_size"), index.text(row, "local_size"),
                        index.text(row, "source_hash")};
    const size_t invocation = index.count(row, "invocation");
    if (invocation == 0)
      run.first[kernel] = run.profiles.back().get();
    if (!run.launches[kernel].emplace(invocation, launch).second)
      throw Error(fmt::format("{}: {} {} {} has invocation {} twice: expected it once",
                              file.string(), index.text(row, "application"), size, kernel,
                              invocation));
  }
  if (runs.empty())
    throw Error(file.string() + ": no profile of these sizes: expected at least one");
  return runs;
}

/// Empty where every device has what the model needs.
std::string lackOf(const predict::Prediction &prediction) {
  for (const predict::DevicePrediction &device : prediction.devices)
    if (device.ruledOut())
      return fmt::format("{} has no {}", device.candidate.device.id,
                         predict::info(device.lacking.front()).key);
  return {};
}

} // namespace

int rankOf(const std::string &size) {
  constexpr std::array<std::string_view, 4> kOrder{"tiny", "small", "medium", "large"};
  return static_cast<int>(std::ranges::find(kOrder, size) - kOrder.begin());
}

bool CaseOrder::operator()(const CaseId &a, const CaseId &b) const {
  const auto key = [](const CaseId &id) {
    return std::tuple<const std::string &, int, const std::string &, const std::string &>(
        id.application, rankOf(id.size), id.size, id.kernel);
  };
  return key(a) < key(b);
}

PredictedCases predictCases(const fs::path &folder, const std::vector<std::string> &sizes,
                            std::span<const predict::DeviceProfile *const> devices,
                            const predict::CostModel &model) {
  std::vector<predict::Candidate> candidates;
  for (const predict::DeviceProfile *device : devices)
    candidates.push_back({*device, "", true});
  PredictedCases cases;
  for (auto &[key, run] : readRuns(folder, sizes)) {
    const predict::Prediction prediction = predict::predict(run.invocations, candidates, model);
    const std::string lack = lackOf(prediction);
    for (size_t k = 0; k < prediction.kernels.size(); ++k) {
      const std::string &kernel = prediction.kernels[k].name;
      PredictedCase &predicted = cases[{key.first, key.second, kernel}];
      predicted.launches = std::move(run.launches[kernel]);
      predicted.ruledOut = lack;
      if (const auto first = run.first.find(kernel); first != run.first.end()) {
        predicted.instructions = first->second->count("total_instruction_count"_metric);
        predicted.workItems = first->second->count("work_items"_metric);
      }
      if (!lack.empty())
        continue;
      for (const predict::DevicePrediction &device : prediction.devices) {
        predicted.seconds.push_back(device.kernels[k].seconds);
        predicted.boundBy.emplace_back(
            predict::partName(prediction.parts, device.kernels[k].boundBy()));
      }
    }
  }
  return cases;
}

} // namespace aiwc::evaluation
