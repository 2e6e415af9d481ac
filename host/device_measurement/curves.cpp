#include "device_measurement/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace aiwc::device_measurement {

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
