#include "embed/container.h"

#include "common/error.h"
#include "embed/bitcode.h"
#include "embed/cuda_program.h"
#include "embed/llvm_text.h"
#include "embed/opencl_c.h"
#include "embed/spirv.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace aiwc::embed {

namespace {

constexpr std::array kContainers = {&kBitcode, &kSpirv,    &kCudaProgram,
                                    &kBinary,  &kLlvmText, &kOpenClC};

[[noreturn]] std::string refuse() {
  throw Error("is not OpenCL C, LLVM bitcode, SPIR-V or a CUDA program: expected one of them; a "
              "sidecar works with any file");
}

} // namespace

const Container kBinary = {
    .name = "a binary",
    .sourceKind = "",
    .isSource = false,
    .holds = false,
    .recognises =
        [](const std::filesystem::path &, std::string_view content) {
          return content.find('\0') != std::string_view::npos;
        },
    .read = readBitcode,
    .strip = [](std::string_view) { return refuse(); },
    .embed = [](std::string_view, std::span<const Annotation>) { return refuse(); },
    .identity = [](std::string_view) { return Identity{}; },
};

const Container &containerOf(const std::filesystem::path &file, std::string_view content) {
  return **std::ranges::find_if(kContainers, [&](const Container *container) {
    return container->recognises(file, content);
  });
}

std::string mismatch(const profile::Provenance &provenance, const Container &container,
                     const Identity &identity) {
  const std::string_view kind = provenance.sourceKind == "bitcode" ? "bitcode"
                                : provenance.sourceKind == "cuda"  ? "cuda"
                                                                   : "opencl-c";
  const bool sameKind = kind == container.sourceKind;
  const bool byHash = !identity.hash.empty() && (sameKind || container.isSource);
  if (byHash && (!sameKind || provenance.sourceHash != identity.hash))
    return fmt::format("provenance.source_hash is {} ({}): expected {}",
                       text::printable(provenance.sourceHash, 60), kind, identity.hash);
  const auto &kernels = identity.kernels;
  if (kernels.empty() || std::ranges::binary_search(kernels, provenance.kernel))
    return "";
  constexpr size_t kMost = 5;
  return fmt::format(
      "provenance.kernel is {}: expected one that it defines: {}{}",
      text::printable(provenance.kernel, 60),
      text::printable(
          fmt::format("{}", fmt::join(kernels.begin(),
                                      kernels.begin() + std::min(kernels.size(), kMost), ", ")),
          200),
      kernels.size() > kMost ? ", ..." : "");
}

} // namespace aiwc::embed
