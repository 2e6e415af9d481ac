#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace aiwc::eod {

/// A counter of consumed energy; it only increases.
class EnergyCounter {
public:
  virtual ~EnergyCounter() = default;
  /// Joules since some moment in the past; none if it cannot be read (any more). A counter that has
  /// wrapped around twice since the last call gives a wrong value; RAPL's does so after some 262
  /// kJ.
  virtual std::optional<double> joules() = 0;
};

/// The energy of the processor packages from Intel's and AMD's RAPL, through Linux's powercap: the
/// sum of every `intel-rapl:<n>` in `powercap`. Null if none can be read (in a virtual machine, or
/// if only root may).
std::unique_ptr<EnergyCounter>
raplCounter(const std::filesystem::path &powercap = "/sys/class/powercap");

/// The energy of an NVIDIA device from NVML (whole board, since the driver was loaded, from Volta
/// on). `library` is opened at run time. `pciBusId` is "domain:bus:device.0" in hexadecimal; empty
/// for the only device. Null if NVML or the device is missing, has no counter, or is ambiguous.
std::unique_ptr<EnergyCounter> nvmlCounter(const std::string &pciBusId,
                                           const std::string &library = "libnvidia-ml.so.1");

} // namespace aiwc::eod
