#include "eod/srad/srad_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::eod::srad {
namespace {

template <typename T>
double noiseOf(const Shape &shape, const std::vector<T> &image, const Region &region) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (size_t row = region.top; row <= std::min(region.bottom, shape.rows - 1); ++row)
    for (size_t column = region.left; column <= std::min(region.right, shape.columns - 1);
         ++column) {
      const double value = image[row * shape.columns + column];
      sum += value;
      squares += value * value;
      ++count;
    }
  const double mean = sum / count;
  return std::max(kLeastNoise, squares / count / (mean * mean) - 1);
}

/// The image with its edges repeated outwards: one more row and column on every side.
class Padded {
public:
  Padded(const Shape &shape, const std::vector<double> &image) : shape_(shape), image_(image) {}
  double operator()(int64_t row, int64_t column) const {
    const int64_t y = std::clamp<int64_t>(row, 0, int64_t{shape_.rows} - 1);
    const int64_t x = std::clamp<int64_t>(column, 0, int64_t{shape_.columns} - 1);
    return image_[static_cast<size_t>(y * shape_.columns + x)];
  }

private:
  const Shape &shape_;
  const std::vector<double> &image_;
};

/// The diffusion coefficient as Yu and Acton define it, from q, the instantaneous coefficient of
/// variation: of the sum of squared differences and the Laplacian, both relative to the pixel.
double coefficientAt(const Padded &image, int64_t row, int64_t column, double noise) {
  const double here = image(row, column);
  double squares = 0;
  double neighbours = 0;
  for (const auto &[dy, dx] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
    const double other = image(row + dy, column + dx);
    squares += (other - here) * (other - here);
    neighbours += other;
  }
  const double laplacian = neighbours / here - 4;
  const double variation = (squares / (2 * here * here) - laplacian * laplacian / 16) /
                           ((1 + laplacian / 4) * (1 + laplacian / 4));
  return std::clamp(1 / (1 + (variation - noise) / (noise * (1 + noise))), 0.0, 1.0);
}

std::vector<double> step(const Shape &shape, const std::vector<double> &image, double noise,
                         double lambda) {
  const Padded padded(shape, image);
  std::vector<double> coefficients(image.size());
  for (size_t i = 0; i < image.size(); ++i)
    coefficients[i] = coefficientAt(padded, static_cast<int64_t>(i / shape.columns),
                                    static_cast<int64_t>(i % shape.columns), noise);
  const Padded coefficient(shape, coefficients);
  std::vector<double> result(image.size());
  for (size_t i = 0; i < image.size(); ++i) {
    const auto row = static_cast<int64_t>(i / shape.columns);
    const auto column = static_cast<int64_t>(i % shape.columns);
    const double here = image[i];
    const double divergence = coefficient(row + 1, column) * (padded(row + 1, column) - here) +
                              coefficient(row, column) * (padded(row - 1, column) - here) +
                              coefficient(row, column + 1) * (padded(row, column + 1) - here) +
                              coefficient(row, column) * (padded(row, column - 1) - here);
    result[i] = here + lambda / 4 * divergence;
  }
  return result;
}

struct Ellipse {
  float row, column, height, width, brightness;
  bool contains(float y, float x) const {
    const float dy = (y - row) / height;
    const float dx = (x - column) / width;
    return dy * dy + dx * dx < 1;
  }
};

} // namespace

Image ultrasound(const Shape &shape, uint64_t seed) {
  Random random(seed);
  std::vector<Ellipse> ellipses(12);
  for (Ellipse &ellipse : ellipses)
    ellipse = {.row = random.uniform() * static_cast<float>(shape.rows),
               .column = random.uniform() * static_cast<float>(shape.columns),
               .height = random.uniform(0.04f, 0.15f) * static_cast<float>(shape.rows),
               .width = random.uniform(0.04f, 0.15f) * static_cast<float>(shape.columns),
               .brightness = random.uniform(0.2f, 2.0f)};
  Image image;
  image.reserve(static_cast<size_t>(shape.rows) * shape.columns);
  for (uint32_t row = 0; row < shape.rows; ++row)
    for (uint32_t column = 0; column < shape.columns; ++column) {
      float value = 0.3f + 0.3f * static_cast<float>(column) / static_cast<float>(shape.columns);
      for (const Ellipse &ellipse : ellipses)
        if (ellipse.contains(static_cast<float>(row), static_cast<float>(column)))
          value *= ellipse.brightness;
      float energy = 0;
      for (int i = 0; i < 4; ++i) {
        const float part = random.normal();
        energy += part * part;
      }
      image.push_back(std::max(value * std::sqrt(energy / 4), 0x1p-8f));
    }
  return image;
}

double noise(const Shape &shape, const Image &image, const Region &region) {
  return noiseOf(shape, image, region);
}

std::vector<double> diffused(const Shape &shape, const Image &image, const Region &region,
                             uint32_t iterations, double lambda) {
  std::vector<double> now(image.begin(), image.end());
  for (uint32_t i = 0; i < iterations; ++i)
    now = step(shape, now, noiseOf(shape, now, region), lambda);
  return now;
}

Verdict check(const Shape &shape, const Image &original, const Region &region, uint32_t iterations,
              double lambda, const Image &found) {
  const std::vector<double> expected = diffused(shape, original, region, iterations, lambda);
  const double allowed = kTolerance * iterations;
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(found[i] - expected[i]) / expected[i];
    if (!(error <= worst)) // a NaN, too
      worst = error;
    if (std::isnan(worst))
      break;
  }
  return {worst <= allowed,
          fmt::format("largest relative difference from a serial run in double precision {:.2g}, "
                      "allowed {:.2g}; coefficient of variation in the speckle {:.3f}, then {:.3f}",
                      worst, allowed, std::sqrt(noise(shape, original, region)),
                      std::sqrt(noise(shape, found, region)))};
}

} // namespace aiwc::eod::srad
