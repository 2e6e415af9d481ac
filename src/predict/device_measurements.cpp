#include "predict/device_measurements.h"

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

namespace {

constexpr std::string_view kOps = "Gop/s";
constexpr std::string_view kFma = "fused multiply-adds, two operations each, in this many lanes";
constexpr std::string_view kMulAdd = "multiplications and additions that are not fused";
constexpr std::string_view kIntFma = "mad24 of integers, two operations each";
constexpr std::string_view kIntMulAdd = "full multiplications and additions of integers";

constexpr FigureInfo kFigures[] = {
    {"fp32_fma_1_gops", kOps, kFma},
    {"fp32_fma_4_gops", kOps, kFma},
    {"fp32_fma_8_gops", kOps, kFma},
    {"fp32_fma_16_gops", kOps, kFma},
    {"fp32_mul_add_1_gops", kOps, kMulAdd},
    {"fp32_mul_add_4_gops", kOps, kMulAdd},
    {"fp32_mul_add_8_gops", kOps, kMulAdd},
    {"fp32_mul_add_16_gops", kOps, kMulAdd},
    {"fp64_fma_1_gops", kOps, kFma},
    {"fp64_fma_4_gops", kOps, kFma},
    {"fp64_fma_8_gops", kOps, kFma},
    {"fp64_fma_16_gops", kOps, kFma},
    {"fp64_mul_add_1_gops", kOps, kMulAdd},
    {"fp64_mul_add_4_gops", kOps, kMulAdd},
    {"fp64_mul_add_8_gops", kOps, kMulAdd},
    {"fp64_mul_add_16_gops", kOps, kMulAdd},
    {"fp16_fma_1_gops", kOps, kFma},
    {"fp16_fma_4_gops", kOps, kFma},
    {"fp16_fma_8_gops", kOps, kFma},
    {"fp16_fma_16_gops", kOps, kFma},
    {"fp16_mul_add_1_gops", kOps, kMulAdd},
    {"fp16_mul_add_4_gops", kOps, kMulAdd},
    {"fp16_mul_add_8_gops", kOps, kMulAdd},
    {"fp16_mul_add_16_gops", kOps, kMulAdd},
    {"int32_fma_1_gops", kOps, kIntFma},
    {"int32_fma_4_gops", kOps, kIntFma},
    {"int32_fma_8_gops", kOps, kIntFma},
    {"int32_fma_16_gops", kOps, kIntFma},
    {"int32_mul_add_1_gops", kOps, kIntMulAdd},
    {"int32_mul_add_4_gops", kOps, kIntMulAdd},
    {"int32_mul_add_8_gops", kOps, kIntMulAdd},
    {"int32_mul_add_16_gops", kOps, kIntMulAdd},
    {"stream_copy_gb_per_s", "GB/s", "a[i] = b[i], over arrays that no cache holds"},
    {"stream_scale_gb_per_s", "GB/s", "a[i] = 3 b[i], likewise"},
    {"stream_add_gb_per_s", "GB/s", "a[i] = b[i] + c[i], likewise"},
    {"stream_triad_gb_per_s", "GB/s", "a[i] = b[i] + 3 c[i], likewise"},
    {"stream_update_gb_per_s", "GB/s", "a[i] += b[i], likewise"},
    {"local_bandwidth_gb_per_s", "GB/s", "reads of local memory, all compute units together"},
    {"local_latency_ns", "ns", "a load from local memory that depends on the load before"},
    {"launch_start_us", "us", "from enqueueing an empty kernel on an idle device to its start"},
    {"launch_back_to_back_us", "us", "an empty kernel, when many are enqueued one after the other"},
    {"launch_device_us", "us",
     "an empty kernel of a work-group for each compute unit, from start to end"},
    {"launch_host_us", "us", "the same, from enqueueing it to the return of clFinish"},
    {"barrier_ns", "ns", "a barrier of a work-group"},
    {"atomic_same_ns", "ns", "an atomic addition to one address, all work-items together"},
    {"atomic_different_ns", "ns", "an atomic addition to an address of its own, likewise"},
    {"work_group_ns", "ns", "an empty work-group more in a launch, all compute units together"},
    {"timer_ns", "ns", "the shortest time that the device's clock shows"},
};

} // namespace

std::span<const FigureInfo> figures() {
  return kFigures;
}

namespace {

/// Between `a` and `b`, on the line through both in logarithms.
double between(const CurvePoint &a, const CurvePoint &b, double bytes) {
  const double share = std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes);
  return a.value * std::pow(b.value / a.value, share);
}

} // namespace

double valueAt(const Curve &curve, double bytes) {
  const auto next = std::ranges::lower_bound(curve, bytes, {}, &CurvePoint::bytes);
  if (next == curve.begin())
    return curve.front().value;
  if (next == curve.end())
    return curve.back().value;
  return between(*(next - 1), *next, bytes);
}

double interpolationError(const Curve &curve) {
  if (curve.size() < 3)
    return 0;
  double sum = 0;
  for (size_t i = 1; i + 1 < curve.size(); ++i)
    sum += std::abs(between(curve[i - 1], curve[i + 1], curve[i].bytes) / curve[i].value - 1);
  return sum / static_cast<double>(curve.size() - 2);
}

double TransferCurve::microsAt(double bytes) const {
  constexpr double kBytesPerMicro = 1e3; // of a bandwidth of 1 GB/s
  const auto next = std::ranges::upper_bound(pieces, bytes, {}, &TransferPiece::fromBytes);
  const TransferPiece &piece = next == pieces.begin() ? pieces.front() : *(next - 1);
  return piece.latencyMicros + bytes / (piece.gbPerS * kBytesPerMicro);
}

std::optional<double> DeviceMeasurements::figure(std::string_view key) const {
  const auto found = std::ranges::find(figures, key, &Figure::key);
  return found == figures.end() ? std::nullopt : std::optional(found->value);
}

const IdiomCurve *DeviceMeasurements::curve(Idiom idiom) const {
  const auto found = std::ranges::find(idioms, idiom, &IdiomCurve::idiom);
  return found == idioms.end() ? nullptr : &*found;
}

} // namespace aiwc::predict
