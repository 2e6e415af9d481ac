#pragma once

#include <CL/cl.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace aiwc::eod {

/// A counter of energy that only rises.
class EnergyCounter {
public:
  virtual ~EnergyCounter() = default;
  /// Joules since some moment in the past; nothing where it cannot be read (any more). A counter
  /// that has wrapped around twice since the last call is not noticed: RAPL's, after some 262 kJ.
  virtual std::optional<double> joules() = 0;
};

/// The processor packages, as Intel's and AMD's RAPL counts them and Linux's powercap shows them:
/// every `intel-rapl:<n>` in `powercap`, summed. Null where there is none that can be read (a
/// virtual machine, or only root may).
std::unique_ptr<EnergyCounter>
raplCounter(const std::filesystem::path &powercap = "/sys/class/powercap");

/// An NVIDIA device, as NVML counts it (whole board, since the driver was loaded, from Volta on).
/// `library` is opened at run time. `pciBusId` is "domain:bus:device.0" in hexadecimal; empty: the
/// only device there is. Null where NVML or the device is missing, does not count, or is not
/// unambiguous.
std::unique_ptr<EnergyCounter> nvmlCounter(const std::string &pciBusId,
                                           const std::string &library = "libnvidia-ml.so.1");

/// The counter that belongs to an OpenCL device: RAPL for processors, NVML for NVIDIA's. Null where
/// there is none.
std::unique_ptr<EnergyCounter> counterFor(cl_device_id device);

} // namespace aiwc::eod
