#include "families.h"

#include "metrics/families.h"

namespace aiwc::bench {

const std::vector<Family> &families() {
  using metrics::Analysis;
  using Make = std::unique_ptr<Analysis> (*)(const trace::Program &);
  const auto of = [](Make make) {
    return [make](const Ingredients &ingredients) { return make(ingredients.program); };
  };
  static const std::vector<Family> list = {
      {"instruction mix", of(metrics::makeInstructionMix)},
      {"parallelism", of(metrics::makeParallelism)},
      {"freedom to reorder", of(metrics::makeFreedomToReorder)},
      {"memory addresses", of(metrics::makeMemoryAddresses)},
      {"branch entropy", of(metrics::makeBranchEntropy)},
      {"ASAP schedule", of(metrics::makeAsapSchedule)},
      {"lane utilization", of(metrics::makeLaneUtilization)},
      {"coalescing", of(metrics::makeCoalescing)},
      {"spatial locality", of(metrics::makeParallelSpatialLocality)},
      {"atomic contention", of(metrics::makeAtomicContention)},
      {"loops", of(metrics::makeLoopReport)},
      {"lines", of(metrics::makeLineReport)},
      {"reuse distance",
       [](const Ingredients &ingredients) {
         return metrics::makeReuseDistance(ingredients.program, ingredients.options,
                                           ingredients.reuseOrder);
       }},
  };
  return list;
}

} // namespace aiwc::bench
