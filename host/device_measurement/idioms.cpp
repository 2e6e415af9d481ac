// The idioms over their footprints.
#include "device_measurement/item.h"
#include "device_measurement/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>

namespace aiwc::device_measurement {

namespace {

using predict::Idiom;

constexpr size_t kElement = sizeof(float);
constexpr size_t kReducedByItem = 8;

/// As in idioms.cl.
uint32_t shuffled(uint32_t i, uint32_t bits) {
  const uint32_t mask = (1U << bits) - 1;
  const uint32_t half = bits / 2;
  i = i * 0x9E3779B1U & mask;
  i ^= i >> half;
  i = i * 0x85EBCA6BU & mask;
  i ^= i >> half;
  return i * 0xC2B2AE35U & mask;
}

float number(size_t i) {
  return static_cast<float>(i % 1024);
}

float digit(size_t i) {
  return static_cast<float>(i % 7);
}

/// For each element: how often it is counted in the footprint, and how many are asked for, apart
/// from those of the loop of a matrix multiplication.
struct Traffic {
  Idiom idiom;
  bool square; ///< the arrays are square matrices
  std::string_view kernel;
  size_t arrays, accesses;
};
constexpr Traffic kTraffic[] = {
    {Idiom::kStream, false, "stream", 2, 3},
    {Idiom::kGather, false, "gather", 3, 3},
    {Idiom::kScatter, false, "scatter", 3, 3},
    {Idiom::kGatherScatter, false, "gather_scatter", 4, 4},
    {Idiom::kTranspose, true, "transpose", 2, 2},
    {Idiom::kReduction, false, "reduction", 1, 1},
    {Idiom::kStencil, false, "stencil", 2, 3},
    {Idiom::kMatrixMultiply, true, "matrix_multiply", 3, 1},
};

/// The order of a square matrix of `n` elements.
size_t orderOf(size_t n) {
  return static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(n))));
}

/// What the loads and stores of one launch ask for, where arrays have `n` elements.
double movedBytes(const Traffic &traffic, size_t n) {
  const size_t inLoop = traffic.idiom == Idiom::kMatrixMultiply ? 2 * orderOf(n) : 0;
  return static_cast<double>(n * kElement) * static_cast<double>(traffic.accesses + inLoop);
}

/// One idiom with its arrays for `n` elements: a square where they are matrices, else a power of
/// two.
class Run {
public:
  Run(Device &device, const Traffic &traffic, size_t n)
      : device_(device), traffic_(traffic), n_(n), program_(device.build(kIdiomSource, "")),
        kernel_(device.kernel(program_, std::string(traffic.kernel))),
        bits_(static_cast<uint32_t>(std::bit_width(n) - 1)) {
    prepare();
  }

  predict::CurvePoint point(const Patience &patience) {
    const Estimate time = timed(device_, kernel_, range_, patience);
    check();
    return {static_cast<double>(n_ * kElement * traffic_.arrays),
            movedBytes(traffic_, n_) / time.median / 1e9, time.spread};
  }

private:
  /// A buffer of `elements` and some more, which lives as long as the run.
  const Buffer &filled(const std::string &with, size_t elements) {
    constexpr size_t kUnit = 256;
    const size_t items = (elements + kUnit - 1) / kUnit * kUnit;
    const Buffer &buffer = buffers_.emplace_back(device_.buffer(items * kElement));
    TimedKernel fill = device_.kernel(program_, with);
    device_.run(fill.set(buffer), {items, groupOf(fill)});
    return buffer;
  }

  const Buffer &indices(uint32_t turn) {
    const Buffer &buffer = buffers_.emplace_back(device_.buffer(n_ * kElement));
    TimedKernel fill = device_.kernel(program_, "indices");
    device_.run(fill.set(buffer, bits_, turn), {n_, groupOf(fill)});
    return buffer;
  }

  /// The largest power of two up to 256.
  static size_t groupOf(const TimedKernel &kernel) {
    return std::bit_floor(std::min<size_t>(256, kernel.largestGroup()));
  }

  /// The array of the results, the first argument unless `reduction` says otherwise.
  const Buffer &result(size_t count) {
    resultCount_ = count;
    result_ = filled("zeros", count);
    return result_;
  }

  void prepare() {
    const size_t group = groupOf(kernel_);
    range_ = {n_, std::min(group, n_)};
    if (traffic_.square) {
      order_ = orderOf(n_);
      size_t side = 1; // of a square work-group, which divides the order, a multiple of 16
      while (4 * side * side <= group && side < 16)
        side *= 2;
      range_ = {order_, side, order_, side};
    }
    switch (traffic_.idiom) {
    case Idiom::kStream:
      kernel_.set(result(n_), filled("numbers", n_));
      break;
    case Idiom::kGather:
      kernel_.set(result(n_), filled("numbers", n_), indices(0));
      break;
    case Idiom::kScatter:
      kernel_.set(result(n_), indices(0), filled("numbers", n_));
      break;
    case Idiom::kGatherScatter:
      kernel_.set(result(n_), indices(0), filled("numbers", n_), indices(1));
      break;
    case Idiom::kTranspose:
      kernel_.set(result(n_), filled("numbers", n_));
      break;
    case Idiom::kReduction:
      range_ = {n_ / kReducedByItem, std::min(group, n_ / kReducedByItem)};
      kernel_.set(filled("numbers", n_), LocalBytes{range_.group * kElement},
                  result(range_.items / range_.group));
      break;
    case Idiom::kStencil:
      kernel_.set(result(n_), filled("numbers", n_ + 2));
      break;
    case Idiom::kMatrixMultiply:
      kernel_.set(result(n_), filled("digits", n_), filled("digits", n_));
      break;
    }
  }

  /// The place of the `i`-th element that is looked at, and its value.
  std::pair<size_t, float> expected(size_t i) const {
    const auto index = static_cast<uint32_t>(i);
    switch (traffic_.idiom) {
    case Idiom::kStream: {
      float sum = 0;
      for (uint64_t launch = 0; launch < kernel_.launches(); ++launch)
        sum += number(i);
      return {i, sum};
    }
    case Idiom::kGather:
      return {i, number(shuffled(index, bits_))};
    case Idiom::kScatter:
      return {shuffled(index, bits_), number(i)};
    case Idiom::kGatherScatter:
      return {shuffled(index, bits_), number(shuffled(index ^ 1U, bits_))};
    case Idiom::kTranspose:
      return {i, number(i % order_ * order_ + i / order_)};
    case Idiom::kReduction: {
      const size_t part = kReducedByItem * range_.group;
      float sum = 0;
      for (size_t k = 0; k < part; ++k)
        sum += number(i * part + k);
      return {i, sum};
    }
    case Idiom::kStencil:
      return {i, number(i) + number(i + 2)};
    case Idiom::kMatrixMultiply: {
      float sum = 0;
      for (size_t k = 0; k < order_; ++k)
        sum += digit(i / order_ * order_ + k) * digit(k * order_ + i % order_);
      return {i, sum};
    }
    }
    return {i, 0};
  }

  void check() {
    std::vector<float> result(resultCount_);
    device_.read(result_, result.data(), resultCount_ * kElement);
    // Some thousand of them, and the last. A stride that is no power of two sees every column.
    const size_t stride = std::max<size_t>(result.size() / 4096, 1) | 1U;
    const auto look = [&](size_t i) {
      const auto [place, value] = expected(i);
      requireResult(result[place] == value, device_, traffic_.kernel,
                    fmt::format("element {} of {} to be {}", place, result.size(), value));
    };
    for (size_t i = 0; i < result.size(); i += stride)
      look(i);
    look(result.size() - 1);
  }

  Device &device_;
  const Traffic &traffic_;
  size_t n_;
  Device::Program program_;
  TimedKernel kernel_;
  uint32_t bits_;
  size_t order_ = 0;
  Range range_;
  Buffer result_;
  size_t resultCount_ = 0;
  std::deque<Buffer> buffers_; // which the kernel's arguments do not keep
};

/// Footprints for about two sizes in a doubling of the order of matrices, and one in a doubling of
/// others (quick: half as many), from about 16 KiB to `most` bytes.
std::vector<size_t> footprintsFor(const Traffic &traffic, double most, bool quick) {
  std::vector<size_t> result;
  const auto add = [&](size_t n) {
    const size_t bytes = n * kElement * traffic.arrays;
    if (static_cast<double>(bytes) <= most)
      result.push_back(bytes);
    return static_cast<double>(bytes) <= most;
  };
  if (traffic.square) {
    // Multiples of 16, of which quick takes those that are no powers of two.
    for (size_t order = 48, next = 64; add(order * order);) {
      const size_t after = 2 * order;
      order = quick ? after : next;
      next = after;
    }
    return result;
  }
  for (size_t n = 4096; add(n); n *= quick ? 4 : 2) {
  }
  return result;
}

Outcome idiomCurve(Device &device, const Effort &effort, const Traffic &traffic) {
  const double most = std::min(largestFootprint(device.facts(), effort.quick),
                               static_cast<double>(traffic.arrays) * device.facts().largestBuffer);
  const auto footprints = footprintsFor(traffic, most, effort.quick);
  const Patience patience = effort.patience(footprints.size());
  // Its time grows faster than its footprint, so that the size before says nothing about the next.
  const bool growsFast = traffic.idiom == Idiom::kMatrixMultiply;
  predict::Curve points;
  return curveOver(footprints, effort, idiomItem(traffic.idiom), [&](size_t bytes) {
    const size_t n = bytes / kElement / traffic.arrays;
    const auto launches = static_cast<double>(patience.leastSamples + 1);
    if (growsFast && points.size() >= kLeastPoints &&
        launches * movedBytes(traffic, n) / (points.back().value * 1e9) > effort.seconds)
      throw NoTime{};
    const predict::CurvePoint point = Run(device, traffic, n).point(patience);
    points.push_back(point);
    return point;
  });
}

} // namespace

void addIdioms(std::vector<Item> &items) {
  for (const Traffic &traffic : kTraffic)
    items.push_back({idiomItem(traffic.idiom), 4, [&traffic](Device &device, const Effort &effort) {
                       return idiomCurve(device, effort, traffic);
                     }});
}

} // namespace aiwc::device_measurement
