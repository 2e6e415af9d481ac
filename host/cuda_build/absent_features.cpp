#include "cuda_build/absent_features.h"

#include <array>
#include <utility>

namespace aiwc::cuda_build {

std::string absentFeatureIn(std::string_view messages) {
  // What stands in clang's messages, and what it is a part of.
  constexpr auto kSigns = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"'thrust/", "thrust"},
      {"'cub/", "cub"},
      {"'cuda/std/", "libcu++"},
      {"'cublas", "cuBLAS"},
      {"'cufft", "cuFFT"},
      {"'cusparse", "cuSPARSE"},
      {"'cusolver", "cuSOLVER"},
      {"'cudnn", "cuDNN"},
      {"'nccl", "NCCL"},
      {"'rocblas", "rocBLAS"},
      {"'hipblas", "hipBLAS"},
      {"'rocprim/", "rocPRIM"},
      {"'hipcub/", "hipCUB"},
      {"'mma.h'", "tensor cores"},
      {"'cuda_fp8.h'", "8-bit floating-point numbers"},
      {"'cudaGL", "interoperation with graphics"},
      {"named 'texture'", "textures"},
      {"'tex1D", "textures"},
      {"'tex2D", "textures"},
      {"'tex3D", "textures"},
      {"'surf2D", "surfaces"},
      {"'surface'", "surfaces"},
      {"in __global__ function\n", "kernels that launch kernels (dynamic parallelism)"},
      {"call to 'malloc'", "malloc in kernels"},
      {"'cuLaunchKernel'", "the driver API"},
      {"'cuModule", "the driver API"},
  });
  for (size_t at = 0; (at = messages.find("error: ", at)) != std::string_view::npos; ++at) {
    const std::string_view rest = messages.substr(at);
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    const bool isOfGlobal = line.find("reference to __global__ function") != std::string_view::npos;
    for (const auto &[sign, feature] : kSigns)
      if (line.find(sign) != std::string_view::npos &&
          (isOfGlobal || !sign.starts_with("in __global__")))
        return std::string(feature);
  }
  return {};
}

} // namespace aiwc::cuda_build
