#include "sparse/generate.h"

#include "command_line/output.h"
#include "commands.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace aiwc::cli {

namespace {

struct GenerateArguments {
  std::string shape;
  sparse::Structure structure;
  std::string output;
};

/// What the structures are, and their parameters.
std::string structuresText() {
  std::string text = "Structures, and what --parameter is for them:\n";
  for (const sparse::ShapeInfo &info : sparse::shapes())
    text += fmt::format("  {:<16}{}{}{}\n", info.name, info.about,
                        info.parameter.empty() ? "" : "; ", info.parameter);
  return text + "\n";
}

} // namespace

void addGenerate(Command app) {
  auto arguments = std::make_shared<GenerateArguments>();
  Command command = app.subcommand("generate", "Write a sparse matrix of a known structure");
  std::vector<std::string> names;
  for (const sparse::ShapeInfo &info : sparse::shapes())
    names.emplace_back(info.name);
  sparse::Structure &structure = arguments->structure;
  command.option("STRUCTURE", &arguments->shape, "What the matrix is like").required().oneOf(names);
  command.option("--rows", &structure.rows, "Rows, and columns").type("N").required();
  command
      .option("--non-zeros-per-row", &structure.nonZerosPerRow,
              "Mean non-zeros of a row; for a mesh, the most points of its stencil")
      .type("K")
      .required();
  command.option("--seed", &structure.seed, "Another seed makes another such matrix")
      .type("S")
      .showDefault();
  command.option("--parameter", &structure.parameter, "See below").type("X");
  command.flag("--values", structure.values,
               "Random values from -1 to 1; else the file has only positions");
  command.option("-o,--output", &arguments->output, "Matrix Market file to write; - prints it")
      .type("FILE")
      .required();
  command.examples({{"aiwc-sparse generate power-law --rows 2000 --non-zeros-per-row 8 -o web.mtx",
                     "a graph with hubs"},
                    {"aiwc-sparse generate mesh-unordered --rows 2000 --non-zeros-per-row 5 "
                     "--parameter 2 -o mesh.mtx",
                     "a plane mesh"}},
                   structuresText());
  command.action([arguments] {
    arguments->structure.shape = sparse::shapeOf(arguments->shape);
    try {
      writeOutput(arguments->output,
                  sparse::matrixMarketText(sparse::generate(arguments->structure)));
    } catch (const Error &error) {
      throw Error(fmt::format("aiwc-sparse generate: {}", error.what()));
    }
  });
}

} // namespace aiwc::cli
