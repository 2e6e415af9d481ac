#include "metrics.h"

#include "boundary.h"
#include "catalogue/definitions.h"

#include <fmt/format.h>

#include <string_view>

using aiwc::capi::copyOut;
using aiwc::capi::given;
using aiwc::capi::guarded;
using aiwc::capi::requireSize;

namespace {

/// A text of the catalogue for C; an empty one may have no address.
const char *cText(std::string_view text) {
  return text.empty() ? "" : text.data();
}

consteval bool endInNul() {
  for (const aiwc::profile::MetricInfo &info : aiwc::profile::catalogue())
    for (const std::string_view text : {info.key, info.name, info.unit})
      if (!text.empty() && text.data()[text.size()] != '\0')
        return false;
  return true;
}
static_assert(endInNul(), "C sees the texts of the catalogue up to the NUL after them");

} // namespace

namespace aiwc::capi {

const profile::MetricInfo &metricAt(size_t index) {
  if (index >= profile::catalogue().size())
    throw Failure(AIWC_BAD_ARGUMENT, fmt::format("index is {}: expected one below {}", index,
                                                 profile::catalogue().size()));
  return profile::catalogue()[index];
}

} // namespace aiwc::capi

size_t aiwc_metric_count(void) {
  return aiwc::profile::catalogue().size();
}

aiwc_status aiwc_metric_at(size_t index, aiwc_metric *metric, size_t metric_size) {
  return guarded(AIWC_INTERNAL, [&] {
    given(metric, "metric");
    requireSize<aiwc_metric>(metric_size, "metric_size");
    const aiwc::profile::MetricInfo &info = aiwc::capi::metricAt(index);
    aiwc_metric result{};
    result.key = cText(info.key);
    result.name = cText(info.name);
    result.unit = cText(info.unit);
    result.category = aiwc::profile::toString(info.category).data(); // a literal
    result.definition = cText(aiwc::metrics::definitionOf(info.metric));
    result.integer = info.type == aiwc::profile::MetricType::kCount ? 1 : 0;
    result.fraction = info.range == aiwc::profile::Range::kFraction ? 1 : 0;
    copyOut(result, metric, metric_size);
  });
}
