// SPIR-V in the forms that compilers of SYCL, Julia and HIP emit, launched as their runtimes do.

#include "kernels/engines.h"
#include "opencl/program.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>

using namespace aiwc::test;

namespace {

/// What the application prints of the kernels of a form, under both engines.
std::string printedBy(const std::string &form) {
  const ProgramFolder folder;
  const std::string spirv = (folder / "code.spv").string();
  const std::string command =
      "cd '" + (folder / "").string() +
      "' && " AIWC_TEST_CLANG
      " -x ir -target spir64-unknown-unknown -c -emit-llvm '" AIWC_TEST_FORMS "/" +
      form +
      ".ll' -o code.bc && " AIWC_TEST_LLVM_SPIRV " --spirv-max-version=1.3 code.bc -o code.spv";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0); // NOLINT(concurrency-mt-unsafe): one thread
  SimulationOptions options;
  const std::vector<std::string> words = {AIWC_TEST_FORMS_APP, form, spirv};
  const Simulation interpreted = runApplication(words, "/", options);
  options.compiled = true;
  const Simulation compiled = runApplication(words, "/", options);
  INFO(interpreted.output << interpreted.errors << compiled.output << compiled.errors);
  CHECK(interpreted.status == 0);
  CHECK(interpreted.errors.empty());
  CHECK(compiled.status == 0);
  CHECK(interpreted.output == compiled.output);
  REQUIRE(interpreted.profiles.size() == compiled.profiles.size());
  REQUIRE(!compiled.profiles.empty());
  for (size_t i = 0; i < compiled.profiles.size(); ++i)
    CHECK(requireSameProfile(interpreted.profiles[i], compiled.profiles[i]) == "compiled");
  return compiled.output;
}

/// The line of 64 numbers.
std::string lineOf(const std::function<int(int)> &value) {
  std::string line;
  for (int i = 0; i < 64; ++i)
    line += std::to_string(value(i)) + " ";
  return line + "\n";
}

} // namespace

TEST_CASE("SYCL: addresses in structures, generic ones in the body, local memory of the module") {
  const auto exchanged = [](int i) { return i < 60 ? 3 * (i ^ 1) : i; };
  CHECK(printedBy("sycl") ==
        lineOf(exchanged) + lineOf([&](int i) { return i < 16 ? 7 : exchanged(i); }));
}

TEST_CASE("Julia: arrays as structures with an address as a number") {
  CHECK(printedBy("julia") == lineOf([](int i) { return i < 50 ? 3 * i : 0; }));
}

TEST_CASE("HIP: a variable that the host binds by a kernel, and dynamic shared memory") {
  CHECK(printedBy("hip") == lineOf([](int i) { return 3 * (i ^ 1); }));
}
