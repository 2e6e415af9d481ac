// The examples of the metrics' descriptions, which give a value for a kernel and say why.

#include "catalogue/definitions.h"
#include "kernels/reference.h"
#include "profile/metric.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("the kernels have the values that the metrics' descriptions derive") {
  size_t examples = 0;
  for (const aiwc::profile::MetricInfo &metric : aiwc::profile::catalogue())
    for (const aiwc::metrics::Example &example : aiwc::metrics::examplesOf(metric.metric)) {
      INFO(metric.key << " of " << example.kernel << ": " << example.because);
      CHECK(referenceProfile(std::string(example.kernel)).real(metric.metric) == example.value);
      ++examples;
    }
  CHECK(examples > 0);
}
