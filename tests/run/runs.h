/// Runs made up by the tests.
#pragma once

#include "run/run.h"

namespace aiwc::test {

/// A launch with every kind of argument.
inline run::Launch fullLaunch() {
  using Kind = run::Argument::Kind;
  run::Launch launch;
  launch.process = 1;
  launch.number = 4;
  launch.kernel = "k\"\n</script>";
  launch.invocation = 3;
  launch.workDim = 2;
  launch.globalOffset = {0, 8, 0};
  launch.globalSize = {64, 32, 1};
  launch.localSize = {16, 1, 1};
  launch.localSizeLeftOpen = true;
  launch.arguments = {{Kind::kValue, "n", "int", "-3", 4, {}},
                      {Kind::kBuffer, "x", "float*", "", 1024, 2, "random(0,1)", true},
                      {Kind::kBuffer, "none", "float*", "", 0, {}, "file:a \"b\".npy"},
                      {Kind::kImage, "i", "image2d_t", "", 256, 5},
                      {Kind::kLocal, "l", "float*", "", 64, {}}};
  launch.hostToDevice = {1024, 1};
  launch.deviceToHost = {UINT64_MAX, 2};
  launch.engine = "interpreter";
  launch.engineReason = "why not";
  launch.profile = "aiwc_k_3.json";
  launch.sourceHash = "xxh3-128:0123";
  launch.codeHash = "xxh3-128:4567";
  launch.buildOptions = "-DN=3";
  launch.sourceKind = "bitcode";
  launch.source = "source_0123.cl";
  launch.complete = false;
  launch.simulatorErrors = 7;
  launch.instructions = 99;
  launch.seconds = 0.125;
  return launch;
}

inline run::Launch launchOf(const std::string &kernel, uint64_t instructions) {
  run::Launch launch;
  launch.kernel = kernel;
  launch.globalSize = {4, 1, 1};
  launch.localSize = {2, 1, 1};
  launch.engine = "compiled";
  launch.profile = "aiwc_" + kernel + "_0.json";
  launch.instructions = instructions;
  return launch;
}

} // namespace aiwc::test
