#include "eod/hmm/hmm_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace aiwc::eod::hmm {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Alpha of every step, scaled to sum to 1, and the factors.
struct Forward {
  Rows alpha;
  std::vector<double> scale;
};

Forward forward(const Shape &shape, const Estimate &model, const Observations &observations) {
  const size_t n = shape.states;
  Forward result;
  for (size_t t = 0; t < observations.size(); ++t) {
    std::vector<double> now(n);
    if (t == 0)
      now = model.start;
    for (size_t i = 0; t > 0 && i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        now[j] += result.alpha.back()[i] * model.transitions[i * n + j];
    double sum = 0;
    for (size_t j = 0; j < n; ++j)
      sum += now[j] *= model.emissions[observations[t] * n + j];
    for (double &value : now)
      value /= sum;
    result.alpha.push_back(std::move(now));
    result.scale.push_back(sum);
  }
  return result;
}

Rows backward(const Shape &shape, const Estimate &model, const Observations &observations,
              const std::vector<double> &scale) {
  const size_t n = shape.states;
  Rows beta(observations.size(), std::vector<double>(n, 1));
  for (size_t t = observations.size() - 1; t-- > 0;)
    for (size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (size_t j = 0; j < n; ++j)
        sum += model.transitions[i * n + j] * model.emissions[observations[t + 1] * n + j] *
               beta[t + 1][j];
      beta[t][i] = sum / scale[t + 1];
    }
  return beta;
}

double logOf(const std::vector<double> &scale) {
  double sum = 0;
  for (double factor : scale)
    sum += std::log(factor);
  return sum;
}

/// The largest error in units of what is allowed; infinity for what is not a number.
double worst(const std::vector<float> &found, const std::vector<double> &expected) {
  double result = found.size() == expected.size() ? 0 : INFINITY;
  for (size_t i = 0; result < INFINITY && i < found.size(); ++i) {
    const double error = std::abs(found[i] - expected[i]) / (kTolerance * (expected[i] + kFloor));
    result = std::isnan(error) ? INFINITY : std::max(result, error);
  }
  return result;
}

/// Numbers from 0.5 to 1.5.
std::vector<float> guesses(size_t count, Random &random) {
  std::vector<float> result(count);
  for (float &value : result)
    value = random.uniform(0.5f, 1.5f);
  return result;
}

/// Divides `count` numbers, `stride` apart, by their sum.
void normalise(float *values, size_t count, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += values[i * stride];
  for (size_t i = 0; i < count; ++i)
    values[i * stride] = static_cast<float>(values[i * stride] / sum);
}

/// How far from 1 the sum of `count` numbers is, `stride` apart.
double excess(const float *values, size_t count, size_t stride) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += values[i * stride];
  return std::abs(sum - 1);
}

double worstExcess(const Shape &shape, const Model &model) {
  double result = excess(model.start.data(), shape.states, 1);
  for (size_t i = 0; i < shape.states; ++i) {
    result = std::max(result, excess(&model.transitions[i * shape.states], shape.states, 1));
    result = std::max(result, excess(&model.emissions[i], shape.symbols, shape.states));
  }
  return result;
}

} // namespace

Observations observations(const Shape &shape, uint64_t seed) {
  Random random(seed);
  Observations result;
  uint32_t state = random.below(shape.states);
  for (uint32_t t = 0; t < shape.length; ++t) {
    result.push_back(random.uniform() < 0.8f ? state % shape.symbols : random.below(shape.symbols));
    const float move = random.uniform();
    if (move >= 0.9f)
      state = random.below(shape.states);
    else if (move >= 0.6f)
      state = (state + 1) % shape.states;
  }
  return result;
}

Model firstGuess(const Shape &shape, uint64_t seed) {
  Random random(~seed);
  const size_t n = shape.states;
  Model model{guesses(n, random), guesses(n * n, random), guesses(n * shape.symbols, random)};
  normalise(model.start.data(), n, 1);
  for (size_t i = 0; i < n; ++i) {
    normalise(&model.transitions[i * n], n, 1);
    normalise(&model.emissions[i], shape.symbols, n);
  }
  return model;
}

Estimate reestimate(const Shape &shape, const Estimate &model, const Observations &observations) {
  const size_t n = shape.states;
  const size_t last = observations.size() - 1;
  const auto [alpha, scale] = forward(shape, model, observations);
  const Rows beta = backward(shape, model, observations, scale);
  Estimate result{std::vector<double>(n), std::vector<double>(n * n),
                  std::vector<double>(n * shape.symbols), scale};
  std::vector<double> left(n); // how often a state was left
  std::vector<double> visited(n);
  for (size_t t = 0; t <= last; ++t)
    for (size_t i = 0; i < n; ++i) {
      const double gamma = alpha[t][i] * beta[t][i];
      if (t == 0)
        result.start[i] = gamma;
      if (t < last)
        left[i] += gamma;
      visited[i] += gamma;
      result.emissions[observations[t] * n + i] += gamma;
      for (size_t j = 0; t < last && j < n; ++j)
        result.transitions[i * n + j] += alpha[t][i] * model.transitions[i * n + j] *
                                         model.emissions[observations[t + 1] * n + j] *
                                         beta[t + 1][j] / scale[t + 1];
    }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j)
      result.transitions[i * n + j] =
          left[i] > 0 ? result.transitions[i * n + j] / left[i] : 1.0 / n;
    for (size_t k = 0; k < shape.symbols; ++k)
      result.emissions[k * n + i] =
          visited[i] > 0 ? result.emissions[k * n + i] / visited[i] : 1.0 / shape.symbols;
  }
  return result;
}

Estimate inDoublePrecision(const Model &model) {
  const auto wide = [](const std::vector<float> &v) {
    return std::vector<double>(v.begin(), v.end());
  };
  return {wide(model.start), wide(model.transitions), wide(model.emissions), {}};
}

double logLikelihood(const Shape &shape, const Estimate &model, const Observations &observations) {
  return logOf(forward(shape, model, observations).scale);
}

Verdict checkTraining(const Shape &shape, const Model &guess, const Observations &observations,
                      const std::vector<Iteration> &iterations) {
  using Part = std::tuple<const char *, const std::vector<float> &, const std::vector<double> &>;
  const double allowedExcess = (std::max(shape.states, shape.symbols) + 8) * 0x1p-24;
  double error = 0;
  std::vector<double> logs;
  const Model *before = &guess;
  for (const auto &[model, scale] : iterations) {
    const Estimate expected = reestimate(shape, inDoublePrecision(*before), observations);
    for (const auto &[what, found, reference] :
         {Part{"scale factors", scale, expected.scale},
          Part{"start probabilities", model.start, expected.start},
          Part{"transition probabilities", model.transitions, expected.transitions},
          Part{"emission probabilities", model.emissions, expected.emissions}}) {
      const double here = worst(found, reference);
      if (!(here <= 1))
        return {false, fmt::format("iteration {}: {} differ from the reference, {:.2g} times what "
                                   "is allowed",
                                   logs.size(), what, here)};
      error = std::max(error, here);
    }
    const double excess = worstExcess(shape, model);
    if (!(excess <= allowedExcess))
      return {false,
              fmt::format("iteration {}: probabilities sum to 1 within {:.2g}, allowed {:.2g}",
                          logs.size(), excess, allowedExcess)};
    logs.push_back(logOf({scale.begin(), scale.end()}));
    before = &model;
  }
  logs.push_back(logLikelihood(shape, inDoublePrecision(*before), observations));
  const double slack = kTolerance * shape.length;
  for (size_t i = 1; i < logs.size(); ++i)
    if (!(logs[i] >= logs[i - 1] - slack))
      return {false, fmt::format("iteration {}: the logarithm of the likelihood fell from {} to {}",
                                 i - 1, logs[i - 1], logs[i])};
  return {true, fmt::format("{} iterations, largest relative difference from double precision "
                            "{:.2g}, allowed {:.2g}; logarithm of the likelihood {:.6g} to {:.6g}",
                            iterations.size(), error * kTolerance, kTolerance, logs.front(),
                            logs.back())};
}

} // namespace aiwc::eod::hmm
