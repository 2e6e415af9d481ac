#include "profile/metric.h"

namespace aiwc::profile {

std::string_view toString(Category category) {
  switch (category) {
  case Category::kCompute:
    return "Compute";
  case Category::kParallelism:
    return "Parallelism";
  case Category::kMemory:
    return "Memory";
  case Category::kControl:
    return "Control";
  }
  return {};
}

std::string_view toString(MetricType type) {
  switch (type) {
  case MetricType::kCount:
    return "count";
  case MetricType::kReal:
    return "real";
  }
  return {};
}

std::string_view toString(Scaling scaling) {
  switch (scaling) {
  case Scaling::kLaunch:
    return "launch";
  case Scaling::kWorkItems:
    return "work-items";
  case Scaling::kStays:
    return "stays";
  case Scaling::kLogarithm:
    return "logarithm";
  case Scaling::kDerived:
    return "derived";
  case Scaling::kUnknown:
    return "unknown";
  }
  return {};
}

std::string_view toString(Estimate estimate) {
  switch (estimate) {
  case Estimate::kExact:
    return "exact";
  case Estimate::kTotal:
    return "total";
  case Estimate::kMean:
    return "mean";
  case Estimate::kLowerBound:
    return "lower bound";
  case Estimate::kUpperBound:
    return "upper bound";
  case Estimate::kSample:
    return "sample";
  }
  return {};
}

} // namespace aiwc::profile
