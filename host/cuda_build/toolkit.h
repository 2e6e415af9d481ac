/// What stands for a CUDA toolkit: our compiler's parts, headers and runtime library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::cuda_build {

/// A folder with `bin/nvcc`, `bin/hipcc`, `include/` and `lib64/libcudart.so`, as build systems
/// expect them of CUDA.
struct Toolkit {
  std::filesystem::path folder;
  std::filesystem::path deviceTool; ///< aiwc-cuda-device, which lowers device code
  std::filesystem::path aiwc;       ///< the command itself

  std::filesystem::path include() const { return folder / "include"; }
  std::filesystem::path libraries() const { return folder / "lib64"; }
};

/// The toolkit installed or built together with the running program. Throws Error if there is none.
Toolkit ownToolkit();
/// The same of the programs in the folder `bin`.
Toolkit toolkitOf(const std::filesystem::path &bin);

/// Replaces the process by `command`, a build of any kind, which finds the toolkit where it looks
/// for CUDA: first in PATH, and by CUDA_HOME, CUDA_PATH, CUDACXX, ROCM_PATH and HIP_PATH; other
/// compilers find its headers and libraries. Throws Error if the command cannot be run.
/// A build of many files has each of its words in `notYetSaid` once.
[[noreturn]] void runWith(const Toolkit &toolkit, const std::vector<std::string> &command);

/// Has the compilers of this build, which this process or `runWith` starts, run the threads of a
/// warp in step: `warpsRunInStep` tells them.
void runWarpsInStep();
bool warpsRunInStep();

/// Of what a compiler has to say, the words that no other compiler of the same build has said: all,
/// if `runWith` did not start it.
std::vector<std::string> notYetSaid(std::vector<std::string> words);

} // namespace aiwc::cuda_build
