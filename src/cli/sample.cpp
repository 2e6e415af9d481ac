#include "sparse/sample.h"

#include "command.h"
#include "output.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <memory>

namespace aiwc::cli {

namespace {

struct SampleArguments {
  std::string file;
  std::string method;
  sparse::SampleOptions options;
  std::string output;
};

void writeSample(SampleArguments &arguments) {
  const sparse::Matrix whole = sparse::readMatrix(arguments.file, {.values = true, .threads = 2});
  arguments.options.method = sparse::methodOf(arguments.method);
  try {
    const sparse::Sample taken = sparse::sample(whole, arguments.options);
    writeOutput(arguments.output,
                sparse::matrixMarketText(taken.matrix,
                                         sparse::sampleComment(whole, arguments.options, taken)));
  } catch (const Error &error) {
    throw Error(
        fmt::format("aiwc sample: {}: {}", profile::printable(arguments.file, 4096), error.what()));
  }
}

} // namespace

void addSample(CLI::App &app) {
  auto arguments = std::make_shared<SampleArguments>();
  sparse::SampleOptions &options = arguments->options;
  CLI::App *command = app.add_subcommand(
      "sample", "Take a part of a sparse matrix on which kernels behave as on the whole");
  command
      ->add_option("FILE", arguments->file,
                   "Matrix Market file or edge list, perhaps compressed by gzip; - for standard "
                   "input")
      ->required();
  command
      ->add_option("--method", arguments->method,
                   "stride-average: four squares, for uniform matrices; random-tile: many squares, "
                   "for skewed ones; random-edge: any non-zeros")
      ->check(CLI::IsMember({"stride-average", "random-tile", "random-edge"}))
      ->required();
  command
      ->add_option("--fraction", options.fraction, "Share of the non-zeros, more than 0, at most 1")
      ->type_name("P")
      ->capture_default_str();
  command->add_option("--seed", options.seed, "Another seed takes another random sample")
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option(
          "--tile", options.tile,
          "Rows of a tile of random-tile, before it adapts (default: that with which about "
          "64 tiles make up the share)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_option("-o,--output", arguments->output, "Matrix Market file to write; - prints it")
      ->type_name("FILE")
      ->required();
  addExamples(*command, {{"aiwc sample mesh.mtx --method stride-average -o part.mtx",
                          "a twentieth of a uniform matrix"},
                         {"aiwc sample web.mtx --method random-tile --fraction 0.1 -o part.mtx",
                          "a tenth of a skewed one"}});
  command->callback([arguments] { writeSample(*arguments); });
}

} // namespace aiwc::cli
