// The bandwidth of the device's memory: the kernels of STREAM over arrays that no cache holds.
#include "device_measurement/item.h"
#include "device_measurement/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace aiwc::device_measurement {

namespace {

constexpr size_t kChecked = 4096; ///< elements at either end; arrays have a multiple of them

struct Stream {
  std::string_view id, kernel;
  size_t accesses;     ///< to an array each
  float first, second; ///< times the elements of two arrays
  bool isSum = false;  ///< over the launches

  constexpr bool readsSecond() const { return second != 0; }
};
constexpr Stream kStreams[] = {
    {"stream_copy_gb_per_s", "copy", 2, 1, 0},
    {"stream_scale_gb_per_s", "scale", 2, 3, 0},
    {"stream_add_gb_per_s", "add", 3, 1, 1},
    {"stream_triad_gb_per_s", "triad", 3, 1, 3},
    {"stream_update_gb_per_s", "update", 3, 1, 0, true},
};
constexpr uint32_t kMoreInSecond = 5;

/// As in streams.cl.
float element(size_t i) {
  return static_cast<float>(i % 1024);
}

/// The floats that a work-item takes at once. Compilers for CPUs join work-items to vectors; on
/// GPUs it depends on the device how many bytes of each work-item keep enough of them on their way.
std::vector<size_t> widthsFor(const DeviceFacts &facts) {
  return facts.isCpu() ? std::vector<size_t>{1} : std::vector<size_t>{1, 2, 4};
}

/// One kernel over its arrays of `n` elements.
class Arrays {
public:
  Arrays(Device &device, const Stream &stream, size_t n)
      : device_(device), stream_(stream), n_(n), to_(device.buffer(n * sizeof(float))),
        a_(device.buffer(n * sizeof(float))),
        b_(device.buffer(stream.readsSecond() ? n * sizeof(float) : sizeof(float))) {
    const Device::Program program = programFor(1);
    fill(program, a_, 0);
    if (stream.readsSecond())
      fill(program, b_, kMoreInSecond);
  }

  double bytes() const { return static_cast<double>(n_ * sizeof(float)); }

  /// The time of a launch, as often as `patience` asks for.
  Estimate timeWith(size_t lanes, const Patience &patience) {
    const Device::Program program = programFor(lanes);
    fill(program, to_, 0);
    TimedKernel kernel = device_.kernel(program, std::string(stream_.kernel));
    kernel.set(to_, a_, b_);
    const Range range = rangeOf(kernel, lanes);
    const Estimate time = timed(device_, kernel, range, patience);
    check(stream_.isSum ? static_cast<float>(1 + kernel.launches()) : 1); // it begins with a's
    return time;
  }

private:
  Device::Program programFor(size_t lanes) {
    return device_.build(kStreamSource, fmt::format("-D LANES={}", lanes));
  }

  Range rangeOf(const TimedKernel &kernel, size_t lanes) const {
    return {n_ / lanes, std::bit_floor(std::min<size_t>(256, kernel.largestGroup()))};
  }

  void fill(const Device::Program &program, const Buffer &buffer, uint32_t more) {
    TimedKernel kernel = device_.kernel(program, "fill");
    device_.run(kernel.set(buffer, more), rangeOf(kernel, 1));
  }

  void check(float times) {
    std::vector<float> part(kChecked); // of the begin and of the end
    for (const size_t begin : {size_t{0}, n_ - kChecked}) {
      device_.read(to_, part.data(), kChecked * sizeof(float), begin * sizeof(float));
      for (size_t i = 0; i < kChecked; ++i) {
        const float value = times * (stream_.first * element(begin + i) +
                                     stream_.second * (element(begin + i) + kMoreInSecond));
        requireResult(part[i] == value, device_, stream_.kernel,
                      fmt::format("element {} of {} to be {}", begin + i, n_, value));
      }
    }
  }

  Device &device_;
  const Stream &stream_;
  size_t n_;
  Buffer to_, a_, b_;
};

/// A number of elements that arrays can have.
size_t lengthFor(size_t elements) {
  return std::max<size_t>(elements / kChecked, 1) * kChecked;
}

/// Arrays of `n` elements, or of half as many as long as the device has no room.
std::unique_ptr<Arrays> arraysOf(Device &device, const Stream &stream, size_t n, size_t least) {
  for (;; n = lengthFor(n / 2))
    try {
      return std::make_unique<Arrays>(device, stream, n);
    } catch (const NoRoom &) {
      if (n <= least)
        throw;
    }
}

Outcome streamBandwidth(Device &device, const Effort &effort, const Stream &stream) {
  const std::vector<size_t> widths = widthsFor(device.facts());
  const Patience patience = effort.patience(widths.size());
  size_t n = lengthFor(static_cast<size_t>(streamBytes(device.facts())) / sizeof(float));
  // A slow device would take long: then the arrays are as large as its time allows.
  constexpr size_t kTrial = size_t{1} << 20U;
  if (n > kTrial) {
    const double trial = Arrays(device, stream, kTrial).timeWith(1, {1, 0, 1}).least;
    const auto launches = static_cast<double>(patience.leastSamples + 1);
    constexpr double kOverrun = 2;
    while (n > kTrial && launches * trial * static_cast<double>(n) / kTrial >
                             kOverrun * std::max(patience.seconds, 0.1))
      n = lengthFor(n / 2);
  }
  const std::unique_ptr<Arrays> arrays = arraysOf(device, stream, n, kTrial);
  const double moved = arrays->bytes() * static_cast<double>(stream.accesses);
  std::optional<predict::CurvePoint> best;
  for (const size_t lanes : widths) {
    const Estimate time = arrays->timeWith(lanes, patience);
    if (const double rate = moved / time.median / 1e9; !best || rate > best->value)
      best = predict::CurvePoint{arrays->bytes(), rate, time.spread};
  }
  return {{*best}};
}

} // namespace

double streamBytes(const DeviceFacts &facts) {
  constexpr double kUsual = 256.0 * (1 << 20);
  constexpr double kCaches = 2;
  constexpr double kPartOfMemory = 12; // three arrays are a quarter
  return std::min({std::max(kUsual, kCaches * facts.lastCacheBytes), facts.largestBuffer,
                   facts.memoryBytes / kPartOfMemory});
}

void addStreams(std::vector<Item> &items) {
  for (const Stream &stream : kStreams)
    items.push_back({std::string(stream.id), 1, [&stream](Device &device, const Effort &effort) {
                       return streamBandwidth(device, effort, stream);
                     }});
}

} // namespace aiwc::device_measurement
