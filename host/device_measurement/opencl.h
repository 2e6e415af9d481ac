/// What OpenCL says of its devices, and one of them, ready to run kernels and to time them.
#pragma once

#include "common/error.h"
#include "opencl_host/opencl.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::device_measurement {

/// A buffer that the device has no room for. Smaller ones may fit.
class NoRoom : public Error {
public:
  using Error::Error;
  ~NoRoom() override;
};

/// A program that the device cannot build, or a kernel that it cannot run so: another may do.
class Unsupported : public Error {
public:
  using Error::Error;
  ~Unsupported() override;
};

using opencl::LocalBytes;
using opencl::Owned;

/// A device among those of all platforms, in the order in which OpenCL lists them.
struct DeviceFacts {
  cl_device_id id = nullptr;
  std::string name, board, vendor, driver, platform, extensions;
  cl_device_type type = 0;
  size_t computeUnits = 1;
  double clockGhz = 0; ///< 0 if the device does not say
  double memoryBytes = 0, largestBuffer = 0, cacheBytes = 0, lineBytes = 0, localBytes = 0;
  /// The last cache, by OpenCL or by the device's data sheet, whichever is larger: many drivers say
  /// that of the first.
  double lastCacheBytes = 0;
  size_t workGroupSize = 1; ///< the largest
  size_t vectorWidth = 1;   ///< native, single precision
  bool unifiedMemory = false;
  bool profiling = false;
  bool fp64 = false, fp16 = false;
  bool fusesFp32 = false, fusesFp64 = false, fusesFp16 = false;

  /// The board's name, which tells products apart whose device names are alike; without one,
  /// `name`.
  const std::string &productName() const { return board.empty() ? name : board; }
  bool isCpu() const { return (type & CL_DEVICE_TYPE_CPU) != 0; }
};
/// Throws Error if OpenCL cannot be opened; an empty list if it has no device.
std::vector<DeviceFacts> openClDevices();

class Buffer {
public:
  size_t bytes() const { return bytes_; }
  operator cl_mem() const { return memory_.get(); }

private:
  friend class Device;
  Owned<cl_mem> memory_;
  size_t bytes_ = 0;
};

/// The work-items of a launch: one dimension, unless `height` says two.
struct Range {
  size_t items = 1, group = 1;
  size_t height = 0, groupHeight = 0;
};

class Device;

class TimedKernel {
public:
  /// Sets all arguments: buffers, numbers, LocalBytes.
  template <typename... Arguments> TimedKernel &set(const Arguments &...arguments) {
    opencl::setArguments(kernel_.get(), valueOf(arguments)...);
    return *this;
  }
  /// The most work-items that a group of this kernel can have.
  size_t largestGroup() const { return largestGroup_; }
  /// What the size of a work-group should be a multiple of; 1 if the device does not say.
  size_t preferredMultiple() const { return preferredMultiple_; }
  /// How often it was launched.
  uint64_t launches() const { return launches_; }

private:
  friend class Device;
  static cl_mem valueOf(const Buffer &buffer) { return buffer; }
  static LocalBytes valueOf(LocalBytes local) { return local; }
  static uint32_t valueOf(uint32_t number) { return number; }

  Owned<cl_kernel> kernel_;
  size_t largestGroup_ = 1;
  size_t preferredMultiple_ = 1;
  uint64_t launches_ = 0;
  size_t batch_ = 1; ///< launches that the host's clock can time together
};

/// Runs kernels on one device, in order.
class Device : private opencl::Device {
public:
  /// The `index`-th of `openClDevices()`.
  explicit Device(DeviceFacts facts);

  const DeviceFacts &facts() const { return facts_; }
  /// The steps of the device's clock, ns; none if it has none.
  std::optional<double> clockStep() const { return clockStep_; }
  /// Whether the device's clock is fine enough for one launch; `seconds` else uses the host's.
  bool precise() const;
  /// Why it is not: "the device has no profiling".
  std::string whyNotPrecise() const;

  /// Throws NoRoom if there is none.
  Buffer buffer(size_t bytes);
  using opencl::Device::read;
  using opencl::Device::write;

  using Program = Owned<cl_program>;
  /// Throws Unsupported, with the first line of the compiler's message, if it does not build. The
  /// same source is built once.
  Program build(std::string_view source, const std::string &options);
  TimedKernel kernel(const Program &program, const std::string &name);

  /// Runs the kernel to its end. Throws Unsupported if the device refuses the range.
  void run(TimedKernel &kernel, const Range &range);
  /// Enqueues it only.
  void enqueue(TimedKernel &kernel, const Range &range);
  using opencl::Device::finish;
  /// The time of one launch: from start to end by the device's clock if that is precise, else by
  /// the host's, as a part of so many launches that take a millisecond.
  double seconds(TimedKernel &kernel, const Range &range);
  /// Only if the device has a clock.
  opencl::CommandTimes times(TimedKernel &kernel, const Range &range);

private:
  void launch(TimedKernel &kernel, const Range &range, cl_event *event);
  void findClockStep();

  DeviceFacts facts_;
  std::map<std::pair<std::string, std::string>, Program> programs_; // by options and source
  std::optional<double> clockStep_;
};

} // namespace aiwc::device_measurement
