/// aiwc-describe: a program that generates files from the table of options and from the command
/// line of aiwc when the project is built.
#include "catalogue/definitions.h"
#include "cli/command_line.h"
#include "common/error.h"
#include "completions.h"
#include "manual.h"
#include "profile/metric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace aiwc;
using namespace aiwc::describe;

/// The key and the parameters of a description: `coalescing_{16,32,64}`, `..._{1..10}`.
std::string keyOf(const profile::MetricInfo &first) {
  if (first.parameters.empty())
    return std::string(first.key);
  const std::string_view key = first.key.substr(0, first.key.rfind('_'));
  const auto last = first.parameters.back();
  const bool consecutive = last - first.parameters.front() + 1 == first.parameters.size();
  return consecutive ? fmt::format("{}_{{{}..{}}}", key, first.parameters.front(), last)
                     : fmt::format("{}_{{{}}}", key, fmt::join(first.parameters, ","));
}

/// Of the literature; with k for the parameter.
std::string nameOf(const profile::MetricInfo &first) {
  if (first.name == first.key)
    return {};
  if (first.parameters.empty())
    return fmt::format("**{}**", first.name);
  const std::string number = fmt::format(" {} ", first.parameter);
  std::string name(first.name);
  return fmt::format("**{}**", name.replace(name.find(number), number.size(), " k "));
}

/// The tables in Markdown, one per category, which scripts/metric-tables writes into the document.
std::string metricTables() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); i += std::max<size_t>(1, rows[i].parameters.size())) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}<!-- {}: scripts/metric-tables -->\n"
                          "| key | name | unit | definition |\n|---|---|---|---|\n",
                          i ? "<!-- end -->\n" : "", profile::toString(metric.category));
    const bool count = metric.type == profile::MetricType::kCount; // every count has a unit
    text += fmt::format("| `{}` | {} | {}{} | {} |\n", keyOf(metric), nameOf(metric),
                        count ? "" : (metric.unit.empty() ? "real" : "real, "), metric.unit,
                        metrics::definitionOf(metric.metric));
  }
  return text + "<!-- end -->\n";
}

constexpr const char *kUsage = "expected aiwc-describe FILE bash "
                               "oclgrind|aiwc|aiwc-model, FILE manual SOURCE, or FILE metrics";

std::string described(const std::vector<std::string> &arguments) {
  if (arguments == std::vector<std::string>{"metrics"})
    return metricTables();
  if (arguments.size() != 2)
    throw Error(kUsage);
  if (arguments[0] == "manual") {
    std::ifstream file(arguments[1], std::ios::binary);
    if (!file)
      throw Error(arguments[1] + ": cannot be read");
    return manualPage({std::istreambuf_iterator<char>(file), {}});
  }
  if (arguments[1] != "oclgrind" && arguments[1] != "aiwc" && arguments[1] != "aiwc-model")
    throw Error(kUsage);
  const CommandWords program = arguments[1] == "aiwc" ? wordsOf(cli::commandLine().root())
                               : arguments[1] == "oclgrind"
                                   ? launcherWords()
                                   : wordsOf(cli::modelCommandLine().root());
  if (arguments[0] == "bash")
    return bashCompletion(program);
  throw Error(kUsage);
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (arguments.empty())
      throw Error(kUsage);
    const std::string text = described({arguments.begin() + 1, arguments.end()});
    std::ofstream file(arguments[0], std::ios::binary);
    file << text << std::flush;
    if (!file)
      throw Error(arguments[0] + ": cannot be written");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc-describe: %s\n", error.what());
    return 1;
  }
}
