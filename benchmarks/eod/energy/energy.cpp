#include "eod/energy/energy.h"

#include <dlfcn.h>

#include <fstream>
#include <vector>

namespace aiwc::eod {
namespace {

std::optional<uint64_t> numberIn(const std::filesystem::path &file) {
  std::ifstream stream(file);
  uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

/// Packages count microjoules and begin anew at 0 behind `range`.
class Rapl final : public EnergyCounter {
public:
  struct Package {
    std::filesystem::path counter;
    uint64_t range;
    uint64_t last;
  };
  explicit Rapl(std::vector<Package> packages) : packages_(std::move(packages)) {}

  std::optional<double> joules() override {
    for (Package &package : packages_) {
      const std::optional<uint64_t> now = numberIn(package.counter);
      if (!now)
        return std::nullopt;
      microjoules_ +=
          *now >= package.last ? *now - package.last : package.range - package.last + *now;
      package.last = *now;
    }
    return 1e-6 * static_cast<double>(microjoules_);
  }

private:
  std::vector<Package> packages_;
  uint64_t microjoules_ = 0;
};

struct CloseLibrary {
  void operator()(void *library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

/// The functions of NVML that are needed, with the types of its documentation (NVML API Reference,
/// section "Device Queries"); 0 is success everywhere.
struct Nvml {
  using Handle = struct nvmlDevice_st *;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned *) = nullptr;
  int (*byIndex)(unsigned, Handle *) = nullptr;
  int (*byBus)(const char *, Handle *) = nullptr;
  int (*energy)(Handle, unsigned long long *) = nullptr; ///< millijoules
};

template <typename Function> bool load(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool loadAll(void *library, Nvml &nvml) {
  return load(library, "nvmlInit_v2", nvml.init) && load(library, "nvmlShutdown", nvml.shutdown) &&
         load(library, "nvmlDeviceGetCount_v2", nvml.count) &&
         load(library, "nvmlDeviceGetHandleByIndex_v2", nvml.byIndex) &&
         load(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.byBus) &&
         load(library, "nvmlDeviceGetTotalEnergyConsumption", nvml.energy);
}

class NvmlCounter final : public EnergyCounter {
public:
  NvmlCounter(Library library, const Nvml &nvml) : library_(std::move(library)), nvml_(nvml) {}
  ~NvmlCounter() override { nvml_.shutdown(); }
  NvmlCounter(const NvmlCounter &) = delete;
  NvmlCounter &operator=(const NvmlCounter &) = delete;

  bool find(const std::string &pciBusId) {
    if (!pciBusId.empty())
      return nvml_.byBus(pciBusId.c_str(), &device_) == 0;
    unsigned count = 0;
    return nvml_.count(&count) == 0 && count == 1 && nvml_.byIndex(0, &device_) == 0;
  }

  std::optional<double> joules() override {
    unsigned long long millijoules = 0;
    if (nvml_.energy(device_, &millijoules) != 0)
      return std::nullopt;
    return 1e-3 * static_cast<double>(millijoules);
  }

private:
  Library library_;
  Nvml nvml_;
  Nvml::Handle device_ = nullptr;
};

} // namespace

std::unique_ptr<EnergyCounter> raplCounter(const std::filesystem::path &powercap) {
  std::vector<Rapl::Package> packages;
  for (int n = 0;; ++n) {
    const auto folder = powercap / ("intel-rapl:" + std::to_string(n));
    std::string name;
    if (!(std::ifstream(folder / "name") >> name))
      break;
    // There is also one for the whole platform, which counts the packages again.
    if (!name.starts_with("package"))
      continue;
    const auto counter = folder / "energy_uj";
    const auto now = numberIn(counter);
    const auto range = numberIn(folder / "max_energy_range_uj");
    if (!now || !range)
      return nullptr;
    packages.push_back({counter, *range, *now});
  }
  return packages.empty() ? nullptr : std::make_unique<Rapl>(std::move(packages));
}

std::unique_ptr<EnergyCounter> nvmlCounter(const std::string &pciBusId,
                                           const std::string &library) {
  Library opened(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  Nvml nvml;
  if (!opened || !loadAll(opened.get(), nvml) || nvml.init() != 0)
    return nullptr;
  auto counter = std::make_unique<NvmlCounter>(std::move(opened), nvml);
  if (!counter->find(pciBusId) || !counter->joules())
    return nullptr;
  return counter;
}

} // namespace aiwc::eod
