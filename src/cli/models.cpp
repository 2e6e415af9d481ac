#include "models.h"

#include "common/error.h"
#include "predict/execution_cost.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/idiom_cost.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <map>

namespace aiwc::cli {

namespace {

const std::map<std::string, predict::Precision> kPrecisions = {
    {"profiled", predict::Precision::kAsProfiled},
    {"single", predict::Precision::kSingle},
    {"double", predict::Precision::kDouble},
};

} // namespace

void addModelOptions(CLI::App &command, ModelOptions &options) {
  command
      .add_option(
          "--model", options.model,
          "published: fitted to measured times; automatch: AutoMatch's equations; idiom: measured "
          "bandwidths of idioms; or a file that aiwc train wrote")
      ->type_name("published|automatch|idiom|FILE")
      ->capture_default_str();
  command
      .add_option("--precision", options.precision,
                  "With --model automatch: floating-point work as profiled, or all of it single or "
                  "double")
      ->check(CLI::IsMember({"profiled", "single", "double"}))
      ->capture_default_str();
}

std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options,
                                                std::string_view what) {
  if (options.model == "automatch")
    return std::make_unique<predict::ExecutionCostModel>(kPrecisions.at(options.precision));
  if (options.precision != "profiled")
    throw Error(fmt::format("{}: --precision {}: expected --model automatch with it", what,
                            options.precision));
  if (options.model == "idiom")
    return std::make_unique<predict::IdiomCostModel>();
  if (options.model == "published")
    return std::make_unique<predict::FittedCostModel>(predict::publishedModel());
  return std::make_unique<predict::FittedCostModel>(profile::printable(options.model, 4096),
                                                    predict::readModel(options.model));
}

} // namespace aiwc::cli
