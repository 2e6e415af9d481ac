#include "opencl/program.h"

#include "kernels/engines.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace aiwc::test {
namespace fs = std::filesystem;

ProgramFolder::ProgramFolder() {
  std::string name = (fs::temp_directory_path() / "aiwc-opencl-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()));
  path_ = name;
}

ProgramFolder::~ProgramFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path ProgramFolder::write(const std::string &name, const std::string &bytes) const {
  std::ofstream(path_ / name, std::ios::binary) << bytes;
  return path_ / name;
}

std::string ProgramFolder::read(const std::string &name) const {
  std::ifstream file(path_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string spirvOf(const std::string &source, const std::string &version,
                    const std::string &options) {
  const ProgramFolder folder;
  folder.write("code.cl", source);
  // Before all passes, as Oclgrind's own compiler begins: then what follows is the same.
  const std::string command =
      "cd '" + (folder / "").string() + "' && " AIWC_TEST_CLANG " -g -x cl -cl-std=" + version +
      " -cl-kernel-arg-info -target spir64-unknown-unknown -Oz -Xclang -disable-llvm-passes "
      "-Xclang -finclude-default-header " +
      options + " -emit-llvm -c code.cl -o code.bc && " AIWC_TEST_LLVM_SPIRV " code.bc -o code.spv";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0); // NOLINT(concurrency-mt-unsafe): one thread
  return folder.read("code.spv");
}

Simulation runProgram(const std::string &program, const Launch &launch, bool compiled) {
  const ProgramFolder folder;
  const fs::path file = folder.write("input.cl", program);
  std::vector<std::string> words = {AIWC_TEST_SIMULATION_APP, file.string()};
  size_t items = 1;
  std::istringstream sizes(launch.global);
  for (size_t size = 0; sizes >> size;)
    items *= size;
  words.push_back(folder
                      .write("launch.sim", "input.cl\nk\n" + launch.global + "\n" + launch.local +
                                               "\n<size=" + std::to_string(items * 4) +
                                               " int fill=0 dump>\n" + launch.arguments)
                      .string());
  words.push_back(launch.options);
  if (!launch.mode.empty())
    words.push_back(launch.mode);
  SimulationOptions options;
  options.compiled = compiled;
  options.environment = launch.environment;
  return runApplication(words, folder / "", options);
}

namespace {

std::vector<int> firstBufferOf(const Simulation &simulation) {
  std::vector<int> values;
  std::istringstream lines(simulation.output);
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    const size_t bracket = line.find('[');
    if (name.empty())
      name = line.substr(0, bracket);
    if (line.substr(0, bracket) == name)
      values.push_back(std::stoi(line.substr(line.find('=') + 1)));
  }
  return values;
}

} // namespace

std::vector<int> resultOf(const std::string &program, const Launch &launch) {
  const Simulation interpreted = runProgram(program, launch, false);
  const Simulation compiled = runProgram(program, launch, true);
  INFO(interpreted.output << interpreted.errors << compiled.errors);
  REQUIRE(interpreted.status == 0);
  REQUIRE(compiled.status == 0);
  CHECK(interpreted.output == compiled.output);
  CHECK(interpreted.errors.empty());
  CHECK(compiled.errors.empty());
  REQUIRE(interpreted.profiles.size() == 1);
  REQUIRE(compiled.profiles.size() == 1);
  CHECK(requireSameProfile(interpreted.profiles.front(), compiled.profiles.front()) == "compiled");
  return firstBufferOf(compiled);
}

std::vector<int> resultOfAll(const std::string &source, Launch launch) {
  const std::vector<int> result = resultOf(source, launch);
  CHECK(resultOf(spirvOf(source), launch) == result);
  launch.options = "-cl-std=CL3.0";
  CHECK(resultOf(source, launch) == result);
  return result;
}

} // namespace aiwc::test
