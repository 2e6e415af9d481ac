// SPIR-V that clang makes of OpenCL C before its passes: the same profile as from OpenCL C.

#include "kernels/engines.h"
#include "kernels/reference.h"
#include "opencl/program.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <vector>

using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The file of the program that a simulation file names.
fs::path programOf(const fs::path &simulationFile) {
  std::ifstream file(simulationFile);
  std::string line;
  while (std::getline(file, line) && line.starts_with("#")) {
  }
  return simulationFile.parent_path() / line;
}

Simulation runSimulationOf(const fs::path &program, const fs::path &simulationFile, bool compiled) {
  SimulationOptions options;
  options.compiled = compiled;
  return runApplication({AIWC_TEST_SIMULATION_APP, program.string(), simulationFile.string()},
                        simulationFile.parent_path(), options);
}

/// The lines of a profile that do not say what the program came as.
std::string withoutOrigin(const std::string &json) {
  std::istringstream lines(json);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (line.find("\"source_") == std::string::npos &&
        line.find("\"code_hash\"") == std::string::npos)
      text += line + "\n";
  return text;
}

} // namespace

TEST_CASE("the reference kernels have the same profile from SPIR-V") {
  std::set<fs::path> seen;
  for (const std::string &name : referenceKernels()) {
    const fs::path file = simulationFile(name), program = programOf(file);
    if (!seen.insert(program).second)
      continue; // one of its kernels
    INFO(file);
    const ProgramFolder folder;
    const fs::path spirv =
        folder.write("code.spv", spirvOf(contentOf(program), "CL1.2",
                                         "-I" + fs::path(AIWC_TEST_KERNELS).string()));
    const Simulation fromSource = runSimulationOf(program, file, false);
    const Simulation interpreted = runSimulationOf(spirv, file, false);
    const Simulation compiled = runSimulationOf(spirv, file, true);
    INFO(fromSource.errors << interpreted.errors << compiled.errors);
    REQUIRE(fromSource.profiles.size() == 1);
    REQUIRE(interpreted.profiles.size() == 1);
    REQUIRE(compiled.profiles.size() == 1);
    CHECK(requireSameProfile(interpreted.profiles.front(), compiled.profiles.front()) ==
          "compiled");
    CHECK(interpreted.output == fromSource.output);
    CHECK(compiled.output == fromSource.output);
    CHECK(withoutOrigin(interpreted.profiles.front().json) ==
          withoutOrigin(fromSource.profiles.front().json));
  }
  CHECK(seen.size() > 20);
}

TEST_CASE("arguments of kernels in SPIR-V keep names, types and address spaces") {
  const std::string source = R"(
    typedef struct { float a[3]; int n; } pair;
    kernel void k(global int *out, constant float *weights, local uchar *tile, pair p,
                  read_only image2d_t picture, sampler_t s, float4 v) {
      out[get_global_id(0)] = weights[0] + tile[0] + p.n + v.x + read_imagef(picture, s, (int2)(0, 0)).x;
    })";
  Launch launch;
  launch.mode = "describe";
  const Simulation simulation = runProgram(spirvOf(source), launch, true);
  CHECK(simulation.output == "out int* global none\n"
                             "weights float* constant none\n"
                             "tile char* local none\n"
                             "p struct pair private none\n"
                             "picture image2d_t global read_only\n"
                             "s sampler_t private none\n"
                             "v float4 private none\n");
}

TEST_CASE("specialization constants have the values that the application sets") {
  const std::string source = R"(
    int __spirv_SpecConstant(int, int);
    kernel void k(global int *out) { out[get_global_id(0)] = __spirv_SpecConstant(7, 40) + 2; })";
  Launch launch;
  CHECK(resultOf(spirvOf(source), launch) == std::vector<int>(64, 42));
  launch.mode = "constant";
  CHECK(resultOf(spirvOf(source), launch) == std::vector<int>(64, 1002));
}

TEST_CASE("a program says that it came as SPIR-V") {
  const std::string spirv = spirvOf("kernel void k(global int *out) { out[0] = 1; }");
  Launch launch;
  launch.mode = "program";
  const Simulation simulation = runProgram(spirv, launch, true);
  CHECK(simulation.output == "il of " + std::to_string(spirv.size()) +
                                 " bytes: the same\nsource of 1 byte\nkernels: k\n");
  CHECK(runProgram("kernel void k(global int *out) { out[0] = 1; }", launch, true).output ==
        "il of 0 bytes\nsource of 47 bytes\nkernels: k\n");
}

TEST_CASE(
    "where variables live is written in ways that llvm-spirv does not take, and left out then") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      for (int j = 0; j < 2; ++j) {
        int own[4] = {g, 10, 20, 30};
        int *p = own + (g & 3);
        *p += j;
        out[g] += *p;
      }
    })";
  const std::string spirv = spirvOf(source);
  std::vector<uint32_t> words(spirv.size() / 4);
  std::memcpy(words.data(), spirv.data(), spirv.size());
  // The lifetime of a pointer to bytes becomes that of the pointer to integers that it was cast
  // from, still with a size.
  constexpr uint32_t kBitcast = 124, kLifetimeStart = 256, kLifetimeStop = 257;
  std::map<uint32_t, uint32_t> castFrom;
  size_t changed = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const uint32_t operation = words[at] & 0xffff;
    if (operation == kBitcast)
      castFrom[words[at + 2]] = words[at + 3];
    if ((operation == kLifetimeStart || operation == kLifetimeStop) &&
        castFrom.contains(words[at + 1])) {
      words[at + 1] = castFrom[words[at + 1]];
      ++changed;
    }
  }
  REQUIRE(changed > 0);
  const std::string other(reinterpret_cast<const char *>(words.data()), spirv.size());
  CHECK(resultOf(other) ==
        listOf(64, [](int g) { return 2 * (g % 4 == 0 ? g : 10 * (g % 4)) + 1; }));
}

TEST_CASE("damaged SPIR-V is an error with one line, wherever it is cut") {
  const std::string spirv = spirvOf("kernel void k(global int *out) { out[0] = 1; }");
  for (size_t length = 0; length < spirv.size(); length += 4 + spirv.size() / 160 * 4) {
    const Simulation simulation = runProgram(spirv.substr(0, length), {}, true);
    INFO(length << " bytes: " << simulation.errors);
    CHECK(simulation.status == 1);
    CHECK(std::count(simulation.errors.begin(), simulation.errors.end(), '\n') <= 4);
    CHECK(simulation.profiles.empty());
  }
}

TEST_CASE("changed words of SPIR-V never end the application by a signal") {
  const std::string spirv =
      spirvOf("kernel void k(global int *out) { out[get_global_id(0)] = 1; }");
  unsigned random = 12345;
  const auto next = [&] { return random = random * 1664525 + 1013904223; };
  for (int i = 0; i < 40; ++i) {
    std::string changed = spirv;
    const size_t at = 4 + next() / 7 % (spirv.size() - 4);
    changed[at] = static_cast<char>(next() >> 13);
    const Simulation simulation = runProgram(changed, {}, true);
    INFO("byte " << at << ": " << simulation.errors);
    CHECK(simulation.status < 128);
  }
}

TEST_CASE("what is missing or too new is named") {
  std::string spirv = spirvOf("kernel void k(global int *out) { out[0] = 1; }");
  Launch launch;
  launch.environment = {{"PATH", "/nowhere"}};
  CHECK(
      runProgram(spirv, launch, true).errors ==
      "error: SPIR-V needs the program llvm-spirv-14, which is not installed (Debian's package of "
      "this name)\n\nclBuildProgram failed with -11\n");
  spirv[5] = 0;
  spirv[6] = 1;
  spirv[5] = 6; // SPIR-V 1.6
  CHECK(runProgram(spirv, {}, true).errors ==
        "error: the module is of SPIR-V 1.6: llvm-spirv-14 reads versions up to 1.4\n\n"
        "clBuildProgram failed with -11\n");
  CHECK(runProgram(std::string("\x03\x02\x23\x07", 4) + spirv.substr(4, 11), {}, true).errors ==
        "aiwc: clCreateProgramWithIL: the module is not SPIR-V: it is no whole number of 32-bit "
        "words\nclCreateProgramWithIL failed with -30\n");
}
