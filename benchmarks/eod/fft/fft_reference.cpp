#include "eod/fft/fft_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace aiwc::eod::fft {
namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k / n) for all k < count.
Spectrum roots(size_t n, size_t count) {
  Spectrum result(count);
  for (size_t k = 0; k < count; ++k)
    result[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / n);
  return result;
}

/// Of the numbers from[0], from[step], ...; `to` has their number, `roots` those of the whole.
void transformHalves(const Complex *from, size_t step, Complex *to, size_t count,
                     const Spectrum &roots) {
  if (count == 1) {
    *to = *from;
    return;
  }
  const size_t half = count / 2;
  transformHalves(from, 2 * step, to, half, roots);
  transformHalves(from + step, 2 * step, to + half, half, roots);
  for (size_t k = 0; k < half; ++k) {
    const Complex even = to[k];
    const Complex odd = to[k + half] * roots[k * step];
    to[k] = even + odd;
    to[k + half] = even - odd;
  }
}

Spectrum asComplex(const Signal &signal) {
  Spectrum result(signal.size() / 2);
  for (size_t j = 0; j < result.size(); ++j)
    result[j] = {signal[2 * j], signal[2 * j + 1]};
  return result;
}

double energy(const Spectrum &values) {
  double sum = 0;
  for (const Complex &value : values)
    sum += std::norm(value);
  return sum;
}

} // namespace

Signal tones(uint32_t points, uint64_t seed) {
  constexpr int kTones = 8;
  constexpr float kNoise = 0.25f;
  Random random(seed);
  // A tone turns by the same angle from point to point; the turn is a point of the unit circle
  // found without a sine, whose last bit depends on the library.
  Spectrum tone(kTones);
  Spectrum turn(kTones);
  for (int i = 0; i < kTones; ++i) {
    tone[i] = {random.uniform(-1, 1), random.uniform(-1, 1)};
    const double t = random.uniform(-3, 3);
    turn[i] = {(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)};
  }
  Signal signal(2 * static_cast<size_t>(points));
  for (size_t j = 0; j < points; ++j) {
    Complex sum = 0;
    for (int i = 0; i < kTones; ++i) {
      sum += tone[i];
      tone[i] *= turn[i];
    }
    signal[2 * j] = static_cast<float>(sum.real()) + kNoise * random.normal();
    signal[2 * j + 1] = static_cast<float>(sum.imag()) + kNoise * random.normal();
  }
  return signal;
}

Spectrum byDefinition(const Signal &signal) {
  const Spectrum x = asComplex(signal);
  const size_t n = x.size();
  const Spectrum root = roots(n, n);
  Spectrum result(n);
  for (size_t k = 0; k < n; ++k)
    for (size_t j = 0; j < n; ++j)
      result[k] += x[j] * root[j * k % n];
  return result;
}

Spectrum byHalves(const Signal &signal) {
  const Spectrum x = asComplex(signal);
  Spectrum result(x.size());
  transformHalves(x.data(), 1, result.data(), x.size(), roots(x.size(), x.size() / 2));
  return result;
}

double tolerance(uint32_t points) {
  return 16 * 0x1p-24 * std::log2(points);
}

Verdict check(const Signal &signal, const Signal &transformed) {
  const auto points = static_cast<uint32_t>(signal.size() / 2);
  const bool definition = points <= kByDefinition;
  Spectrum expected = definition ? byDefinition(signal) : byHalves(signal);
  const double scale = energy(expected);
  const Spectrum found = asComplex(transformed);
  const double parseval = std::abs(energy(found) / (points * energy(asComplex(signal))) - 1);
  for (size_t k = 0; k < expected.size(); ++k)
    expected[k] -= found[k];
  const double error = std::sqrt(energy(expected) / scale);
  const double allowed = tolerance(points);
  return {error <= allowed && parseval <= 2 * allowed,
          fmt::format("2-norm of the difference from {} in double precision {:.2g} of the "
                      "spectrum's, allowed {:.2g}; Parseval's theorem within {:.2g}",
                      definition ? "the definition" : "a radix-2 transform", error, allowed,
                      parseval)};
}

} // namespace aiwc::eod::fft
