/// The description of a device: its identity, the parameters of the abstract machine of AutoMatch
/// [AM §II-A], and the other parameters that the cost of a kernel depends on.
#pragma once

#include "common/error.h"
#include "predict/device_measurements.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

enum class Parameter : uint8_t {
  // The abstract machine, with the symbols of [AM]
  kCores,          ///< n_p: compute cores, in the sense of the rates
  kFp32Rate,       ///< pi_0 in single precision, GFLOP/s of a core
  kFp64Rate,       ///< pi_0 in double precision, GFLOP/s of a core
  kCacheCapacity,  ///< Z, bytes
  kCacheLine,      ///< L, bytes
  kCacheBandwidth, ///< beta_f, GB/s
  kCacheLatency,   ///< alpha_f, us
  kDramBandwidth,  ///< beta_s, GB/s
  kDramLatency,    ///< alpha_s, us
  kSyncCost,       ///< S_0, us
  // Other parameters
  kLaneWidth,         ///< work-items that execute in lockstep, or lanes of a vector register
  kClock,             ///< GHz
  kL1Capacity,        ///< bytes, of one compute unit
  kL2Capacity,        ///< bytes
  kL3Capacity,        ///< bytes
  kTdp,               ///< W
  kIdlePower,         ///< W
  kLaunchOverhead,    ///< us per kernel launch
  kComputeUnits,      ///< of a GPU: what a work-group is executed by
  kHostLinkBandwidth, ///< GB/s between host and device
  kHostLinkLatency,   ///< us per transfer
  kMemoryCapacity,    ///< bytes that buffers can take
  kMatrixRate,        ///< TFLOP/s of the units for matrices, 16-bit factors, 32-bit sums
};
inline constexpr size_t kParameterCount = static_cast<size_t>(Parameter::kMatrixRate) + 1;

/// The name, unit and range of a parameter. The reader, the tables and --what-if all use this one
/// table.
struct ParameterInfo {
  Parameter parameter;
  std::string_view name;   ///< in --what-if and tables: "cores", "dram_bandwidth"
  std::string_view key;    ///< in JSON, ending in the unit: "dram_bandwidth_gb_per_s"
  std::string_view unit;   ///< for display: "GB/s"; empty for a number
  double minimum, maximum; ///< physical range, bounds included
  bool integer;
  std::string_view description; ///< one line

  /// Whether `value` is finite, in the range and, if `integer`, an integer.
  bool allows(double value) const;
  /// The values that `allows` accepts, for messages: "an integer from 1 to 1e+07", "0.001 to 1e+06
  /// GB/s".
  std::string expected() const;
};
std::span<const ParameterInfo, kParameterCount> parameters();
const ParameterInfo &info(Parameter parameter);
/// The parameter with this name; none if there is none.
std::optional<Parameter> parameterOf(std::string_view name);

/// Thrown if a device lacks a parameter that a prediction needs. The same prediction may work on
/// other devices, and other predictions on this device.
class MissingParameter : public Error {
public:
  using Error::Error;
  ~MissingParameter() override;
};

struct Quantity {
  double value = 0;   ///< in the unit of its parameter
  std::string source; ///< a publication, a measurement, or the rule that derived it
  /// Of a measured median: half of its 95 % interval, relative to it; not negative.
  std::optional<double> spread = {};
};

enum class DeviceType : uint8_t { kCpu, kGpu, kIntegratedGpu, kAccelerator };
std::string_view toString(DeviceType type);
/// The type with this name; none if there is none.
std::optional<DeviceType> deviceTypeOf(std::string_view name);

struct DeviceProfile {
  std::string id; ///< the name of its file without `.json`: lower case, digits, '.', '-', '_'
  /// Other ids that name the device, such as those of earlier versions and of published times.
  std::vector<std::string> aliases;
  std::string name, vendor, series;
  DeviceType type = DeviceType::kCpu;
  int year = 0; ///< when it was launched
  /// Whether an OpenCL implementation for the device exists. Predictions of a device without one
  /// are for it to be compared, not for it to be chosen.
  bool opencl = true;
  /// Parts of CL_DEVICE_NAME that identify the device.
  std::vector<std::string> openclNames;
  std::array<std::optional<Quantity>, kParameterCount> quantities;
  std::optional<DeviceMeasurements> measurements; ///< if `aiwc devices measure` made the profile

  bool has(Parameter parameter) const { return quantities[index(parameter)].has_value(); }
  /// The parameter's value. Throws MissingParameter, `device ID: no KEY, which ... needs`, if the
  /// profile does not have it.
  double operator[](Parameter parameter) const;
  /// Accepts any value, so that devices can be made up. For a value from a user, call `allows`
  /// first.
  void set(Parameter parameter, double value, std::string source,
           std::optional<double> spread = std::nullopt);

private:
  static size_t index(Parameter parameter) { return static_cast<size_t>(parameter); }
};

} // namespace aiwc::predict
