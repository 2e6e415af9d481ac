#include "device_measurement/device_of_results.h"

#include "predict/fitted/fitted_model.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <span>
#include <utility>

namespace aiwc::device_measurement {

using predict::Curve;
using predict::CurvePoint;
using predict::DeviceMeasurements;
using predict::DeviceProfile;
using predict::DeviceType;
using predict::Idiom;
using predict::Parameter;

double fourDigits(double value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  const double unit = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * unit) / unit;
}

std::string idFrom(const std::string &name) {
  constexpr size_t kLongest = 60;
  std::string id;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool plain =
        (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || lower == '.';
    if (plain && id.size() < kLongest)
      id += lower;
    else if (!id.empty() && id.back() != '-' && id.size() < kLongest)
      id += '-';
  }
  while (!id.empty() && (id.back() == '-' || id.back() == '.'))
    id.pop_back();
  id.erase(0, std::min(id.find_first_not_of(".-"), id.size()));
  return id.empty() ? "device" : id;
}

namespace {

constexpr double kNanosPerMicro = 1e3;

DeviceType typeOf(const DeviceFacts &facts) {
  if (facts.isCpu())
    return DeviceType::kCpu;
  if ((facts.type & CL_DEVICE_TYPE_GPU) != 0)
    return facts.unifiedMemory ? DeviceType::kIntegratedGpu : DeviceType::kGpu;
  return DeviceType::kAccelerator;
}

int thisYear() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  return gmtime_r(&now, &parts) ? 1900 + parts.tm_year : 2000;
}

std::string orUnknown(const std::string &text) {
  const std::string line = text::printable(text, 200);
  return line.find_first_not_of(' ') == std::string::npos ? "unknown" : line;
}

std::string readable(double bytes) {
  if (bytes >= 1 << 20)
    return fmt::format("{:.4g} MiB", bytes / (1 << 20));
  return fmt::format("{:.4g} KiB", bytes / (1 << 10));
}

class Maker {
public:
  Maker(const Results &results, const DeviceFacts &facts, DeviceProfile &device)
      : results_(results), facts_(facts), device_(device), measured_(*device.measurements) {}

  void make(size_t lanes, bool alike) {
    collect();
    set(Parameter::kMemoryCapacity, facts_.memoryBytes, "OpenCL: global memory");
    if (!alike)
      fromOpenCl(lanes);
    rates(alike);
    memory(alike);
    launches();
    transfers();
  }

private:
  const CurvePoint *point(std::string_view id) const {
    const auto found = results_.find(id);
    return found == results_.end() || found->second.points.empty() ? nullptr
                                                                   : &found->second.points.front();
  }

  Curve curve(std::string_view id) const {
    const auto found = results_.find(id);
    return found == results_.end() ? Curve() : found->second.points;
  }

  /// A value outside of its range would not be read again.
  void set(Parameter parameter, double value, std::string source,
           std::optional<double> spread = std::nullopt) {
    if (predict::info(parameter).allows(value))
      device_.set(parameter, value, std::move(source), spread);
  }

  void collect() {
    for (const auto &[id, outcome] : results_)
      measured_.missing.insert(measured_.missing.end(), outcome.missing.begin(),
                               outcome.missing.end());
    for (const predict::FigureInfo &info : predict::figures())
      if (const CurvePoint *figure = point(info.key))
        measured_.figures.push_back({info.key, figure->value, figure->spread});
    measured_.bandwidth = curve(kBandwidth);
    measured_.latency = curve(kLatency);
    for (size_t i = 0; i < predict::kIdiomCount; ++i) {
      const auto idiom = static_cast<Idiom>(i);
      Curve points = curve(idiomItem(idiom));
      if (points.empty())
        continue;
      const double error = predict::interpolationError(points);
      measured_.idioms.push_back({idiom, std::move(points), error});
    }
    if (Curve points = curve(kToDevice); !points.empty())
      measured_.toDevice = fitTransfer(std::move(points));
    if (Curve points = curve(kToHost); !points.empty())
      measured_.toHost = fitTransfer(std::move(points));
  }

  void fromOpenCl(size_t lanes) {
    const bool cpu = facts_.isCpu();
    const auto units = static_cast<double>(facts_.computeUnits);
    if (cpu)
      set(Parameter::kCores, units, "OpenCL: compute units, which may be hardware threads");
    else
      set(Parameter::kComputeUnits, units, "OpenCL");
    set(Parameter::kClock, facts_.clockGhz, "OpenCL: the highest clock");
    set(Parameter::kCacheLine, facts_.lineBytes, "OpenCL: cache line of global memory");
    set(Parameter::kLaneWidth, static_cast<double>(cpu ? facts_.vectorWidth : lanes),
        cpu ? "OpenCL: native vector width, single precision"
            : "OpenCL: what the size of a work-group should be a multiple of");
    set(Parameter::kCacheCapacity,
        cpu ? facts_.cacheBytes : facts_.cacheBytes + units * facts_.localBytes,
        cpu ? "OpenCL: cache of global memory"
            : "OpenCL: cache of global memory, and local memory of all compute units");
  }

  /// The fastest of the figures that begin with `prefix`.
  const predict::Figure *fastest(std::string_view prefix) const {
    const predict::Figure *best = nullptr;
    for (const predict::Figure &figure : measured_.figures)
      if (figure.key.starts_with(prefix) && (!best || figure.value > best->value))
        best = &figure;
    return best;
  }

  void rates(bool alike) {
    const predict::Figure *fp32 = fastest("fp32_");
    if (!alike && !facts_.isCpu() && fp32 && facts_.clockGhz > 0) {
      const auto units = static_cast<double>(facts_.computeUnits);
      const double lanes = fp32->value / (2 * facts_.clockGhz);
      set(Parameter::kCores, std::max(std::round(lanes / units), 1.0) * units,
          fmt::format("measured: {} at two operations in a cycle, rounded to a multiple of the "
                      "compute units",
                      fp32->key));
    }
    if (!device_.has(Parameter::kCores))
      return;
    const double cores = device_[Parameter::kCores];
    for (const auto &[figure, parameter] :
         {std::pair(fp32, Parameter::kFp32Rate), std::pair(fastest("fp64_"), Parameter::kFp64Rate)})
      if (figure)
        set(parameter, fourDigits(figure->value / cores),
            fmt::format("measured: {}, the fastest kernel, over cores", figure->key),
            figure->spread);
  }

  void memory(bool alike) {
    if (const predict::Figure *stream = fastest("stream_"))
      set(Parameter::kDramBandwidth, stream->value,
          fmt::format("measured: {}, the fastest of the streams, over arrays of {}", stream->key,
                      readable(point(stream->key)->bytes)),
          stream->spread);
    else if (const predict::IdiomCurve *stream = measured_.curve(Idiom::kStream))
      set(Parameter::kDramBandwidth, stream->points.back().value,
          fmt::format("measured: a[i] = a[i] + b[i] over {}",
                      readable(stream->points.back().bytes)),
          stream->points.back().spread);
    if (measured_.latency.empty())
      return;
    const CurvePoint &far = measured_.latency.back();
    set(Parameter::kDramLatency, fourDigits(far.value / kNanosPerMicro),
        fmt::format("measured: a pointer chase within {}", readable(far.bytes)), far.spread);
    constexpr double kMuchLarger = 1.5;
    std::vector<Level> levels = levelsOf(measured_.latency);
    // The last level is the memory, and so is what is much larger than the cache by OpenCL.
    while (levels.size() > 1 && facts_.cacheBytes > 0 &&
           levels[levels.size() - 2].bytes > kMuchLarger * facts_.cacheBytes)
      levels.pop_back();
    if (levels.size() > 1) {
      levels.pop_back();
      if (facts_.isCpu() && facts_.cacheBytes == 0) // as in many virtual machines
        set(Parameter::kCacheCapacity, levels.back().bytes,
            "measured: the largest size before the last step of a pointer chase");
    }
    std::string sizes;
    double latency = 1;
    double bandwidth = 1;
    const double share = 1 / static_cast<double>(levels.size());
    for (const Level &level : levels) {
      sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", readable(level.bytes));
      latency *= std::pow(level.value / kNanosPerMicro, share);
      if (!measured_.bandwidth.empty())
        bandwidth *= std::pow(predict::valueAt(measured_.bandwidth, level.bytes / 2), share);
    }
    if (facts_.isCpu()) {
      set(Parameter::kCacheLatency, fourDigits(latency),
          fmt::format("measured: pointer chases, the mean of the caches of {}", sizes));
      if (!measured_.bandwidth.empty())
        set(Parameter::kCacheBandwidth, fourDigits(bandwidth),
            fmt::format("measured: reads again and again, the mean of the caches of {}", sizes));
    } else {
      set(Parameter::kCacheLatency, fourDigits(levels.front().value / kNanosPerMicro),
          fmt::format("measured: a pointer chase within {}", readable(levels.front().bytes)));
      if (const CurvePoint *local = point("local_bandwidth_gb_per_s"))
        set(Parameter::kCacheBandwidth, local->value, "measured: reads of local memory",
            local->spread);
    }
    if (alike)
      return;
    constexpr Parameter kCaches[] = {Parameter::kL1Capacity, Parameter::kL2Capacity,
                                     Parameter::kL3Capacity};
    for (size_t i = 0; i < std::min(levels.size(), std::size(kCaches)); ++i)
      set(kCaches[i], levels[i].bytes,
          "measured: the last size before the latency of a pointer chase rises");
  }

  void launches() {
    if (const CurvePoint *shortest = point(kShortestLaunch))
      set(Parameter::kLaunchOverhead, shortest->value,
          fmt::format("{} of an empty kernel, from start to end by the device's clock",
                      predict::kShortestLaunchSource),
          shortest->spread);
    const CurvePoint *next = point("launch_back_to_back_us");
    if (!next)
      return;
    const std::string source(predict::kBackToBackSource);
    set(Parameter::kSyncCost, next->value, source, next->spread);
    if (!point(kShortestLaunch))
      set(Parameter::kLaunchOverhead, next->value, source, next->spread);
  }

  void transfers() {
    if (!measured_.toDevice || !measured_.toHost)
      return;
    const auto &to = measured_.toDevice->pieces;
    const auto &from = measured_.toHost->pieces;
    set(Parameter::kHostLinkBandwidth,
        fourDigits(2 / (1 / to.back().gbPerS + 1 / from.back().gbPerS)),
        "measured: the last pieces of the fitted transfers, mean of both directions");
    set(Parameter::kHostLinkLatency,
        fourDigits((to.front().latencyMicros + from.front().latencyMicros) / 2),
        "measured: the first pieces of the fitted transfers, mean of both directions");
  }

private:
  const Results &results_;
  const DeviceFacts &facts_;
  DeviceProfile &device_;
  DeviceMeasurements &measured_;
};

} // namespace

DeviceProfile deviceOf(const Results &results, const DeviceFacts &facts, size_t lanes,
                       const DeviceProfile *like, std::string id, std::string by) {
  DeviceProfile device;
  if (like) {
    device = *like;
    for (auto &quantity : device.quantities)
      if (quantity)
        quantity->source += fmt::format(" (profile {})", like->id);
  } else {
    device.vendor = orUnknown(facts.vendor);
    device.series = orUnknown(facts.platform);
    device.type = typeOf(facts);
    device.year = thisYear();
  }
  device.id = std::move(id);
  device.name = orUnknown(facts.productName());
  device.opencl = true;
  device.openclNames = {orUnknown(facts.productName())};
  device.measurements.emplace();
  device.measurements->by = std::move(by);
  device.measurements->device = orUnknown(facts.name);
  device.measurements->driver = orUnknown(facts.driver);
  Maker(results, facts, device).make(lanes, like != nullptr);
  return device;
}

using predict::Curve;
using predict::CurvePoint;
using predict::TransferCurve;
using predict::TransferPiece;

namespace {

double medianOf(std::span<const CurvePoint> points) {
  std::vector<double> values;
  for (const CurvePoint &point : points)
    values.push_back(point.value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

} // namespace

std::vector<Level> levelsOf(const Curve &curve) {
  constexpr double kLevelFrom = 1.15;
  constexpr double kLevelTo = 1.4;
  std::vector<Level> levels;
  for (size_t begin = 0; begin < curve.size();) {
    const bool last = begin + 1 == curve.size();
    if (last ? !levels.empty() : curve[begin + 1].value >= kLevelFrom * curve[begin].value) {
      ++begin; // on the way up
      continue;
    }
    size_t end = begin + 1;
    while (end < curve.size() &&
           curve[end].value < kLevelTo * medianOf(std::span(curve).subspan(begin, end - begin)))
      ++end;
    const double value = medianOf(std::span(curve).subspan(begin, end - begin));
    // A slow rise makes one level of several steps, not several levels.
    if (!levels.empty() && value < kLevelTo * levels.back().value)
      levels.back().bytes = curve[end - 1].bytes;
    else
      levels.push_back({curve[end - 1].bytes, value});
    begin = end;
  }
  return levels;
}

namespace {

/// The best piece for `points`, which begins at the first of them, and the sum of the squares of
/// its relative errors.
std::pair<TransferPiece, double> fitted(std::span<const CurvePoint> points) {
  // Least squares of (l + b s) / t - 1, with the weights 1 / t.
  double ll = 0;
  double ls = 0;
  double ss = 0;
  double l1 = 0;
  double s1 = 0;
  for (const CurvePoint &point : points) {
    const double l = 1 / point.value;
    const double s = point.bytes / point.value;
    ll += l * l;
    ls += l * s;
    ss += s * s;
    l1 += l;
    s1 += s;
  }
  const double determinant = ll * ss - ls * ls;
  double latency = 0;
  double slope = 0;
  if (determinant > 1e-12 * ll * ss) {
    latency = (l1 * ss - s1 * ls) / determinant;
    slope = (s1 * ll - l1 * ls) / determinant;
  }
  if (latency < 0 || slope <= 0 || determinant <= 1e-12 * ll * ss) {
    // Either of the two, whichever fits better: a time that does not depend on the size has the
    // slope that adds a millionth over the sizes.
    const double onlySlope = s1 / ss;
    const double onlyLatency = l1 / ll;
    const double slopeError = static_cast<double>(points.size()) - s1 * onlySlope;
    const double latencyError = static_cast<double>(points.size()) - l1 * onlyLatency;
    latency = slopeError <= latencyError ? 0 : onlyLatency;
    slope = slopeError <= latencyError ? onlySlope : onlyLatency * 1e-6 / points.back().bytes;
  }
  double error = 0;
  for (const CurvePoint &point : points) {
    const double relative = (latency + point.bytes * slope) / point.value - 1;
    error += relative * relative;
  }
  constexpr double kMicrosPerByte = 1e-3; // at 1 GB/s
  return {{points.front().bytes, latency, kMicrosPerByte / slope}, error};
}

} // namespace

TransferCurve fitTransfer(Curve points) {
  constexpr size_t kMostPieces = 3;
  constexpr size_t kLeastPoints = 3;
  constexpr double kNoise = 0.01;
  constexpr double kParameters = 5; // of a piece
  const size_t count = points.size();
  const auto n = static_cast<double>(count);
  double best = std::numeric_limits<double>::infinity();
  TransferCurve curve;
  const auto consider = [&](const std::vector<size_t> &begins) {
    std::vector<TransferPiece> pieces;
    double error = 0;
    for (size_t i = 0; i < begins.size(); ++i) {
      const size_t end = i + 1 < begins.size() ? begins[i + 1] : count;
      const auto [piece, squares] = fitted(std::span(points).subspan(begins[i], end - begins[i]));
      pieces.push_back(piece);
      error += squares;
    }
    // A piece has a latency, a bandwidth and a place, which the search can choose as it fits best:
    // that counts as two more.
    const double criterion = n * std::log(error / n + kNoise * kNoise) +
                             kParameters * static_cast<double>(begins.size()) * std::log(n);
    if (criterion < best) {
      best = criterion;
      curve.pieces = std::move(pieces);
    }
  };
  consider({0});
  static_assert(kMostPieces == 3);
  for (size_t second = kLeastPoints; second + kLeastPoints <= count; ++second) {
    consider({0, second});
    for (size_t third = second + kLeastPoints; third + kLeastPoints <= count; ++third)
      consider({0, second, third});
  }
  curve.pieces.front().fromBytes = 0;
  curve.points = std::move(points);
  for (const CurvePoint &point : curve.points)
    curve.error += std::abs(curve.microsAt(point.bytes) / point.value - 1) / n;
  return curve;
}

} // namespace aiwc::device_measurement
