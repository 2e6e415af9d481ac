#include "embed/container.h"

#include "common/error.h"
#include "common/file.h"
#include "embed/bitcode.h"
#include "embed/cuda_program.h"
#include "embed/opencl_c.h"
#include "embed/sidecar.h"
#include "embed/spirv.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace aiwc::embed {

namespace {

constexpr std::array kContainers = {&kBitcode, &kSpirv,    &kCudaProgram,
                                    &kBinary,  &kLlvmText, &kOpenClC};

/// Whether `text`, apart from comments, begins in a way that LLVM IR can and OpenCL C cannot.
bool beginsAsLlvmText(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  for (;;) {
    const size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos)
      return false;
    text.remove_prefix(begin);
    if (!text.starts_with(';'))
      break;
    const size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos)
      return text.starts_with("; ModuleID = ");
    text.remove_prefix(end);
  }
  // %: is a digraph of C.
  return (text.starts_with('%') && !text.starts_with("%:")) || text.starts_with('@') ||
         text.starts_with('!') || text.starts_with("source_filename = ") ||
         text.starts_with("target datalayout = ") || text.starts_with("target triple = ") ||
         text.starts_with("module asm ") || text.starts_with("attributes #") ||
         ((text.starts_with("define ") || text.starts_with("declare ")) &&
          text.substr(0, text.find_first_of("\r\n")).find('@') != std::string_view::npos);
}

bool isLlvmText(const std::filesystem::path &file, std::string_view content) {
  return file.extension() == ".ll" || (file.extension() != ".cl" && beginsAsLlvmText(content));
}

[[noreturn]] std::string refuseText() {
  throw Error("is LLVM IR as text: expected bitcode, which llvm-as makes of it; a sidecar "
              "(--sidecar) works with any file");
}

void append(Annotations &to, Annotations &&from) {
  for (Annotation &annotation : from.found)
    to.found.push_back(std::move(annotation));
  for (std::string &reason : from.reasons)
    if (to.reasons.size() < Annotations::kMaximumReasons)
      to.reasons.push_back(std::move(reason));
  to.rejected += from.rejected;
}

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

const Container kLlvmText = {
    .name = "LLVM IR as text",
    .sourceKind = "",
    .recognises = isLlvmText,
    .read = readBitcode,
    .strip = [](std::string_view text) -> std::string {
      return text.find(kMarkerName) == std::string_view::npos ? std::string(text) : refuseText();
    },
    .embed = [](std::string_view, std::span<const Annotation>) { return refuseText(); },
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

Annotations annotationsIn(std::string_view content, const std::filesystem::path &name) {
  Annotations result = containerOf(name, content).read(content);
  for (Annotation &annotation : result.found)
    annotation.place = fmt::format("{}: {}", name.string(), annotation.place);
  for (std::string &reason : result.reasons)
    reason = fmt::format("{}: {}", name.string(), reason);
  return result;
}

Annotations annotationsOf(const std::filesystem::path &file) {
  Annotations result = annotationsIn(readFile(file, "a kernel's source or binary"), file);
  const std::filesystem::path sidecar = sidecarOf(file);
  std::error_code error;
  if (!std::filesystem::exists(sidecar, error))
    return result;
  try {
    append(result,
           readSidecar(readFile(sidecar, "a sidecar"), sidecar.string(), result.sourceHash));
  } catch (const Error &unreadable) {
    result.reasons.emplace_back(unreadable.what());
    ++result.rejected;
  }
  return result;
}

} // namespace aiwc::embed
