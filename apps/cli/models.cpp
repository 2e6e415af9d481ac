#include "models.h"

#include "automatch/automatch_model.h"
#include "idiom_model/idiom_model.h"
#include "text/text.h"

#include <fmt/format.h>

#include <string_view>

namespace aiwc::cli {

void addModelOptions(Command command, ModelOptions &options) {
  command
      .option(
          "--model", &options.model,
          "published: fitted to measured times; automatch: AutoMatch's equations; idiom: measured "
          "bandwidths of idioms; or a file that aiwc-model train wrote")
      .type("published|automatch|idiom|FILE")
      .showDefault();
}

std::string noteOnClock(predict::Clock clock, bool isOfMeasured) {
  const std::string_view what =
      clock == predict::Clock::kKernel      ? "from a kernel's start to its end"
      : clock == predict::Clock::kPipelined ? "of launches queued one after another"
                                            : "from queueing a kernel, with none before it";
  return fmt::format("times are {}{}", what, isOfMeasured ? ", as the measured ones" : "");
}

std::unique_ptr<predict::FittedCostModel> fittedModel(const std::string &model,
                                                      predict::Clock clock) {
  if (model == "published")
    return std::make_unique<predict::FittedCostModel>(
        "published", predict::FittedModel(predict::publishedModel().model()), clock);
  return std::make_unique<predict::FittedCostModel>(text::printable(model, 4096),
                                                    predict::readModel(model), clock);
}

std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options, predict::Clock clock) {
  if (options.model == "automatch")
    return std::make_unique<automatch::AutomatchModel>();
  if (options.model == "idiom")
    return std::make_unique<idiom_model::IdiomModel>();
  return fittedModel(options.model, clock);
}

} // namespace aiwc::cli
