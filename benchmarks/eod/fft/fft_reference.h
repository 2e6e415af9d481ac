#pragma once

#include "eod/common/application.h"

#include <complex>
#include <cstdint>
#include <vector>

namespace aiwc::eod::fft {

/// Complex numbers in single precision: real and imaginary parts in turn.
using Signal = std::vector<float>;
using Spectrum = std::vector<std::complex<double>>;

/// Eight tones of random frequency, phase and amplitude, in white noise.
Signal tones(uint32_t points, uint64_t seed);

/// X[k] = sum over j of x[j] exp(-2 pi i j k / n), by the definition: n^2 operations.
Spectrum byDefinition(const Signal &signal);

/// The same by recursive halving; n must be a power of two.
Spectrum byHalves(const Signal &signal);

/// The definition is the reference up to this many points; byHalves() beyond.
inline constexpr uint32_t kByDefinition = 4096;

/// The allowed error of the transform, in the 2-norm and relative to the spectrum's norm. Higham,
/// Accuracy and Stability of Numerical Algorithms, theorem 24.2, bounds it by eta log2 n with eta =
/// mu + gamma_4 (sqrt 2 + mu) for factors with an error of mu. OpenCL's cospi and sinpi may have an
/// error of 4 ulp, so mu = 8 u; a stage of radix 8 or 16 also multiplies by rounded constants. The
/// sum is below 16 u for each of the log2 n factors of two, u = 2^-24.
double tolerance(uint32_t points);

/// Whether `transformed` is the transform of `signal` within the tolerance, and whether Parseval's
/// theorem holds within twice of it: the sum of |X|^2 is n times that of |x|^2.
Verdict check(const Signal &signal, const Signal &transformed);

} // namespace aiwc::eod::fft
