/// The program in a file of any kind, as the simulator takes it.
#pragma once

#include "device_code/device_code.h"
#include "kernel_launch/command.h"

#include <optional>
#include <string>

namespace aiwc::kernel_host {

struct ProgramText {
  bool isSource = false; ///< OpenCL C
  bool isSpirv = false;  ///< else LLVM bitcode
  std::string bytes;
  std::optional<cuda::DeviceCode> cuda; ///< of a CUDA program: its kernels and variables
};

/// Reads a file. Text of LLVM is translated by llvm-as-14, CUDA by the programs of `aiwc build`, to
/// which `options` go. Throws Error, which begins with the file.
ProgramText readProgram(const std::string &file, kernel_launch::FileKind kind,
                        const std::string &options);

/// The first line that reports an error, of what a compiler said.
std::string firstError(const std::string &log);

} // namespace aiwc::kernel_host
