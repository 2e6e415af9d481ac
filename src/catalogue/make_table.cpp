// Prints metric_table.h: the catalogue without its prose, as a constexpr table. The build runs this
// program and keeps the old file where nothing changed, so that a comma in a definition rebuilds
// what prints definitions and nothing else.

#include "catalogue/tables.h"

#include <cstdio>
#include <string>

using namespace aiwc::metrics;

namespace {

std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      literal += '\\';
    literal += c;
  }
  return literal + '"';
}

template <typename Enum> std::string cast(const char *type, Enum value) {
  return std::string("static_cast<") + type + ">(" + std::to_string(static_cast<int>(value)) + ")";
}

/// The name of the array with the parameters of a description.
std::string parametersName(const MetricDescription &description) {
  return description.parameters.empty() ? "{}" : "kParametersOf_" + std::string(description.key);
}

void printParameters(const MetricDescription &description) {
  if (description.parameters.empty())
    return;
  std::string values;
  for (const uint32_t parameter : description.parameters)
    values += (values.empty() ? "" : ", ") + std::to_string(parameter);
  std::printf("inline constexpr std::array<uint32_t, %zu> %s = {%s};\n",
              description.parameters.size(), parametersName(description).c_str(), values.c_str());
}

std::string rowOf(size_t i) {
  const detail::Described &metric = detail::kMetricsDescribed[i];
  const MetricDescription &of = metric.description();
  std::string row;
  for (const std::string &field :
       {cast("Metric", i), quoted(detail::kTexts.keys[i].view()),
        quoted(detail::kTexts.names[i].view()), quoted(metric.row->family), parametersName(of),
        std::to_string(metric.parameter), cast("Category", Category{of.category}),
        cast("MetricType", MetricType{of.value.type}), quoted(of.value.unit),
        cast("Range", Range{of.value.range}), cast("Scaling", Scaling{of.launch.scaling}),
        cast("LocalSize", LocalSize{of.launch.localSize}),
        cast("Estimate", Estimate{of.launch.estimate}),
        "{" + quoted(of.compact.list) + ", " + std::to_string(of.compact.rank) + "}",
        quoted(of.summaryLine)})
    row += (row.empty() ? "" : ", ") + field;
  return row;
}

} // namespace

int main() {
  std::puts("// Made by make_table.cpp from the families' descriptions.\n"
            "#pragma once\n\n#include \"catalogue/metric_info.h\"\n\n#include <array>\n\n"
            "namespace aiwc::metrics {\n");
  for (const detail::Row &row : detail::kOrdered)
    printParameters(*row.description);
  std::printf("\ninline constexpr std::array<MetricInfo, %zu> kCatalogue = {{\n",
              detail::kDescribed);
  for (size_t i = 0; i < detail::kDescribed; ++i)
    std::printf("    {%s},\n", rowOf(i).c_str());
  std::puts("}};\n\n} // namespace aiwc::metrics");
}
