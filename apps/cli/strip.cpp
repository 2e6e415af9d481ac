#include "command.h"
#include "command_line/output.h"
#include "common/file.h"
#include "embed/container.h"

#include <fmt/format.h>

#include <memory>

namespace aiwc::cli {

namespace {

struct StripOptions {
  std::string file;
  std::string output;
};

void stripFile(const StripOptions &options) {
  const std::string content = readFile(options.file, "an annotated kernel's file");
  const std::string bare = [&] {
    try {
      return embed::containerOf(options.file, content).strip(content);
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", options.file, error.what()));
    }
  }();
  if (!options.output.empty())
    writeOutput(options.output, bare);
  else if (bare != content)
    writeOutput(options.file, bare);
}

} // namespace

void addStrip(Command app) {
  auto options = std::make_shared<StripOptions>();
  Command command = app.subcommand(
      "strip", "Remove embedded profiles from a file of kernels; change nothing else");
  command.option("FILE", &options->file, "The annotated file").required();
  command
      .option("-o,--output", &options->output,
              "Write here instead of replacing the file; - for standard output")
      .type("FILE");
  command.examples({{"aiwc annotate strip blur.cl", ""},
                    {"aiwc annotate strip blur.cl -o -", "prints it and leaves blur.cl as it is"}});
  command.action([options] { stripFile(*options); });
}

} // namespace aiwc::cli
