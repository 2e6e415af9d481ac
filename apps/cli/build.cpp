#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "common/version.h"
#include "cuda_build/compilation.h"
#include "cuda_build/compiler_command.h"
#include "cuda_build/toolkit.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

namespace aiwc::cli {
namespace {

constexpr const char *kInStep = "--warps-in-step";

} // namespace

void addBuild(Command app) {
  Command command = app.subcommand("build", "Build a CUDA or HIP program for the simulator");
  command.described(kInStep,
                    "Have the threads of a warp wait for one another between accesses to shared "
                    "memory, for kernels that rely on a warp that runs in step",
                    "");
  command.examples(
      {{"aiwc build -- nvcc -O3 app.cu -o app", "then: aiwc run -- ./app"},
       {"aiwc build -- make", "nvcc and hipcc are ours, also for what make calls"},
       {"aiwc build -- cmake -S . -B build", "then: aiwc build -- cmake --build build"}},
      "The command of the build follows \"--\": a CUDA or HIP compiler (nvcc, hipcc, clang++ -x "
      "cuda)\nwith its options, or a program that calls one. Nothing of CUDA has to be "
      "installed.\n");
  command.details(
      "Device code is compiled for the simulator and embedded in the objects; the program is "
      "linked "
      "with a runtime library that stands for CUDA's and HIP's. It runs under `aiwc run` only.\n\n"
      "What has no simulation is refused by name: dynamic parallelism, textures, most of the "
      "vendors' libraries and some PTX. Options that have no meaning are named once.");
}

void build(const std::vector<std::string> &arguments, const std::string &help) {
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    print(help);
    std::exit(0);
  }
  std::vector<std::string> command = arguments;
  const auto skip = [&](std::string_view word) {
    const bool isNext = !command.empty() && command[0] == word;
    if (isNext)
      command.erase(command.begin());
    return isNext;
  };
  if (skip(kInStep))
    cuda_build::runWarpsInStep();
  skip("--");
  if (command.empty() || command[0].starts_with("-"))
    throw Error("aiwc build: no command: expected aiwc build -- nvcc [ARGUMENT...], or another "
                "command that builds");
  const cuda_build::Toolkit toolkit = cuda_build::ownToolkit();
  const std::vector<std::string> words(command.begin() + 1, command.end());
  if (!cuda_build::isCompiler(command[0], words))
    cuda_build::runWith(toolkit, command);
  const cuda_build::CompilerCommand compiler = cuda_build::readCommandLine(command[0], words);
  if (compiler.showsHelp)
    print(help);
  if (compiler.showsVersion) // build systems look for the release
    print(fmt::format("aiwc build {}, in place of {}\nCuda compilation tools, release 11.8, "
                      "V11.8.0\n",
                      kVersion, compiler.compiler));
  if (const std::vector<std::string> words = cuda_build::notYetSaid(compiler.ignored);
      !words.empty())
    std::cerr << fmt::format("aiwc build: without meaning in the simulator: {}\n",
                             fmt::join(words, " "));
  std::exit(cuda_build::build(compiler, toolkit));
}

} // namespace aiwc::cli
