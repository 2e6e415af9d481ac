/// aiwc-matrix: writes a sparse matrix of a known structure.
#include "common/error.h"
#include "common/file.h"
#include "generate/generate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  using namespace aiwc;
  CLI::App app("Writes a square sparse matrix of a known structure. The same options make the same "
               "matrix. 10^7 non-zeros take seconds",
               "aiwc-matrix");
  std::vector<std::string> names;
  std::string footer = "Structures, and what --parameter is for them:\n";
  for (const sparse::ShapeInfo &info : sparse::shapes()) {
    names.emplace_back(info.name);
    footer += fmt::format("  {:<16}{}{}{}\n", info.name, info.about,
                          info.parameter.empty() ? "" : "; ", info.parameter);
  }
  app.footer(footer);
  std::string shape;
  std::string output;
  sparse::Structure structure;
  app.add_option("structure", shape, "One of the structures below")
      ->required()
      ->check(CLI::IsMember(names).description(""));
  app.add_option("--rows", structure.rows, "Rows, and columns")->required();
  app.add_option("--non-zeros-per-row", structure.nonZerosPerRow,
                 "Mean non-zeros of a row; for a mesh, the most points of its stencil")
      ->required();
  app.add_option("--seed", structure.seed, "Another seed makes another such matrix")
      ->capture_default_str();
  app.add_option("--parameter", structure.parameter, "See below");
  app.add_flag("--values", structure.values,
               "Random values from -1 to 1; else the file has only positions");
  app.add_option("-o,--output", output, "Matrix Market file to write; - prints it")->required();
  try {
    app.parse(argc, argv);
    structure.shape = sparse::shapeOf(shape);
    const std::string text = sparse::matrixMarketText(sparse::generate(structure));
    if (output == "-")
      fmt::print("{}", text);
    else
      replaceFile(output, text);
    return 0;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error); // --help
    fmt::print(stderr, "aiwc-matrix: {}\n", error.what());
  } catch (const std::exception &error) {
    fmt::print(stderr, "aiwc-matrix: {}\n", error.what());
  }
  return 2;
}
