#include "embed/llvm_text.h"

#include "common/error.h"
#include "embed/bitcode.h"

namespace aiwc::embed {

namespace {

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

} // namespace

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

} // namespace aiwc::embed
