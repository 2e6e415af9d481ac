#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::srad {

struct Shape {
  uint32_t rows = 0;
  uint32_t columns = 0;
};

/// Row by row, positive intensities.
using Image = std::vector<float>;

/// First and last row and column of the part whose texture is taken for pure speckle.
struct Region {
  uint32_t top = 0;
  uint32_t bottom = 127;
  uint32_t left = 0;
  uint32_t right = 127;
};

/// A synthetic ultrasound image of tissue: brightness that changes slowly from left to right, with
/// darker and brighter ellipses, multiplied by speckle: the amplitude of a complex normal number,
/// averaged over two looks. Values from 1/256 to about 4.
Image ultrasound(const Shape &shape, uint64_t seed);

/// The squared coefficient of variation, variance over squared mean, of the part of the region that
/// is inside the image; at least kLeastNoise, which makes a region without any texture harmless.
inline constexpr double kLeastNoise = 1e-6;
double noise(const Shape &shape, const Image &image, const Region &region);

/// The iterations done serially in double precision, speckle statistics included.
std::vector<double> diffused(const Shape &shape, const Image &image, const Region &region,
                             uint32_t iterations, double lambda);

/// Whether `found` is the image that `iterations` make of `original`: every pixel within
/// kTolerance for each iteration, relative to the reference's. A step of diffusion is a weighted
/// mean of a pixel and its neighbours, which adds a few roundings but does not magnify earlier
/// ones; the weights do: they depend on the ratio of q^2 to the noise, whose relative error is that
/// of a difference of neighbours, u over q.
inline constexpr double kTolerance = 1e-6;
Verdict check(const Shape &shape, const Image &original, const Region &region, uint32_t iterations,
              double lambda, const Image &found);

} // namespace aiwc::eod::srad
