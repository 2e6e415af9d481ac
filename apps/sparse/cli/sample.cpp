#include "command_line/output.h"
#include "commands.h"
#include "sparse/matrix.h"
#include "text/text.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace aiwc::cli {

namespace {

struct SampleArguments {
  std::string file;
  std::vector<double> fractions{0.05};
  std::vector<std::string> outputs;
};

void writeSamples(const SampleArguments &arguments) {
  if (arguments.fractions.size() != arguments.outputs.size())
    throw Error(
        fmt::format("aiwc-sparse sample: {} of --output for {} of --fraction: expected one for "
                    "each share",
                    arguments.outputs.size(), arguments.fractions.size()));
  const sparse::Matrix whole = sparse::readMatrix(arguments.file, {.values = true});
  try {
    for (size_t i = 0; i < arguments.fractions.size(); ++i) {
      const double fraction = arguments.fractions[i];
      const sparse::Sample taken = sparse::sample(whole, fraction);
      writeOutput(
          arguments.outputs[i],
          sparse::matrixMarketText(taken.matrix, sparse::sampleComment(whole, fraction, taken)));
    }
  } catch (const Error &error) {
    throw Error(fmt::format("aiwc-sparse sample: {}: {}", text::printable(arguments.file, 4096),
                            error.what()));
  }
}

} // namespace

void addSample(Command app) {
  auto arguments = std::make_shared<SampleArguments>();
  Command command = app.subcommand(
      "sample", "Take a part of a sparse matrix on which kernels behave as on the whole: all "
                "non-zeros in four squares");
  command
      .option("FILE", &arguments->file,
              "Matrix Market file or edge list, perhaps compressed by gzip; - for standard "
              "input")
      .required();
  command
      .option("--fraction", &arguments->fractions,
              "Share of the non-zeros, more than 0, at most 1; several of them, each with its "
              "--output, read FILE once (default: 0.05)")
      .type("P")
      .repeatable();
  command
      .option("-o,--output", &arguments->outputs,
              "Matrix Market file to write, one for each share; - prints it")
      .type("FILE")
      .required()
      .repeatable();
  command.examples({{"aiwc-sparse sample mesh.mtx -o part.mtx", "a twentieth of it"},
                    {"aiwc-sparse sample web.mtx --fraction 0.05 -o part5.mtx --fraction 0.1 -o "
                     "part10.mtx",
                     "two samples of different sizes"}});
  command.action([arguments] { writeSamples(*arguments); });
}

} // namespace aiwc::cli
