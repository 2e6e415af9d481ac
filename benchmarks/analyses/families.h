#pragma once

#include "metrics/analysis.h"
#include "metrics/reuse_order.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace aiwc::bench {

/// What all threads' analyses of one family are made of.
struct Ingredients {
  const trace::Program &program;
  metrics::AnalysisOptions options;
  std::shared_ptr<metrics::ReuseOrder> reuseOrder;
};

/// A family of metrics, as the benchmark names it.
struct Family {
  std::string name;
  std::function<std::unique_ptr<metrics::Analysis>(const Ingredients &)> make;
};

/// Every family that an AnalysisSet has, in its order.
const std::vector<Family> &families();

} // namespace aiwc::bench
