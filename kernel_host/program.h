/// The program in a file of any kind, as the simulator takes it.
#pragma once

#include "cuda_image/image.h"
#include "kernel_launch/command.h"

#include <optional>
#include <string>

namespace aiwc::kernel_host {

struct ProgramText {
  bool isSource = false; ///< OpenCL C; else LLVM bitcode
  std::string bytes;
  /// Of a CUDA program: its kernels and variables; refers to `image`.
  std::string image;
  std::optional<cuda::Image> cuda;
};

/// Reads a file; other than OpenCL C and bitcode it is translated by a program: llvm-as-14,
/// llvm-spirv-14, or those of `aiwc build`, to which `options` go. Throws Error, which begins with
/// the file.
ProgramText readProgram(const std::string &file, kernel_launch::FileKind kind,
                        const std::string &options);

} // namespace aiwc::kernel_host
