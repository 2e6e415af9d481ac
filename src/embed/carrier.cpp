#include "embed/carrier.h"

#include "common/error.h"
#include "embed/bitcode.h"
#include "embed/llvm_text.h"
#include "embed/opencl_c.h"
#include "embed/spirv.h"
#include "profile/source_hash.h"
#include "profile/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aiwc::embed {

namespace {

/// Whether `text` begins as LLVM IR does and OpenCL C cannot, comments aside.
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

std::string noCarrier() {
  return "is none of OpenCL C, LLVM IR, LLVM bitcode and SPIR-V: expected one of them; a sidecar "
         "goes with anything";
}

} // namespace

Carrier carrierOf(const std::filesystem::path &file, std::string_view content) {
  if (isBitcode(content))
    return Carrier::kBitcode;
  if (isSpirv(content))
    return Carrier::kSpirv;
  if (content.find('\0') != std::string_view::npos)
    return Carrier::kSidecar;
  if (file.extension() == ".ll" || (file.extension() != ".cl" && beginsAsLlvmText(content)))
    return Carrier::kLlvmText;
  return Carrier::kOpenClC;
}

std::string_view name(Carrier carrier) {
  switch (carrier) {
  case Carrier::kOpenClC:
    return "OpenCL C";
  case Carrier::kLlvmText:
    return "LLVM IR";
  case Carrier::kBitcode:
    return "LLVM bitcode";
  case Carrier::kSpirv:
    return "SPIR-V";
  case Carrier::kSidecar:
    break;
  }
  return "a binary";
}

Annotations readFrom(Carrier carrier, std::string_view content) {
  switch (carrier) {
  case Carrier::kOpenClC:
    return readAnnotations(content);
  case Carrier::kLlvmText:
    return readLlvmText(content);
  case Carrier::kSpirv:
    return readSpirv(content);
  case Carrier::kBitcode:
  case Carrier::kSidecar:
    break;
  }
  return readBitcode(content);
}

std::string stripFrom(Carrier carrier, std::string_view content) {
  switch (carrier) {
  case Carrier::kOpenClC:
    return strip(content);
  case Carrier::kLlvmText:
    return stripLlvmText(content);
  case Carrier::kBitcode:
    return stripBitcode(content);
  case Carrier::kSpirv:
    return stripSpirv(content);
  case Carrier::kSidecar:
    break;
  }
  throw Error(noCarrier());
}

std::string embedInto(Carrier carrier, std::string_view content,
                      std::span<const Annotation> annotations) {
  switch (carrier) {
  case Carrier::kOpenClC:
    return embed(content, annotations);
  case Carrier::kLlvmText:
    return embedIntoLlvmText(content, annotations);
  case Carrier::kBitcode:
    return embedIntoBitcode(content, annotations);
  case Carrier::kSpirv:
    return embedIntoSpirv(content, annotations);
  case Carrier::kSidecar:
    break;
  }
  throw Error(noCarrier());
}

Identity identityOf(Carrier carrier, std::string_view content) {
  switch (carrier) {
  case Carrier::kOpenClC:
    return {bareHash(content), {}};
  case Carrier::kLlvmText:
    return {"", definedInLlvmText(content)};
  case Carrier::kBitcode:
    return identityOfBitcode(content);
  case Carrier::kSpirv:
    return {"", definedInSpirv(content)};
  case Carrier::kSidecar:
    break;
  }
  return {};
}

std::string mismatch(const profile::Provenance &provenance, Carrier carrier,
                     const Identity &identity) {
  const bool fromBitcode = provenance.sourceKind == "bitcode";
  const std::string_view kind = fromBitcode ? "bitcode" : "opencl-c";
  const bool byHash = carrier == Carrier::kOpenClC ||
                      (carrier == Carrier::kBitcode && fromBitcode && !identity.hash.empty());
  const bool sameKind = carrier != Carrier::kOpenClC || !fromBitcode;
  if (byHash && (!sameKind || provenance.sourceHash != identity.hash))
    return fmt::format("provenance.source_hash is {} ({}): expected {}",
                       profile::printable(provenance.sourceHash, 60), kind, identity.hash);
  const auto &kernels = identity.kernels;
  if (kernels.empty() || std::ranges::binary_search(kernels, provenance.kernel))
    return "";
  constexpr size_t kMost = 5;
  return fmt::format(
      "provenance.kernel is {}: expected one that it defines: {}{}",
      profile::printable(provenance.kernel, 60),
      profile::printable(
          fmt::format("{}", fmt::join(kernels.begin(),
                                      kernels.begin() + std::min(kernels.size(), kMost), ", ")),
          200),
      kernels.size() > kMost ? ", ..." : "");
}

} // namespace aiwc::embed
