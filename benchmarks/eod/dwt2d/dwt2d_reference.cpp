#include "eod/dwt2d/dwt2d_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::eod::dwt2d {
namespace {

/// Number n of a half of a signal; at either end the mirrored signal's is the last one inside.
int32_t at(const Plane &half, size_t n) {
  return half[std::min(n, half.size() - 1)];
}

void liftForward(Plane &signal) {
  if (signal.size() < 2)
    return;
  Plane low((signal.size() + 1) / 2);
  Plane high(signal.size() / 2);
  for (size_t i = 0; i < signal.size(); ++i)
    (i % 2 ? high : low)[i / 2] = signal[i];
  for (size_t n = 0; n < high.size(); ++n)
    high[n] -= (low[n] + at(low, n + 1)) >> 1;
  for (size_t n = 0; n < low.size(); ++n)
    low[n] += (high[n ? n - 1 : 0] + at(high, n) + 2) >> 2;
  std::ranges::copy(low, signal.begin());
  std::ranges::copy(high, signal.begin() + static_cast<ptrdiff_t>(low.size()));
}

void liftBackward(Plane &signal) {
  if (signal.size() < 2)
    return;
  const auto middle = signal.begin() + static_cast<ptrdiff_t>((signal.size() + 1) / 2);
  Plane low(signal.begin(), middle);
  Plane high(middle, signal.end());
  for (size_t n = 0; n < low.size(); ++n)
    low[n] -= (high[n ? n - 1 : 0] + at(high, n) + 2) >> 2;
  for (size_t n = 0; n < high.size(); ++n)
    high[n] += (low[n] + at(low, n + 1)) >> 1;
  for (size_t i = 0; i < signal.size(); ++i)
    signal[i] = (i % 2 ? high : low)[i / 2];
}

/// Applies `lift` to `count` signals of `length` numbers, `step` apart from number to number and
/// `next` from signal to signal.
template <typename Lift>
void liftAll(Plane &plane, size_t count, size_t next, size_t length, size_t step, Lift lift) {
  Plane signal(length);
  for (size_t s = 0; s < count; ++s) {
    for (size_t i = 0; i < length; ++i)
      signal[i] = plane[s * next + i * step];
    lift(signal);
    for (size_t i = 0; i < length; ++i)
      plane[s * next + i * step] = signal[i];
  }
}

/// The parts of the plane that the levels transform, largest first.
std::vector<Shape> parts(Shape shape, uint32_t levels) {
  std::vector<Shape> result;
  for (uint32_t i = 0; i < levels; ++i) {
    result.push_back(shape);
    shape = half(shape);
  }
  return result;
}

struct Patch {
  bool round;
  float x, y, width, height;
  std::array<float, 3> colour;
  bool contains(float px, float py) const {
    const float dx = (px - x) / width;
    const float dy = (py - y) / height;
    return round ? dx * dx + dy * dy < 1 : dx > -1 && dx < 1 && dy > -1 && dy < 1;
  }
};

} // namespace

Shape half(const Shape &shape) {
  return {shape.width / 2 + shape.width % 2, shape.height / 2 + shape.height % 2};
}

Pixels photograph(const Shape &shape, uint64_t seed) {
  Random random(seed);
  std::vector<Patch> patches(10);
  for (Patch &patch : patches)
    patch = {.round = random.below(2) == 0,
             .x = random.uniform(),
             .y = random.uniform(),
             .width = random.uniform(0.03f, 0.2f),
             .height = random.uniform(0.03f, 0.2f),
             .colour = {random.uniform(-80, 80), random.uniform(-80, 80), random.uniform(-80, 80)}};
  Pixels pixels;
  pixels.reserve(3 * shape.pixels());
  for (uint32_t row = 0; row < shape.height; ++row)
    for (uint32_t column = 0; column < shape.width; ++column) {
      const float x = static_cast<float>(column) / static_cast<float>(shape.width);
      const float y = static_cast<float>(row) / static_cast<float>(shape.height);
      std::array<float, 3> colour{60 + 120 * x, 90 + 80 * y, 180 - 60 * x * y};
      for (const Patch &patch : patches)
        if (patch.contains(x, y))
          for (size_t c = 0; c < 3; ++c)
            colour[c] += patch.colour[c];
      for (float value : colour)
        pixels.push_back(
            static_cast<uint8_t>(std::clamp(value + random.uniform(-4, 4), 0.0f, 255.0f)));
    }
  return pixels;
}

Plane component(const Pixels &pixels, size_t index) {
  Plane plane(pixels.size() / 3);
  for (size_t i = 0; i < plane.size(); ++i)
    plane[i] = pixels[3 * i + index] - 128;
  return plane;
}

Plane forward(const Shape &shape, Plane plane, uint32_t levels) {
  for (const Shape &part : parts(shape, levels)) {
    liftAll(plane, part.height, shape.width, part.width, 1, liftForward);
    liftAll(plane, part.width, 1, part.height, shape.width, liftForward);
  }
  return plane;
}

Plane inverse(const Shape &shape, Plane plane, uint32_t levels) {
  std::vector<Shape> all = parts(shape, levels);
  std::ranges::reverse(all);
  for (const Shape &part : all) {
    liftAll(plane, part.width, 1, part.height, shape.width, liftBackward);
    liftAll(plane, part.height, shape.width, part.width, 1, liftBackward);
  }
  return plane;
}

Verdict check(const Shape &shape, const Pixels &pixels, uint32_t levels,
              const std::array<Plane, 3> &coefficients) {
  for (size_t c = 0; c < 3; ++c) {
    const Plane original = component(pixels, c);
    const Plane expected = forward(shape, original, levels);
    if (coefficients[c].size() != expected.size())
      return {false, fmt::format("component {} has {} coefficients, {} expected", c,
                                 coefficients[c].size(), expected.size())};
    for (size_t i = 0; i < expected.size(); ++i)
      if (coefficients[c][i] != expected[i])
        return {false,
                fmt::format("component {}, row {}, column {}: {}, a serial transform gives "
                            "{}",
                            c, i / shape.width, i % shape.width, coefficients[c][i], expected[i])};
    if (inverse(shape, coefficients[c], levels) != original)
      return {false, fmt::format("component {}: the inverse does not give the image", c)};
  }
  return {true, fmt::format("all {} coefficients equal a serial transform's, and the inverse gives "
                            "the image",
                            3 * shape.pixels())};
}

} // namespace aiwc::eod::dwt2d
