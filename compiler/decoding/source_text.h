#pragma once

#include "decoding/llvm.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace aiwc::decoding {

/// Whether `aiwc build` compiled the module from CUDA or HIP.
bool isCuda(const llvm::Module &module);

/// The mark of a module that `aiwc build --warps-in-step` compiled.
inline constexpr llvm::StringLiteral kWarpsInStep("aiwc.warps_in_step");
inline bool runsWarpsInStep(const llvm::Module &module) {
  return module.getNamedMetadata(kWarpsInStep) != nullptr;
}

/// The source of a kernel's program as one text, so that one number names a line of it: the source
/// that the host gave, then each included file in which the program has code, under a comment with
/// its name.
///
/// CUDA and HIP give no source, but the device code that `aiwc build` made has the names of its
/// files: the text is the file that was compiled with the kernel, then the others.
///
/// A file that cannot be read any more, such as a header that the host gave as a string, is left
/// out; its lines keep the numbers that they have in it. So do the lines of a program without
/// source.
class SourceText {
public:
  SourceText(std::string source, std::string_view buildOptions, const llvm::Function &kernel);

  /// Empty if the program has no source.
  const std::string &text() const { return text_; }
  /// The line of an instruction in the text, from 1; 0 if the location is unknown.
  uint32_t lineOf(const llvm::DebugLoc &location) const;

private:
  void appendFilesOf(const llvm::Module &module, std::map<std::string, uint32_t> &offsets);
  /// Appends the file. Returns the number of lines before its first one, or 0 if it cannot be read.
  uint32_t append(const llvm::DIFile &file, const std::string &path);

  std::string text_;
  std::map<const llvm::DIFile *, uint32_t> offsets_; ///< included file -> lines before its first
};

/// The line of code that the location names, from its first word; empty if its file cannot be read.
std::string codeAt(const llvm::DebugLoc &location);

} // namespace aiwc::decoding
