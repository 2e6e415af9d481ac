#include "cases.h"

#include "common/error.h"
#include "embed/annotation.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>

namespace aiwc::scaling_study {

namespace fs = std::filesystem;
using profile::KernelProfile;

namespace {

using Kernels = std::map<std::pair<std::string, std::string>, KernelCases>;

std::vector<fs::path> entriesOf(const fs::path &folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  if (error)
    throw Error(withReason(folder.string() + ": cannot be read", error.value()));
  std::ranges::sort(entries);
  return entries;
}

void addSize(const fs::path &folder, Kernels &kernels) {
  const std::string name = folder.filename().string();
  const size_t dash = name.find('-');
  std::map<std::string, std::vector<KernelProfile>> read;
  for (const fs::path &file : entriesOf(folder)) {
    if (file.extension() != ".json" || !file.filename().string().starts_with("aiwc_"))
      continue;
    KernelProfile profile = profile::readProfile(file);
    if (!profile.complete)
      throw Error(fmt::format("{}: complete is false ({}): expected a profile of a whole "
                              "invocation",
                              file.string(), profile.reason));
    read[profile.provenance.kernel].push_back(std::move(profile));
  }
  for (const auto &[kernel, profiles] : read) {
    std::vector<const KernelProfile *> pointers;
    for (const KernelProfile &profile : profiles)
      pointers.push_back(&profile);
    SizedKernel sized{name.substr(dash + 1), {}};
    for (const KernelProfile *profile : embed::onePerLaunch(pointers))
      sized.launches.push_back(*profile);
    KernelCases &cases = kernels[{name.substr(0, dash), kernel}];
    cases.application = name.substr(0, dash);
    cases.kernel = kernel;
    cases.sizes.push_back(std::move(sized));
  }
}

} // namespace

const KernelProfile &SizedKernel::largest() const {
  return *std::ranges::max_element(launches, {}, workItems);
}

double workItems(const KernelProfile &profile) {
  return profile.real("work_items"_metric);
}

std::vector<KernelCases> readCases(std::span<const fs::path> folders) {
  Kernels kernels;
  for (const fs::path &folder : folders)
    for (const fs::path &entry : entriesOf(folder)) {
      const std::string name = entry.filename().string();
      if (fs::is_directory(entry) && !name.starts_with('.') && name.find('-') != std::string::npos)
        addSize(entry, kernels);
    }
  std::vector<KernelCases> result;
  for (auto &[name, cases] : kernels) {
    if (cases.sizes.size() < 2)
      continue;
    std::ranges::stable_sort(cases.sizes, {}, [](const SizedKernel &sized) {
      return sized.largest().count("total_instruction_count"_metric);
    });
    result.push_back(std::move(cases));
  }
  if (result.empty())
    throw Error(fmt::format("{}: no kernel at two sizes: expected folders APPLICATION-SIZE of "
                            "profiles",
                            folders.empty() ? "no folder" : folders.front().string()));
  return result;
}

} // namespace aiwc::scaling_study
