/// What the data of pages have in common, as JSON.
#pragma once

#include "predict/device_profile.h"
#include "profile/kernel_profile.h"
#include "report/page.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace aiwc::report {

using Json = nlohmann::ordered_json;

inline constexpr size_t kNameBytes = 200; ///< of a name that is shown

/// null for what is not finite, which JSON does not have.
Json finite(double value);

/// null also for no value.
Json valueJson(const profile::Value &value);

/// The metrics' values, in the order of the catalogue; null where there is none.
Json metricsJson(const profile::KernelProfile &profile);

/// Of each metric its key, name, unit, category, definition, and whether it goes from 0 to 1.
Json catalogueJson();

/// By what a page compares kernels: the keys of the metrics that the thesis lists, or of about one
/// for each aspect of a kernel.
Json thesisMetricsJson();
Json fewMetricsJson();

/// The axes of the thesis's Kiviat diagram, as [{key, name}, ...].
Json kiviatAxesJson();

/// The launches of a kernel that the fitted model can use, and what was left out.
struct Usable {
  std::vector<const profile::KernelProfile *> launches;
  std::vector<double> errorFactors; ///< as ReportedKernel::errorFactors, of these
  size_t leftOut = 0;
  std::string reason; ///< of the first one left out
};
Usable usableOf(const ReportedKernel &kernel);

/// A name for each kernel of the run: its own, and what tells it from others of this name, the
/// build options or the source.
std::vector<std::string> namesOf(const Run &run);

/// Puts all strings of `json` into the words of the language that all of the kernels are written
/// in.
void putInWordsOf(std::span<const profile::KernelProfile *const> kernels, Json &json);

/// The devices with these ids, in that order. Throws Error for an id that no device has.
std::vector<predict::DeviceProfile> withIds(std::span<const predict::DeviceProfile> devices,
                                            std::span<const std::string> ids);

} // namespace aiwc::report
