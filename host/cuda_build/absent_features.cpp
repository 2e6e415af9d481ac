#include "cuda_build/absent_features.h"

#include <array>
#include <utility>

namespace aiwc::cuda_build {
namespace {

/// GCC's messages with the quotes that Clang writes.
std::string quotedAsByClang(std::string_view messages) {
  constexpr auto kWritten = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"\u2018", "'"}, {"\u2019", "'"}, {"fatal error: ", "fatal error: '"}});
  std::string result(messages);
  for (const auto &[gccs, clangs] : kWritten)
    for (size_t at = 0; (at = result.find(gccs, at)) != std::string::npos; at += clangs.size())
      result.replace(at, gccs.size(), clangs);
  return result;
}

} // namespace

std::string absentFeatureIn(std::string_view said) {
  const std::string quoted = quotedAsByClang(said);
  const std::string_view messages = quoted;
  // What stands in a compiler's messages, and what it is a part of.
  constexpr auto kSigns = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"'thrust/", "such part of thrust"},
      {"'cub/", "such part of cub"},
      {"'cuda/std/", "such part of libcu++"},
      {"'cuda/atomic'", "such part of libcu++"},
      {"'cuda/functional'", "such part of libcu++"},
      {"'cuda/latch'", "such part of libcu++"},
      {"'cuda/semaphore'", "such part of libcu++"},
      {"'cublas", "cuBLAS"},
      {"'cufft", "cuFFT"},
      {"'cusparse", "cuSPARSE"},
      {"'cusolver", "cuSOLVER"},
      {"'cudnn", "cuDNN"},
      {"'nccl", "NCCL"},
      {"'nvml", "NVML"},
      {"'rocblas", "rocBLAS"},
      {"'hipblas", "hipBLAS"},
      {"'rocprim/", "rocPRIM"},
      {"'hipcub/", "such part of hipCUB"},
      {"'nvrtc", "compilation of CUDA at run time"},
      {"'cuLink", "linking of PTX at run time"},
      {"'CUlink", "linking of PTX at run time"},
      {"'CUmem", "virtual memory of the driver API"},
      {"'cuArray", "textures"},
      {"'CUarray", "textures"},
      {"'cuTex", "textures"},
      {"'CUtex", "textures"},
      {"'cudaCreateChannelDesc", "textures"},
      {"'cudaMallocArray", "textures"},
      {"'cudaBoundaryMode", "surfaces"},
      {"'cudaGraphics", "interoperation with graphics"},
      {"'cudaGraph", "graphs"},
      {"'cudaKernelNodeParams", "graphs"},
      {"'cudaMemsetParams", "graphs"},
      {"'npp", "NPP"},
      {"'nvjpeg", "nvJPEG"},
      {"in 'cuda::barrier<", "such part of libcu++"},
      {"in 'cuda::pipeline<", "such part of libcu++"},
      {"'__hipPushCallConfiguration' in __global__",
       "kernels that launch kernels (dynamic parallelism)"},
      {"'cudaGL", "interoperation with graphics"},
      {"named 'texture'", "textures"},
      {"'tex1D", "textures"},
      {"'tex2D", "textures"},
      {"'tex3D", "textures"},
      {"'texCubemap", "textures"},
      {"'surf2D", "surfaces"},
      {"'surface'", "surfaces"},
      {"in __global__ function\n", "kernels that launch kernels (dynamic parallelism)"},
      {"call to 'malloc'", "malloc in kernels"},
      {"'operator new' function", "malloc in kernels"},
      {"'CU_DEVICE_ATTRIBUTE_VIRTUAL", "virtual memory of the driver API"},
      {"'curandStateS", "quasi-random generators"},
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
