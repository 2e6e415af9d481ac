/// The program that lowers OpenCL 2 and 3 and SPIR-V (compiler/opencl/device), run from within an
/// application.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::plugin {

struct ToolResult {
  bool succeeded = false;
  std::string output;  ///< bitcode; empty if the module may stay as it is
  std::string message; ///< why it failed, one line
};

/// Runs aiwc-opencl-device with `options` on `input`. The application cannot see that process: its
/// end sends no signal, and the application's waits do not meet it.
ToolResult runDeviceTool(const std::vector<std::string> &options, std::string_view input);

} // namespace aiwc::plugin
