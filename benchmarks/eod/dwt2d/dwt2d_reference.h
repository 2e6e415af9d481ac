#pragma once

#include "eod/common/application.h"

#include <array>
#include <cstdint>
#include <vector>

namespace aiwc::eod::dwt2d {

struct Shape {
  uint32_t width = 0;
  uint32_t height = 0;
  size_t pixels() const { return static_cast<size_t>(width) * height; }
};

/// The size of the upper left band of a level: half of each dimension, rounded up.
Shape half(const Shape &shape);

/// Row by row; red, green and blue of a pixel side by side.
using Pixels = std::vector<uint8_t>;
/// A component or its coefficients, row by row. The upper left half(shape) of a level is again
/// transformed by the next.
using Plane = std::vector<int32_t>;

/// A synthetic image similar to a photograph: slowly changing brightness, ellipses and rectangles
/// with sharp edges, noise of a few grey levels.
Pixels photograph(const Shape &shape, uint64_t seed);

/// One component, 0 to 2, minus 128.
Plane component(const Pixels &pixels, size_t index);

/// The reversible 5/3 transform of JPEG 2000 (ISO/IEC 15444-1, annex F), signal by signal.
Plane forward(const Shape &shape, Plane plane, uint32_t levels);
/// Undoes forward().
Plane inverse(const Shape &shape, Plane plane, uint32_t levels);

/// Whether `coefficients` equal those of a serial transform of the components, and whether the
/// inverse transform restores the image; both exactly.
Verdict check(const Shape &shape, const Pixels &pixels, uint32_t levels,
              const std::array<Plane, 3> &coefficients);

} // namespace aiwc::eod::dwt2d
