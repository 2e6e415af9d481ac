/// What was measured on a device besides the parameters of its profile: single figures, and curves
/// over sizes. `aiwc devices measure` makes them; docs/devices.md says how.
#pragma once

#include "profile/access_row.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

using profile::Idiom;
using profile::idiomOf;
using profile::kIdiomCount;

/// One measured point of a curve. The curve says what its values are.
struct CurvePoint {
  double bytes = 0; ///< the size, at least 1
  double value = 0; ///< the median, positive
  /// Half of the 95 % interval of the median, relative to the median. Not negative.
  double spread = 0;
};
/// Strictly ascending in bytes.
using Curve = std::vector<CurvePoint>;

/// The value of `curve` at `bytes`: between two points linear in the logarithms of size and value,
/// beyond the ends that of the nearest point. `curve` must not be empty, `bytes` be positive.
double valueAt(const Curve &curve, double bytes);
/// How well such a curve predicts a size that was not measured: the mean of |predicted / measured -
/// 1| over the inner points, each of them predicted from its two neighbours. 0 if there are none.
double interpolationError(const Curve &curve);

/// The bandwidth of an idiom over its footprint: the bytes of all arrays that it touches, index
/// arrays included, each counted once. A value is in GB/s: the bytes that the idiom's loads and
/// stores ask for, divided by the time of a kernel launch that goes over its arrays once. Caches
/// are as the previous launch of the same kernel leaves them.
struct IdiomCurve {
  Idiom idiom = Idiom::kStream;
  Curve points;     ///< GB/s; not empty
  double error = 0; ///< interpolationError(points)

  /// GB/s at a footprint of `bytes`, which must be positive.
  double bandwidthAt(double bytes) const { return valueAt(points, bytes); }
};

/// A range of sizes in which a transfer takes latency + bytes / bandwidth.
struct TransferPiece {
  double fromBytes = 0; ///< to where the next piece begins
  double latencyMicros = 0;
  double gbPerS = 0; ///< positive
};

/// Copies between host and device, in one direction, by blocking reads or writes of a buffer.
struct TransferCurve {
  Curve points;                      ///< us; not empty
  std::vector<TransferPiece> pieces; ///< not empty; ascending, the first from 0
  double error = 0;                  ///< mean of |piece / point - 1| over the points

  /// The time of a copy by the pieces, us.
  double microsAt(double bytes) const;
};

/// The name, unit and meaning of a figure that is no parameter of the device's profile.
struct FigureInfo {
  std::string_view key;  ///< in JSON, ending in the unit: "fp32_fma_4_gops"
  std::string_view unit; ///< for display: "Gop/s", "GB/s", "us", "ns"
  std::string_view description;
};
std::span<const FigureInfo> figures();

struct Figure {
  std::string_view key; ///< of a FigureInfo
  double value = 0;     ///< positive, in its unit
  double spread = 0;    ///< as CurvePoint's
};

struct DeviceMeasurements {
  std::string by;              ///< the program, its version and how thorough: "aiwc 0.1.0, quick"
  std::string device, driver;  ///< CL_DEVICE_NAME, CL_DRIVER_VERSION
  std::vector<Figure> figures; ///< in the order of `figures()`, every key at most once
  Curve bandwidth; ///< GB/s, of reads that go over as many bytes again and again in one launch
  Curve latency;   ///< ns, of a load that depends on the load before, within as many bytes
  std::vector<IdiomCurve> idioms; ///< in the order of Idiom, every idiom at most once
  std::optional<TransferCurve> toDevice, toHost;
  std::vector<std::string> missing; ///< what could not be measured, and why

  /// The figure with this key; none if it was not measured.
  std::optional<double> figure(std::string_view key) const;
  /// The curve of `idiom`; nullptr if it was not measured.
  const IdiomCurve *curve(Idiom idiom) const;
};

} // namespace aiwc::predict
