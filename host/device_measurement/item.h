/// The things that are measured, each with an id.
#pragma once

#include "device_measurement/opencl.h"
#include "device_measurement/statistics.h"
#include "predict/device_measurements.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace aiwc::device_measurement {

struct Effort {
  bool quick = false; ///< fewer sizes and kinds
  double seconds = 1; ///< for one item, about

  /// For one of `parts` of an item.
  Patience patience(size_t parts = 1) const;
};

struct Outcome {
  predict::Curve points; ///< a figure is one point, of size 1 or of its arrays' size
  std::vector<std::string> missing = {}; ///< what could not be measured and why
};
/// By item.
using Results = std::map<std::string, Outcome, std::less<>>;

struct Item {
  std::string id;    ///< the key of a figure, or a name of its own
  double weight = 1; ///< its share of the time
  /// Throws Unsupported and NoRoom if the device cannot do it at all, Error if the device fails or
  /// computes something wrong.
  std::function<Outcome(Device &, const Effort &)> run;
};

// Ids of items that are no figures.
inline constexpr std::string_view kShortestLaunch = "shortest_launch"; ///< us
inline constexpr std::string_view kBandwidth = "bandwidth";
inline constexpr std::string_view kLatency = "latency";
inline constexpr std::string_view kToDevice = "to_device";
inline constexpr std::string_view kToHost = "to_host";
/// The id of an idiom's curve: "idiom stream".
std::string idiomItem(predict::Idiom idiom);

/// Everything that is measured on such a device, in order.
std::vector<Item> itemsFor(const DeviceFacts &facts, bool quick);

// Its parts.
void addLaunches(std::vector<Item> &items);
void addCompute(const DeviceFacts &facts, bool quick, std::vector<Item> &items);
void addMemory(std::vector<Item> &items);
void addStreams(std::vector<Item> &items);
void addTransfers(std::vector<Item> &items);
void addIdioms(std::vector<Item> &items);

// What they share.

/// The largest footprint that is measured: a quarter of the memory, but no more than 256 MiB
/// (quick: 64 MiB) or four times (quick: one and a half times) the cache, whichever is more.
double largestFootprint(const DeviceFacts &facts, bool quick);
/// The bytes of an array of the streams that measure the memory's bandwidth: 256 MiB, as
/// BabelStream has them, or twice the last cache, at most a twelfth of the memory. Two or three of
/// them are several times as large as the caches of today's devices, whatever the driver says.
double streamBytes(const DeviceFacts &facts);
/// A curve has so many points, however long they take.
inline constexpr size_t kLeastPoints = 3;
/// Thrown by a measurement that would take too long.
struct NoTime {};
/// The points of a curve by `measure`, until the device has no room for more or `measure` throws
/// NoTime. Once the item has taken twice its time and has three points, only the last size follows:
/// the memory's bandwidth and latency are those at the largest.
Outcome curveOver(const std::vector<size_t> &sizes, const Effort &effort, std::string_view what,
                  const std::function<predict::CurvePoint(size_t bytes)> &measure);
/// A launch's time, as often as `patience` asks for, after one time that does not count.
Estimate timed(Device &device, TimedKernel &kernel, const Range &range, const Patience &patience);
/// Doubles `amount`, up to `most`, until a launch takes as long as a good sample does.
/// `set(amount)` gives it to the kernel.
uint32_t calibrated(Device &device, TimedKernel &kernel, const Range &range, uint32_t least,
                    uint32_t most, const std::function<void(uint32_t)> &set);
/// Throws Error unless `good`: "device D: kernel K: ITEM is wrong: expected ...".
void requireResult(bool good, const Device &device, std::string_view kernel,
                   const std::string &what);

} // namespace aiwc::device_measurement
