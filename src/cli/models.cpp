#include "models.h"

#include "automatch/automatch_model.h"
#include "idiom_model/idiom_model.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/text.h"

namespace aiwc::cli {

void addModelOptions(CLI::App &command, ModelOptions &options) {
  command
      .add_option(
          "--model", options.model,
          "published: fitted to measured times; automatch: AutoMatch's equations; idiom: measured "
          "bandwidths of idioms; or a file that aiwc train wrote")
      ->type_name("published|automatch|idiom|FILE")
      ->capture_default_str();
}

std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options) {
  if (options.model == "automatch")
    return std::make_unique<automatch::AutomatchModel>();
  if (options.model == "idiom")
    return std::make_unique<idiom_model::IdiomModel>();
  if (options.model == "published")
    return std::make_unique<predict::FittedCostModel>(predict::publishedModel());
  return std::make_unique<predict::FittedCostModel>(profile::printable(options.model, 4096),
                                                    predict::readModel(options.model));
}

} // namespace aiwc::cli
