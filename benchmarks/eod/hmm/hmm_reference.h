#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::hmm {

struct Shape {
  uint32_t states = 0;
  uint32_t symbols = 0;
  uint32_t length = 16; ///< of the sequence of observations
};

/// The probabilities of a hidden Markov model, as the device has them.
struct Model {
  std::vector<float> start;       ///< of a state
  std::vector<float> transitions; ///< states by states, row by row: from, to
  std::vector<float> emissions;   ///< symbols by states, row by row
};

using Observations = std::vector<uint32_t>;

/// The output of a hidden process that usually stays in a state or moves to the next one, and
/// usually emits the symbol of its state.
Observations observations(const Shape &shape, uint64_t seed);

/// A first guess: all probabilities positive, within a factor of three of each other.
Model firstGuess(const Shape &shape, uint64_t seed);

/// One iteration of the algorithm of Baum and Welch in double precision, from the definitions
/// (Rabiner, Proc. IEEE 1989, sections III and V.A).
struct Estimate {
  std::vector<double> start;
  std::vector<double> transitions;
  std::vector<double> emissions;
  std::vector<double> scale; ///< probability of every observation given those before
};
Estimate reestimate(const Shape &shape, const Estimate &model, const Observations &observations);

/// As a starting point for reestimate().
Estimate inDoublePrecision(const Model &model);

double logLikelihood(const Shape &shape, const Estimate &model, const Observations &observations);

/// One iteration of the device: the model that it made of the previous one, and the scale factors.
struct Iteration {
  Model model;
  std::vector<float> scale;
};

/// Whether every iteration is what double precision makes of the device's model before it, `guess`
/// before the first: |x - reference| <= kTolerance (reference + kFloor) for all probabilities and
/// scale factors. All terms of all sums are positive, so rounding errors are relative, at most
/// about 4 T (N + 8) u for T observations of N states; those that occur are far smaller, as
/// roundings of either sign cancel. Below kFloor a probability is taken for zero. Also: the
/// likelihood never falls from iteration to iteration, which holds for the algorithm whatever the
/// input, and the probabilities sum to 1.
inline constexpr double kTolerance = 1e-4;
inline constexpr double kFloor = 1e-9;
Verdict checkTraining(const Shape &shape, const Model &guess, const Observations &observations,
                      const std::vector<Iteration> &iterations);

} // namespace aiwc::eod::hmm
