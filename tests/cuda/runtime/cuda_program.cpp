#include "cuda/runtime/cuda_program.h"

#include "run/folder.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace aiwc::test {
namespace {

const char kBefore[] = R"(
#include <cstdio>
#define CHECK_CUDA(call)                                                        \
  do {                                                                          \
    const cudaError_t status = call;                                            \
    if (status != cudaSuccess)                                                  \
      printf("%s: %s\n", #call, cudaGetErrorName(status));                      \
  } while (0)
#line 1
)";

void succeed(const Folder &folder, const Words &words) {
  Command command{words, {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}}, folder.path()};
  const Outcome outcome = run(command);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

} // namespace

CudaProgram::CudaProgram(const std::string &source, const std::string &name) {
  write(folder_ / name, kBefore + source);
  succeed(folder_, {AIWC_TEST_COMMAND, "build", "--", name.ends_with(".hip") ? "hipcc" : "nvcc",
                    name, "-o", "program"});
}

Characterised CudaProgram::runWith(const std::string &engine, Words options,
                                   const Words &environment) const {
  // Programs that test errors launch no kernel.
  options.insert(options.end(), {"--aiwc-allow-empty", "--aiwc-engine", engine});
  Words words = {"/usr/bin/env"};
  words.insert(words.end(), environment.begin(), environment.end());
  words.push_back(folder_ / "program");
  return characterise(words, options);
}

run::Run CudaProgram::runByDefault() const {
  const Folder folder;
  const Outcome outcome =
      test::run(launch({folder_ / "program"}, {}, folder, /*eachLaunch=*/false));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return run::readRun(folder / "out/run.json");
}

Outcome CudaProgram::runAlone() const {
  return run({{folder_ / "program"}, {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}}, {}});
}

Words CudaProgram::lines() const {
  const Characterised compiled = runWith("compiled").succeeded();
  const Characterised interpreted = runWith("interpreter").succeeded();
  CHECK(compiled.outcome.out == interpreted.outcome.out);
  Words lines;
  std::istringstream in(compiled.outcome.out);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

Words printed(const std::string &declarations, const std::string &body) {
  return CudaProgram(declarations + "\nint main() {\n" + body + "\n}\n").lines();
}

} // namespace aiwc::test
