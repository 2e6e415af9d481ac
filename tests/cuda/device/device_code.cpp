#include "cuda/device/device_code.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace aiwc::test {
namespace {

Command command(const Words &words) {
  return {words, {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}}, {}};
}

Words linesOf(const std::string &text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

Characterised runWith(Words options, const DeviceCode &code, const Words &words) {
  Words application = {AIWC_TEST_CUDA_LAUNCH, code.packed()};
  application.insert(application.end(), words.begin(), words.end());
  return characterise(application, options);
}

} // namespace

DeviceCode::DeviceCode(const std::string &source, const std::string &name) {
  const fs::path file = folder_ / name;
  write(file, source);
  Command clang = command({AIWC_TEST_CLANG,
                           "-x",
                           "hip",
                           "-std=c++17",
                           "--offload=spirv64",
                           "-nogpuinc",
                           "-nogpulib",
                           "-fdeclspec",
                           "-include",
                           "cuda_runtime.h",
                           std::string("-I") + AIWC_TEST_CUDA_INCLUDE,
                           "-w",
                           "--cuda-device-only",
                           "-emit-llvm",
                           "-Oz",
                           "-Xclang",
                           "-disable-llvm-passes",
                           "-ffp-contract=on",
                           "-Xclang",
                           "-debug-info-kind=line-tables-only",
                           "-Xclang",
                           "-dwarf-version=4",
                           "-c",
                           name,
                           "-o",
                           bitcode()});
  clang.folder = folder_.path();
  const Outcome compiled = run(clang);
  INFO(compiled.err);
  REQUIRE(compiled.status == 0);
}

Outcome DeviceCode::lower() const {
  return runDeviceTool({bitcode(), "-o", packed()});
}

std::string DeviceCode::lowered() const {
  const Outcome outcome = runDeviceTool({bitcode(), "--emit-bitcode", "-o", folder_ / "out.bc"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return run(command({AIWC_TEST_CLANG, "-x", "ir", "-S", "-emit-llvm", "-Xclang",
                      "-disable-llvm-passes", "-w", folder_ / "out.bc", "-o", "-"}))
      .out;
}

Outcome runDeviceTool(const Words &words) {
  Words all = {"/usr/bin/timeout", "--kill-after=5", "60", AIWC_TEST_CUDA_DEVICE};
  all.insert(all.end(), words.begin(), words.end());
  return run(command(all));
}

std::string withoutEngine(const std::string &json) {
  std::string result;
  for (const std::string &line : linesOf(json))
    if (line.find("\"engine") == std::string::npos)
      result += line + "\n";
  return result;
}

DeviceRun runDevice(const std::string &source, const Words &words, bool interpreted) {
  INFO(source);
  const DeviceCode code(source);
  const Outcome lowered = code.lower();
  INFO(lowered.err);
  REQUIRE(lowered.status == 0);
  CHECK(lowered.err == "");
  const Characterised compiled = runWith({"--aiwc-engine", "compiled"}, code, words).succeeded();
  const Characterised reference =
      runWith({"--aiwc-engine", "interpreter"}, code, words).succeeded();
  INFO(compiled.outcome.err);
  CHECK(compiled.outcome.out == reference.outcome.out);
  // Groups that are not characterised run as a whole, on three threads.
  const Characterised untraced = runWith(
      {"--aiwc-engine", "compiled", "--aiwc-threads", "3", "--aiwc-kernel", "none"}, code, words);
  CHECK(untraced.outcome.out == reference.outcome.out);
  REQUIRE(compiled.profiles.size() == 1);
  REQUIRE(reference.profiles.size() == 1);
  const StoredProfile &profile = compiled.profiles.begin()->second;
  CHECK(withoutEngine(profile.json) == withoutEngine(reference.profiles.begin()->second.json));
  CHECK(profile.profile.complete);
  CHECK((interpreted || profile.profile.simulatorErrors == 0));
  CHECK((profile.json.find("\"engine\": \"compiled\"") == std::string::npos) == interpreted);
  return {linesOf(compiled.outcome.out), profile.profile};
}

} // namespace aiwc::test
