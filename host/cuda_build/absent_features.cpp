#include "cuda_build/absent_features.h"

#include <array>
#include <utility>
#include <vector>

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
  // What a program uses, and what stands in a compiler's messages if it does.
  using Signs = std::vector<std::string_view>;
  static const std::vector<std::pair<std::string_view, Signs>> kFeatures = {
      {"such part of thrust", {"'thrust/"}},
      {"such part of cub", {"'cub/"}},
      {"such part of libcu++",
       {"'cuda/std/", "'cuda/atomic'", "'cuda/functional'", "'cuda/latch'", "'cuda/semaphore'",
        "in 'cuda::barrier<", "in 'cuda::pipeline<"}},
      {"cuBLAS", {"'cublas"}},
      {"cuFFT", {"'cufft"}},
      {"cuSPARSE", {"'cusparse"}},
      {"cuSOLVER", {"'cusolver"}},
      {"cuDNN", {"'cudnn"}},
      {"NCCL", {"'nccl"}},
      {"NVML", {"'nvml"}},
      {"rocBLAS", {"'rocblas"}},
      {"hipBLAS", {"'hipblas"}},
      {"rocPRIM", {"'rocprim/"}},
      {"such part of hipCUB", {"'hipcub/"}},
      {"compilation of CUDA at run time", {"'nvrtc"}},
      {"linking of PTX at run time", {"'cuLink", "'CUlink"}},
      {"virtual memory of the driver API", {"'CUmem", "'CU_DEVICE_ATTRIBUTE_VIRTUAL"}},
      {"textures",
       {"'cuArray",
        "'CUarray",
        "'cuTex",
        "'CUtex",
        "'cudaAddressMode",
        "'cudaBindTex",
        "'cudaChannelFormat",
        "'cudaCreateChannelDesc",
        "'cudaCreateTex",
        "'cudaFilterMode",
        "'cudaFreeArray",
        "'cudaMalloc3DArray",
        "'cudaMallocArray",
        "'cudaMallocMipmapped",
        "'cudaMemcpy2DToArray",
        "'cudaMemcpyToArray",
        "'cudaReadMode",
        "'cudaResource",
        "'cudaTexture",
        "'cudaUnbindTex",
        "'cuda_texture_",
        "'hipResource",
        "'hipTexture",
        "'texture_",
        "named 'texture'",
        "'tex1D",
        "'tex2D",
        "'tex3D",
        "'texCubemap"}},
      {"surfaces",
       {"'cudaBoundaryMode", "'surf1D", "'surf2D", "'surf3D", "'surface'", "'surface_"}},
      {"interoperation with graphics", {"'cudaGraphics", "'cudaGL"}},
      {"graphs", {"'cudaGraph", "'cudaKernelNodeParams", "'cudaMemsetParams"}},
      {"NPP", {"'npp"}},
      {"nvJPEG", {"'nvjpeg"}},
      {"kernels that launch kernels (dynamic parallelism)",
       {"'__hipPushCallConfiguration' in __global__", "in __global__ function\n"}},
      {"malloc in kernels", {"call to 'malloc'", "'operator new' function"}},
      {"quasi-random generators", {"'curandStateS"}},
  };
  for (size_t at = 0; (at = messages.find("error: ", at)) != std::string_view::npos; ++at) {
    const std::string_view rest = messages.substr(at);
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    const bool isOfGlobal = line.find("reference to __global__ function") != std::string_view::npos;
    for (const auto &[feature, signs] : kFeatures)
      for (const std::string_view sign : signs)
        if (line.find(sign) != std::string_view::npos &&
            (isOfGlobal || !sign.starts_with("in __global__")))
          return std::string(feature);
  }
  return {};
}

} // namespace aiwc::cuda_build
