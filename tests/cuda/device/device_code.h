/// CUDA device code on its way into the simulator.
#pragma once

#include "launcher/process.h"
#include "plugin/characterise.h"

#include <string>
#include <vector>

namespace aiwc::test {

/// A source file of device code with what was made of it.
class DeviceCode {
public:
  /// Compiles `source`, as aiwc build does, behind tests/cuda/device/include/cuda_runtime.h. The
  /// test case fails if clang does not take it.
  explicit DeviceCode(const std::string &source, const std::string &name = "code.cu");

  /// aiwc-cuda-device's answer. The packed code is there if the status is 0.
  Outcome lower() const;
  /// The bitcode of a kernel in the packed code as text.
  std::string lowered() const;
  fs::path bitcode() const { return folder_ / "code.bc"; }
  fs::path packed() const { return folder_ / "code.packed"; }
  const Folder &folder() const { return folder_; }

private:
  Folder folder_;
};

/// The tool with these arguments.
Outcome runDeviceTool(const Words &words);

/// Runs a kernel under both engines, and without characterising it on three threads, compares their
/// output and their profiles, and checks that the first engine compiled it without errors, unless
/// `interpreted`. `words` are those of launch.cpp after the file. Returns what launch.cpp printed,
/// in lines.
struct DeviceRun {
  Words lines;
  profile::KernelProfile profile;
};
DeviceRun runDevice(const std::string &source, const Words &words, bool interpreted = false);

/// The profile without what names its engine.
std::string withoutEngine(const std::string &json);

} // namespace aiwc::test
