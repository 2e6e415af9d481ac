#include "profile/csv.h"

#include "profile/text.h"

#include <fmt/format.h>

namespace aiwc::profile {

std::string toCsv(const KernelProfile &profile) {
  std::string text = "metric,category,value\n";
  for (const MetricInfo &metric : catalogue())
    text += fmt::format("{},{},{}\n", csvField(metric.name), toString(metric.category),
                        formatValue(profile[metric.metric], "NaN"));
  return text;
}

} // namespace aiwc::profile
