#include "sparse/sample.h"

#include "command_line/output.h"
#include "commands.h"
#include "sparse/category.h"
#include "text/text.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace aiwc::cli {

namespace {

struct SampleArguments {
  std::string file;
  std::string method = "auto";
  sparse::SampleOptions options;
  std::vector<double> fractions{0.05};
  std::vector<std::string> outputs;
};

sparse::Method methodFor(sparse::Category category) {
  return category == sparse::Category::kUniform ? sparse::Method::kStrideAverage
                                                : sparse::Method::kRandomTile;
}

/// "mesh.mtx is uniform (clustering 0.5 > 0.1): sampled by stride-average".
std::string choiceText(const std::string &file, const sparse::CategoryDecision &decision) {
  std::string reasons;
  for (const sparse::CategoryStep &step : decision.steps)
    reasons += (reasons.empty() ? "" : ", ") + step.text();
  return fmt::format("{} is {} ({}): sampled by {}", text::printable(file, 4096),
                     name(decision.category), reasons, name(methodFor(decision.category)));
}

void writeSamples(SampleArguments &arguments) {
  if (arguments.fractions.size() != arguments.outputs.size())
    throw Error(
        fmt::format("aiwc-sparse sample: {} of --output for {} of --fraction: expected one for "
                    "each share",
                    arguments.outputs.size(), arguments.fractions.size()));
  const sparse::Matrix whole = sparse::readMatrix(arguments.file, {.values = true, .threads = 2});
  std::string choice;
  if (arguments.method == "auto") {
    const sparse::CategoryDecision decision = sparse::categoryOf(whole);
    arguments.options.method = methodFor(decision.category);
    choice = choiceText(arguments.file, decision);
  } else
    arguments.options.method = sparse::methodOf(arguments.method);
  try {
    for (size_t i = 0; i < arguments.fractions.size(); ++i) {
      arguments.options.fraction = arguments.fractions[i];
      const sparse::Sample taken = sparse::sample(whole, arguments.options);
      writeOutput(arguments.outputs[i],
                  sparse::matrixMarketText(taken.matrix,
                                           sparse::sampleComment(whole, arguments.options, taken)));
    }
  } catch (const Error &error) {
    throw Error(fmt::format("aiwc-sparse sample: {}: {}", text::printable(arguments.file, 4096),
                            error.what()));
  }
  if (!choice.empty())
    warn("aiwc-sparse sample: " + choice);
}

} // namespace

void addSample(Command app) {
  auto arguments = std::make_shared<SampleArguments>();
  sparse::SampleOptions &options = arguments->options;
  Command command = app.subcommand(
      "sample", "Take a part of a sparse matrix on which kernels behave as on the whole");
  command
      .option("FILE", &arguments->file,
              "Matrix Market file or edge list, perhaps compressed by gzip; - for standard "
              "input")
      .required();
  command
      .option("--method", &arguments->method,
              "stride-average: four squares, for uniform matrices; random-tile: squares at random "
              "places, for skewed ones; random-edge: any non-zeros; auto: the first or the "
              "second, chosen by a decision tree; the choice is printed on standard error")
      .oneOf({"auto", "stride-average", "random-tile", "random-edge"})
      .showDefault();
  command
      .option("--fraction", &arguments->fractions,
              "Share of the non-zeros, more than 0, at most 1; several of them, each with its "
              "--output, read FILE once (default: 0.05)")
      .type("P")
      .repeatable();
  command.option("--seed", &options.seed, "Another seed takes another random sample")
      .type("S")
      .showDefault();
  command
      .option("--tile", &options.tile,
              "Rows of a tile of random-tile, before it adapts (default: that with which about "
              "8 tiles make up the share)")
      .type("N")
      .between(1, 0x7FFFFFFF);
  command
      .option("-o,--output", &arguments->outputs,
              "Matrix Market file to write, one for each share; - prints it")
      .type("FILE")
      .required()
      .repeatable();
  command.examples({{"aiwc-sparse sample mesh.mtx -o part.mtx", "a twentieth of it"},
                    {"aiwc-sparse sample web.mtx --method random-tile --fraction 0.1 -o part.mtx",
                     "a tenth, by random tiles"},
                    {"aiwc-sparse sample web.mtx --fraction 0.05 -o part5.mtx --fraction 0.1 -o "
                     "part10.mtx",
                     "two samples of different sizes"}});
  command.action([arguments] { writeSamples(*arguments); });
}

} // namespace aiwc::cli
