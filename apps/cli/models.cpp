#include "models.h"

#include "automatch/automatch_model.h"
#include "idiom_model/idiom_model.h"
#include "predict/fitted/fitted_cost_model.h"
#include "text/text.h"

namespace aiwc::cli {

void addModelOptions(Command command, ModelOptions &options) {
  command
      .option(
          "--model", &options.model,
          "published: fitted to measured times; automatch: AutoMatch's equations; idiom: measured "
          "bandwidths of idioms; or a file that aiwc model train wrote")
      .type("published|automatch|idiom|FILE")
      .showDefault();
}

std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options, predict::Clock clock) {
  if (options.model == "automatch")
    return std::make_unique<automatch::AutomatchModel>();
  if (options.model == "idiom")
    return std::make_unique<idiom_model::IdiomModel>();
  if (options.model == "published")
    return std::make_unique<predict::FittedCostModel>(
        "published", predict::FittedModel(predict::publishedModel().model()), clock);
  return std::make_unique<predict::FittedCostModel>(text::printable(options.model, 4096),
                                                    predict::readModel(options.model), clock);
}

} // namespace aiwc::cli
