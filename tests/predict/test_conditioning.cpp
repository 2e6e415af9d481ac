// Times that follow from those of another device, against closed forms.
#include "predict/correlated_errors.h"
#include "predict/prediction.h"
#include "predict/report.h"
#include "predict/what_if.h"
#include "speed_model.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

/// Of which errors have these standard deviations, by device, and this correlation.
class ErringModel : public SpeedModel {
public:
  ErringModel(std::map<std::string, double> deviations, double correlation)
      : deviations_(std::move(deviations)), correlation_(correlation) {}

  std::optional<Interval> interval(const DeviceProfile &device, const Cost &cost,
                                   double transferSeconds) const override {
    const double end = std::exp(kHalfInterval * deviations_.at(device.id));
    return Interval{cost.seconds / end + transferSeconds / 2,
                    cost.seconds * end + transferSeconds * 2};
  }
  double errorCorrelation() const override { return correlation_; }
  std::span<const TermInfo> parts() const override {
    static constexpr std::array kParts = {TermInfo{"compute", "compute", Term::kCompute}};
    return kParts;
  }

private:
  std::map<std::string, double> deviations_;
  double correlation_;
};

/// Kernels of 100 work-items on machines of the same speed, unless a test says otherwise.
struct Predicted {
  ErringModel model;
  std::vector<Invocation> invocations = {};
  std::vector<Candidate> candidates = {};
  std::vector<DeviceProfile> measuredOn = {};

  Predicted(std::map<std::string, double> deviations, double correlation)
      : model(deviations, correlation) {
    for (const auto &[id, deviation] : deviations)
      candidates.push_back({machine(id, {.speed = 100}), ""});
    measuredOn = {candidates.front().device};
  }
  /// A launch that is predicted to take this, and what it took on the first device (0: nobody
  /// knows).
  void launch(const std::string &kernel, double predicted, double measured = 0) {
    auto profile = profileOf({static_cast<uint64_t>(100 * predicted), 1, 1}, {1, 1, 1});
    profile.provenance.kernel = kernel;
    invocations.emplace_back(kernel, profile, model);
    if (measured > 0)
      invocations.back().measured[measuredOn.front().id] = measured;
  }
  Prediction operator()() const { return predict(invocations, candidates, 0, measuredOn); }
};

double deviationOf(const Entry &entry) {
  return std::log(entry.interval->high / entry.interval->low) / (2 * kHalfInterval);
}

/// What measuring again adds to the variance of an observed error.
constexpr double kRepeat = kRepeatedTime / kHalfInterval;

} // namespace

TEST_CASE("an error on one device conditions that on another: mean, variance and the rest") {
  constexpr double kRho = 0.6;
  CorrelatedErrors errors(3, [](size_t, size_t) { return kRho; });
  CHECK(errors.mean(1) == 0);
  CHECK(errors.deviation(1) == 1);
  CHECK(errors.correlation(1, 2) == Approx(kRho));
  errors.observe(0, 2, 0);
  CHECK(errors.mean(0) == Approx(2));
  CHECK(errors.deviation(0) == Approx(0).margin(1e-9));
  CHECK(errors.mean(1) == Approx(kRho * 2));
  CHECK(errors.deviation(1) == Approx(std::sqrt(1 - kRho * kRho)));
  CHECK(errors.correlation(1, 2) == Approx(kRho / (1 + kRho)));
  CHECK(errors.correlation(0, 1) == 0);
}

TEST_CASE("errors on two devices condition a third as the trivariate normal says, in any order") {
  constexpr double kRho = 0.5;
  for (const bool isFirst : {true, false}) {
    CorrelatedErrors errors(3, [](size_t, size_t) { return kRho; });
    errors.observe(isFirst ? 0 : 1, isFirst ? 1 : -0.4, 0);
    errors.observe(isFirst ? 1 : 0, isFirst ? -0.4 : 1, 0);
    // rho (z1 + z2) / (1 + rho), 1 - 2 rho^2 / (1 + rho)
    CHECK(errors.mean(2) == Approx(kRho * 0.6 / (1 + kRho)));
    CHECK(errors.deviation(2) == Approx(std::sqrt(1 - 2 * kRho * kRho / (1 + kRho))));
  }
}

TEST_CASE("noise weakens what is observed") {
  CorrelatedErrors errors(2, [](size_t, size_t) { return 0.8; });
  errors.observe(0, 1, 0.5);
  CHECK(errors.mean(1) == Approx(0.8 / 1.25));
  CHECK(errors.deviation(1) == Approx(std::sqrt(1 - 0.64 / 1.25)));
}

TEST_CASE("several launches of a kernel have one error, known to their spread") {
  const ObservedError one = observedErrorOf({{3, 2}});
  CHECK(one.ln == Approx(std::log(1.5)));
  CHECK(one.noise == Approx(kRepeat)); // never zero
  CHECK(one.repeat == Approx(kRepeat));
  // Three of one size: e^-0.3, 1 and e^0.3 of what is predicted.
  const ObservedError three = observedErrorOf({{std::exp(-0.3), 1}, {1, 1}, {std::exp(0.3), 1}});
  CHECK(three.ln == Approx(std::log((1 + 2 * std::cosh(0.3)) / 3)));
  CHECK(three.noise == Approx(0.3 / std::sqrt(3)));
  CHECK(three.repeat == Approx(three.noise));
  // Of two sizes: what the model does not know of the sizes is no spread of the measured times.
  const ObservedError sizes = observedErrorOf({{1, 1}, {1, 1}, {4, 2}, {4, 2}});
  CHECK(sizes.ln == Approx(std::log(10.0 / 6)));
  CHECK(sizes.noise == Approx(std::log(2) / std::sqrt(3) / 2));
  CHECK(sizes.repeat == Approx(kRepeat));
}

TEST_CASE("the measured device shows what it took, and others what follows from it") {
  constexpr double kRho = 0.6;
  Predicted predicted({{"mine", 0.4}, {"other", 0.2}}, kRho);
  predicted.launch("k", 2, 3);
  const Prediction prediction = predicted();
  const Entry &mine = prediction.devices[0].kernels[0];
  CHECK(mine.source == TimeSource::kMeasured);
  CHECK(mine.seconds == Approx(3));
  CHECK(mine.cost.seconds == Approx(3));
  CHECK(mine.unconditioned == Approx(2));
  CHECK(mine.interval->low == Approx(3 / std::exp(kRepeatedTime)));
  CHECK(mine.interval->high == Approx(3 * std::exp(kRepeatedTime)));
  CHECK(mine.measured->ratio() == Approx(1.5));
  const Entry &other = prediction.devices[1].kernels[0];
  CHECK(other.source == TimeSource::kConditioned);
  const double known = 0.16 / (0.16 + kRepeat * kRepeat); // of the variance of the error on mine
  CHECK(other.seconds == Approx(2 * std::exp(kRho * 0.2 / 0.4 * known * std::log(1.5))));
  CHECK(deviationOf(other) == Approx(0.2 * std::sqrt(1 - kRho * kRho * known)));
  CHECK(other.unconditioned == Approx(2));
  CHECK(prediction.devices[1].application.seconds == Approx(other.seconds));
  CHECK(prediction.devices[1].application.source == TimeSource::kConditioned);
  CHECK(prediction.kernels[0].measuredOn == std::map<std::string, uint64_t>{{"mine", 1}});
}

TEST_CASE("uncorrelated errors say nothing, and nearly equal ones scale by the measured ratio") {
  for (const double rho : {0.0, 0.999999}) {
    INFO(rho);
    Predicted predicted({{"mine", 0.5}, {"other", 0.5}}, rho);
    predicted.launch("k", 2, 6);
    const Entry other = predicted().devices[1].kernels[0];
    predicted.measuredOn.clear();
    const Entry before = predicted().devices[1].kernels[0];
    CHECK(other.seconds / before.seconds == Approx(rho == 0 ? 1 : 3).epsilon(0.01));
    CHECK(deviationOf(other) == Approx(rho == 0 ? 0.5 : kRepeat).epsilon(0.01));
    if (rho == 0) {
      CHECK(other.seconds == before.seconds);
      CHECK(other.interval->low == Approx(before.interval->low));
    }
  }
}

TEST_CASE("launches of a kernel that were not measured take as long as those that were") {
  Predicted predicted({{"mine", 0.4}, {"other", 0.4}}, 0.5);
  predicted.launch("k", 2, 3);
  predicted.launch("k", 2);
  const Prediction prediction = predicted();
  CHECK(prediction.devices[0].kernels[0].seconds == Approx(6));
  CHECK(prediction.devices[0].kernels[0].measured->launches == 1);
}

TEST_CASE("a kernel that was not measured is as it was") {
  Predicted predicted({{"mine", 0.4}, {"other", 0.4}}, 0.5);
  predicted.launch("k", 2, 3);
  predicted.launch("l", 4);
  const Prediction prediction = predicted();
  predicted.measuredOn.clear();
  const Prediction before = predicted();
  for (size_t i = 0; i < 2; ++i) {
    const Entry &entry = prediction.devices[i].kernels[1];
    CHECK(entry.seconds == before.devices[i].kernels[1].seconds);
    CHECK(entry.interval->low == before.devices[i].kernels[1].interval->low);
    CHECK(entry.source == TimeSource::kPredicted);
    const Entry &all = prediction.devices[i].application;
    CHECK(all.seconds == Approx(prediction.devices[i].kernels[0].seconds + 4));
    CHECK(all.source == TimeSource::kConditioned);
  }
  CHECK(prediction.kernels[1].measuredOn.empty());
}

TEST_CASE("the probability of being faster is that of what is left of the errors") {
  constexpr double kRho = 0.6;
  constexpr double kDeviation = 0.4;
  Predicted predicted({{"a-mine", kDeviation}, {"b", kDeviation}, {"c", kDeviation}}, kRho);
  predicted.candidates[0].device = machine("a-mine", {.speed = 10}); // the slowest
  predicted.measuredOn = {predicted.candidates[0].device};
  predicted.candidates[2].device = machine("c", {.speed = 80});
  predicted.launch("k", 2, 30);
  const Prediction prediction = predicted();
  // b and c by hand: variance 1 - rho^2 q, covariance rho - rho^2 q, q close to 1.
  const double variance = kDeviation * kDeviation;
  const double q = variance / (variance + kRepeat * kRepeat);
  const double deviation =
      kDeviation * std::sqrt(2 * ((1 - kRho * kRho * q) - (kRho - kRho * kRho * q)));
  const double expected = std::erfc(std::log(1.25) / deviation / std::sqrt(2)) / 2;
  for (const Entry *entry :
       {&prediction.devices[2].kernels[0], &prediction.devices[2].application}) {
    REQUIRE(entry->againstBest);
    CHECK(entry->againstBest->probability == Approx(expected));
    CHECK(entry->relative == Approx(1.25));
  }
  // The error of a measured device has nothing to do with what is left of b's.
  const double b = kDeviation * std::sqrt(1 - kRho * kRho * q);
  const double ratio = 30 / prediction.devices[1].kernels[0].seconds;
  CHECK(
      prediction.devices[0].kernels[0].againstBest->probability ==
      Approx(std::erfc(std::log(ratio) / std::hypot(b, kRepeat) / std::sqrt(2)) / 2).margin(1e-4));
}

TEST_CASE("a measured device need not be predicted, and transfers stay what they are") {
  Predicted predicted({{"mine", 0.4}, {"other", 0.2}}, 0.6);
  predicted.launch("k", 2, 3);
  const double expected = predicted().devices[1].kernels[0].seconds;
  std::erase_if(predicted.candidates,
                [](const Candidate &candidate) { return candidate.device.id == "mine"; });
  const Prediction prediction = predicted();
  REQUIRE(prediction.devices.size() == 1);
  CHECK(prediction.devices[0].kernels[0].seconds == Approx(expected));

  Predicted moving({{"mine", 0.4}, {"other", 0.2}}, 0.6);
  moving.invocations.emplace_back("k", profileOf({200, 1, 1}, {1, 1, 1}, 1'000'000'000),
                                  moving.model);
  moving.invocations[0].measured["mine"] = 3;
  const Entry entry =
      predict(moving.invocations, moving.candidates, 1, moving.measuredOn).devices[1].kernels[0];
  CHECK(entry.transferSeconds == Approx(1));
  CHECK(entry.seconds == Approx(expected + 1));
  CHECK(entry.interval->low == Approx(prediction.devices[0].kernels[0].interval->low + 0.5));
  CHECK(entry.interval->high == Approx(prediction.devices[0].kernels[0].interval->high + 2));
}

TEST_CASE("a device with another parameter was not measured, but errs as the measured one") {
  Predicted predicted({{"mine", 0.4}, {"other", 0.4}}, 0.5);
  predicted.candidates[1] = {machine("mine", {.speed = 200}), "fp32_rate=2x"};
  predicted.launch("k", 2, 6);
  const Prediction prediction = predicted();
  CHECK(prediction.devices[1].kernels[0].source == TimeSource::kConditioned);
  CHECK_FALSE(prediction.devices[1].kernels[0].measured);
  CHECK(prediction.devices[1].kernels[0].seconds > 1);
}

TEST_CASE("the table and JSON say what the times follow from") {
  Predicted predicted({{"mine", 0.4}, {"other", 0.4}}, 0.5);
  for (int i = 0; i < 3; ++i)
    predicted.launch("k", 2, 3);
  predicted.launch("l", 4);
  const Prediction prediction = predicted();
  CHECK_THAT(toTable(prediction),
             Contains("k, 3 launches; from 3 times measured on mine\n") &&
                 Contains("l, 1 launch\n") &&
                 Contains("these kernels together, 4 launches; from 3 times measured on mine\n"));
  const auto json = nlohmann::json::parse(toJson(prediction));
  CHECK(json["kernels"][0]["measured_on"] == nlohmann::json({{"mine", 3}}));
  CHECK(json["kernels"][1]["measured_on"].empty());
  for (const auto &device : json["kernels"][0]["devices"]) {
    CHECK(device["time_is"] == (device["device"] == "mine" ? "measured" : "conditioned"));
    CHECK(device["predicted_us"].get<double>() == Approx(6e6));
  }
  CHECK(json["kernels"][1]["devices"][0]["time_is"] == "predicted");
}
