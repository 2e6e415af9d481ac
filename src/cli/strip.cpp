#include "command.h"
#include "embed/file.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "output.h"

#include <fmt/format.h>

#include <memory>

namespace aiwc::cli {

namespace {

struct StripOptions {
  std::string file;
  std::string output;
};

void stripFile(const StripOptions &options) {
  const std::string content = embed::readFile(options.file, "an annotated source");
  if (embed::carrierOf(options.file, content) != embed::Carrier::kOpenClC)
    throw Error(fmt::format("{}: is no OpenCL C: expected an annotated source; what it has is in "
                            "{}",
                            options.file, embed::sidecarOf(options.file).string()));
  const std::string bare = embed::strip(content);
  if (!options.output.empty())
    writeOutput(options.output, bare);
  else if (bare != content)
    writeOutput(options.file, bare);
}

} // namespace

void addStrip(CLI::App &app) {
  auto options = std::make_shared<StripOptions>();
  CLI::App *command =
      app.add_subcommand("strip", "Remove embedded profiles from a source, nothing else");
  command->add_option("FILE", options->file, "The annotated source")->required();
  command->add_option("-o,--output", options->output,
                      "Write here instead of replacing the file; - for standard output");
  command->callback([options] { stripFile(*options); });
}

} // namespace aiwc::cli
