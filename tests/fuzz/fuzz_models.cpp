/// libFuzzer: any bytes as a fitted model. Nothing but aiwc::Error may come out; a model that was
/// read is the same when it is written and read again, and predicts finite times.
#include "predict/fitted/fitted_model.h"
#include "round_trip.h"
#include "train/made_up.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace {

using namespace aiwc;

std::optional<predict::FittedModel> modelIn(std::string_view text) {
  try {
    return predict::modelFromJson(text, "fuzz");
  } catch (const Error &) {
    return std::nullopt;
  }
}

/// On a device of every class: a model may have some of them only.
void requireTimes(const predict::FittedModel &model) {
  static const predict::LaunchDemand demand = predict::demandOf(test::profileOf({}));
  static const predict::DeviceProfile devices[] = {test::madeUpCpu(), test::madeUpGpu(),
                                                   test::madeUpGpu("amd", "AMD"),
                                                   test::madeUpGpu("other", "Somebody")};
  for (const predict::DeviceProfile &device : devices) {
    const predict::TimeEstimate estimate = predict::estimate(model, demand, device, true);
    fuzz::require(estimate.micros > 0);
    const predict::PartTimes parts = predict::errorPartsOf(predict::byCoefficient(estimate.terms));
    const predict::Interval ends = predict::intervalOf(parts, model.errorFactorsFor(device));
    fuzz::require(std::isfinite(ends.high) && ends.low <= estimate.micros &&
                  estimate.micros <= ends.high);
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto model = modelIn({reinterpret_cast<const char *>(data), size});
  if (!model)
    return 0;
  requireTimes(*model);
  const std::string written = predict::toJson(*model);
  const auto again = modelIn(written);
  fuzz::require(again && predict::toJson(*again) == written);
  return 0;
}
