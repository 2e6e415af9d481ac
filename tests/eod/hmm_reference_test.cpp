#include "eod/hmm/hmm_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace aiwc::eod;
using hmm::Estimate;
using hmm::Iteration;
using hmm::Model;
using hmm::Observations;
using hmm::Shape;

namespace {

/// Expected counts by summing over all paths through the states: the definition.
struct BruteForce {
  Shape shape;
  const Estimate &model;
  const Observations &seen;
  double likelihood = 0;
  std::vector<double> start, moves, left, emitted, visited;

  BruteForce(const Shape &s, const Estimate &m, const Observations &o)
      : shape(s), model(m), seen(o), start(s.states), moves(s.states * s.states), left(s.states),
        emitted(s.states * s.symbols), visited(s.states) {
    std::vector<uint32_t> path;
    extend(path, 1);
  }

  void extend(std::vector<uint32_t> &path, double probability) {
    const uint32_t n = shape.states;
    if (path.size() == seen.size())
      return count(path, probability);
    for (uint32_t j = 0; j < n; ++j) {
      const double come = path.empty() ? model.start[j] : model.transitions[path.back() * n + j];
      path.push_back(j);
      extend(path, probability * come * model.emissions[seen[path.size() - 1] * n + j]);
      path.pop_back();
    }
  }

  void count(const std::vector<uint32_t> &path, double probability) {
    const uint32_t n = shape.states;
    likelihood += probability;
    start[path[0]] += probability;
    for (size_t t = 0; t < path.size(); ++t) {
      visited[path[t]] += probability;
      emitted[seen[t] * n + path[t]] += probability;
      if (t + 1 < path.size()) {
        left[path[t]] += probability;
        moves[path[t] * n + path[t + 1]] += probability;
      }
    }
  }
};

Model rounded(const Estimate &estimate) {
  const auto narrow = [](const std::vector<double> &v) {
    return std::vector<float>(v.begin(), v.end());
  };
  return {narrow(estimate.start), narrow(estimate.transitions), narrow(estimate.emissions)};
}

/// What a device does, up to rounding.
std::vector<Iteration> train(const Shape &shape, const Model &guess, const Observations &seen,
                             int iterations) {
  std::vector<Iteration> done;
  for (int i = 0; i < iterations; ++i) {
    const Model &before = done.empty() ? guess : done.back().model;
    const Estimate next = hmm::reestimate(shape, hmm::inDoublePrecision(before), seen);
    done.push_back({rounded(next), {next.scale.begin(), next.scale.end()}});
  }
  return done;
}

const Shape kShape{.states = 6, .symbols = 4, .length = 12};

} // namespace

TEST_CASE("a re-estimation is the ratio of expected counts over all paths") {
  for (const Shape &shape : {Shape{.states = 3, .symbols = 2, .length = 6},
                             Shape{.states = 2, .symbols = 3, .length = 8},
                             Shape{.states = 4, .symbols = 1, .length = 2}}) {
    const Estimate model = hmm::inDoublePrecision(hmm::firstGuess(shape, 3));
    const Observations seen = hmm::observations(shape, 3);
    const BruteForce brute(shape, model, seen);
    const Estimate found = hmm::reestimate(shape, model, seen);
    CHECK(hmm::logLikelihood(shape, model, seen) ==
          Approx(std::log(brute.likelihood)).margin(1e-9));
    for (uint32_t i = 0; i < shape.states; ++i) {
      CHECK(found.start[i] == Approx(brute.start[i] / brute.likelihood));
      for (uint32_t j = 0; j < shape.states; ++j)
        CHECK(found.transitions[i * shape.states + j] ==
              Approx(brute.moves[i * shape.states + j] / brute.left[i]));
      for (uint32_t k = 0; k < shape.symbols; ++k)
        CHECK(found.emissions[k * shape.states + i] ==
              Approx(brute.emitted[k * shape.states + i] / brute.visited[i]));
    }
  }
}

TEST_CASE("a single state: emissions become the frequencies of the symbols") {
  const Shape shape{.states = 1, .symbols = 3, .length = 4};
  const Estimate found =
      hmm::reestimate(shape, hmm::inDoublePrecision(hmm::firstGuess(shape, 1)), {2, 0, 2, 2});
  CHECK(found.transitions == std::vector<double>{1});
  CHECK(found.emissions[0] == Approx(0.25));
  CHECK(found.emissions[1] == 0);
  CHECK(found.emissions[2] == Approx(0.75));
}

TEST_CASE("a state that is never visited gets equal probabilities") {
  const Shape shape{.states = 2, .symbols = 2, .length = 3};
  const Estimate found =
      hmm::reestimate(shape, {{1, 0}, {1, 0, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5}, {}}, {0, 1, 1});
  CHECK(found.transitions == std::vector<double>{1, 0, 0.5, 0.5});
  CHECK(found.emissions[1] == 0.5);
  CHECK(found.emissions[3] == 0.5);
}

TEST_CASE("the likelihood never falls") {
  const Observations seen = hmm::observations(kShape, 2);
  Estimate model = hmm::inDoublePrecision(hmm::firstGuess(kShape, 2));
  double last = hmm::logLikelihood(kShape, model, seen);
  const double first = last;
  for (int i = 0; i < 30; ++i) {
    model = hmm::reestimate(kShape, model, seen);
    const double now = hmm::logLikelihood(kShape, model, seen);
    CHECK(now >= last - 1e-12);
    last = now;
  }
  CHECK(last > first + 1);
}

TEST_CASE("iterations in double precision pass") {
  for (const Shape &shape : {kShape, Shape{.states = 8, .symbols = 1}}) {
    const Model guess = hmm::firstGuess(shape, 1);
    const Observations seen = hmm::observations(shape, 1);
    CHECK(hmm::checkTraining(shape, guess, seen, train(shape, guess, seen, 5)).passed);
  }
}

TEST_CASE("a wrong number fails, whichever it is") {
  const Model guess = hmm::firstGuess(kShape, 1);
  const Observations seen = hmm::observations(kShape, 1);
  const std::vector<Iteration> right = train(kShape, guess, seen, 2);
  const auto fails = [&](std::vector<float> &(*part)(Iteration &)) {
    for (size_t iteration : {0, 1}) {
      Iteration copy = right[iteration];
      for (size_t i = 0; i < part(copy).size(); ++i) {
        if (part(copy)[i] < 1e-6f)
          continue;
        for (float factor : {1.001f, std::numeric_limits<float>::quiet_NaN()}) {
          std::vector<Iteration> wrong = right;
          part(wrong[iteration])[i] *= factor;
          CHECK_FALSE(hmm::checkTraining(kShape, guess, seen, wrong).passed);
        }
      }
    }
  };
  fails([](Iteration &i) -> std::vector<float> & { return i.scale; });
  fails([](Iteration &i) -> std::vector<float> & { return i.model.start; });
  fails([](Iteration &i) -> std::vector<float> & { return i.model.transitions; });
  fails([](Iteration &i) -> std::vector<float> & { return i.model.emissions; });
}

TEST_CASE("the guess in place of the result, and a result of another size, fail") {
  const Model guess = hmm::firstGuess(kShape, 1);
  const Observations seen = hmm::observations(kShape, 1);
  std::vector<Iteration> wrong = train(kShape, guess, seen, 1);
  wrong[0].model = guess;
  CHECK_FALSE(hmm::checkTraining(kShape, guess, seen, wrong).passed);
  wrong = train(kShape, guess, seen, 1);
  wrong[0].scale.pop_back();
  CHECK_FALSE(hmm::checkTraining(kShape, guess, seen, wrong).passed);
}

TEST_CASE("probabilities of the first guess sum to 1 and are all positive") {
  const Model guess = hmm::firstGuess(kShape, 7);
  for (uint32_t i = 0; i < kShape.states; ++i) {
    double transitions = 0, emissions = 0;
    for (uint32_t j = 0; j < kShape.states; ++j)
      transitions += guess.transitions[i * kShape.states + j];
    for (uint32_t k = 0; k < kShape.symbols; ++k)
      emissions += guess.emissions[k * kShape.states + i];
    CHECK(transitions == Approx(1).epsilon(1e-6));
    CHECK(emissions == Approx(1).epsilon(1e-6));
    CHECK(guess.start[i] > 0);
  }
}

TEST_CASE("observations are symbols and depend on the seed alone") {
  const Shape shape{.states = 5, .symbols = 7, .length = 1000};
  const Observations seen = hmm::observations(shape, 1);
  CHECK(seen.size() == 1000);
  for (uint32_t symbol : seen)
    CHECK(symbol < 7);
  CHECK(seen == hmm::observations(shape, 1));
  CHECK(seen != hmm::observations(shape, 2));
}

TEST_CASE("--list of hmm: a, b, sixteen rows of alpha and beta, and vectors") {
  const test::Outcome outcome = test::run("hmm", "--list");
  REQUIRE(outcome.status == 0);
  const std::tuple<const char *, double, double> sizes[] = {
      {"tiny", 8, 1}, {"small", 900, 1}, {"medium", 1012, 1024}, {"large", 2048, 2048}};
  for (const auto &[size, states, symbols] : sizes) {
    const double ones = std::max({states, symbols, 16.0});
    const double numbers = states * (states + symbols + 2 * 16 + 3) + ones + 17 + 16;
    CHECK(test::listed(outcome.out, size, 2) == Approx(numbers * 4 / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(numbers * 4 / 1024).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("16 observations (--length), 2 iterations"));
}

TEST_CASE("hmm refuses what is no model or does not fit") {
  test::checkRefused("hmm", {{"--states 0", "expected 1 or more"},
                             {"--symbols 0", "expected 1 or more"},
                             {"--iterations 0", "expected 1 or more"},
                             {"--length 1", "expected 2 to 1000000"},
                             {"--states 65536", "expected at most 65534 with tables of"},
                             {"--states 100000 --symbols 100000", "expected at most"},
                             {"--states 2048 --iterations 1000", "expected at most"},
                             {"--states 8 --size tiny", "excludes"}});
}
