#include "automatch/automatch_model.h"
#include "boundary.h"
#include "handles.h"

#include <fmt/format.h>

#include <memory>

using aiwc::capi::Failure;
using aiwc::capi::given;
using aiwc::capi::guarded;

aiwc_status aiwc_model_read(const char *path, aiwc_model **model) {
  return guarded(AIWC_BAD_FILE, [&] {
    const char &first = given(path, "path");
    aiwc_model *&result = given(model, "model");
    auto read = std::make_unique<aiwc_model>();
    read->model =
        std::make_shared<aiwc::predict::FittedCostModel>(&first, aiwc::predict::readModel(&first));
    result = read.release();
  });
}

void aiwc_model_free(aiwc_model *model) {
  delete model;
}

aiwc_status aiwc_options_new(aiwc_options **options) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options *&result = given(options, "options"); // looked at before there is one to lose
    result = std::make_unique<aiwc_options>().release();
  });
}

void aiwc_options_free(aiwc_options *options) {
  delete options;
}

aiwc_status aiwc_options_set_transfers(aiwc_options *options, double exposed) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options &chosen = given(options, "options");
    if (!(exposed >= 0 && exposed <= 1))
      throw Failure(
          AIWC_BAD_ARGUMENT,
          fmt::format("exposed is {:g}: expected 0 (hidden) to 1 (all exposed)", exposed));
    chosen.transfers = exposed;
  });
}

aiwc_status aiwc_options_set_whole_input(aiwc_options *options, int whole) {
  return guarded(AIWC_INTERNAL, [&] { given(options, "options").wholeInput = whole != 0; });
}

aiwc_status aiwc_options_set_model(aiwc_options *options, const aiwc_model *model) {
  return guarded(AIWC_INTERNAL,
                 [&] { given(options, "options").chosenModel = model ? model->model : nullptr; });
}

aiwc_status aiwc_options_set_automatch(aiwc_options *options) {
  return guarded(AIWC_INTERNAL, [&] {
    given(options, "options").chosenModel = std::make_shared<aiwc::automatch::AutomatchModel>();
  });
}

aiwc_status aiwc_options_set_dimension(aiwc_options *options, int dimension) {
  return guarded(AIWC_INTERNAL, [&] {
    aiwc_options &chosen = given(options, "options");
    if (dimension < -1 || dimension > 2)
      throw Failure(AIWC_BAD_ARGUMENT, fmt::format("dimension is {}: expected -1 to 2", dimension));
    if (dimension < 0)
      chosen.dimension.reset();
    else
      chosen.dimension = static_cast<size_t>(dimension);
  });
}
