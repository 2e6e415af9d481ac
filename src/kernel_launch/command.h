/// The command line of the host program, which `aiwc kernel` writes and the host reads.
#pragma once

#include "kernel_launch/argument_text.h"
#include "kernel_launch/sizes.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

/// What messages of `aiwc kernel` begin with.
inline constexpr std::string_view kName = "aiwc kernel";

enum class FileKind : uint8_t { kOpenClC, kBitcode, kLlvmText, kSpirv, kCuda, kCapture };

struct Command {
  std::vector<std::string> files; ///< a program, or folders of captures
  std::string kernel;             ///< empty: the only one of the program
  std::vector<std::string> global;
  std::string local, offset, buildOptions;
  std::string sharedMemory;           ///< bytes of dynamic shared memory of a CUDA kernel
  std::vector<std::string> arguments; ///< texts of --arg
  /// Folders for the contents of buffers and images after each launch, which the host writes there,
  /// or compares with those that are there, whose sizes buffers of open size then have; empty:
  /// neither. `aiwc kernel` does not offer them.
  std::string writtenResults, expectedResults;
};

/// By the end of its name, or a folder. Throws Error for any other, and if there is none.
FileKind fileKindOf(const std::string &file);

/// Throws Error unless there is one file, and it is a program that macros change: .cl or .cu.
void requireSource(const std::vector<std::string> &files);

/// What follows from a command without looking at the program.
struct Parsed {
  FileKind kind = FileKind::kOpenClC;
  std::vector<Sizes> sizes; ///< of each launch; none for captures
  std::vector<ArgumentText> arguments;
  bool proposes = false; ///< whether "auto" is among the arguments
};
/// Throws Error for a command that cannot be carried out.
Parsed parsed(const Command &command);

/// The words after the host's name, and back. Throws Error for words that no command has.
std::vector<std::string> wordsOf(const Command &command);
Command commandOf(const std::vector<std::string> &words);

} // namespace aiwc::kernel_launch
