/// The errors that the simulator reports about a launch, in the terms of the user who described it.
#pragma once

#include "kernel_launch/signature.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::kernel_launch {

/// What the compiler of the simulator calls the text that it is given.
inline constexpr std::string_view kCompiledName = "input.cl";

/// `text` with the name of the user's file in place of that name.
std::string withFileName(std::string text, const std::string &file);

struct SimulatorError {
  std::string message; ///< its first line
  std::string item;    ///< the global id of the work-item, "(63,0,0)"; empty: of none
  std::string file;    ///< as the compiler calls it; empty: not known
  uint64_t line = 0;   ///< in that file
  /// An access outside of all memory, or misaligned.
  struct Access {
    bool isWrite = false;
    uint64_t bytes = 0;
    std::string space; ///< "global", "constant", "local" or "private"
    uint64_t address = 0;
  };
  std::optional<Access> access;
  /// An index beyond its array, whose size the program fixes.
  struct ArrayIndex {
    uint64_t index = 0, size = 0;
  };
  std::optional<ArrayIndex> arrayIndex;
};

/// Reads the text that the simulator composes for an error. What it does not say stays empty.
SimulatorError simulatorErrorOf(std::string_view text);

/// A launch to which errors belong.
struct LaunchedArguments {
  const Signature &signature;
  const std::vector<Argument> &arguments;
  /// Of each argument that is a buffer or an image: its address in the simulator; else 0.
  const std::vector<uint64_t> &addresses;
  std::string file;      ///< the program, as the user calls it
  std::string_view item; ///< "work-item", or "thread" of a CUDA kernel
};

/// For each argument the number of values, of its type or else bytes, with which its buffer would
/// hold all accesses that `errors` report beyond its end; 0: there are none.
std::vector<uint64_t> neededValues(const std::vector<SimulatorError> &errors,
                                   const LaunchedArguments &launch);

/// A line for each place in the program and each argument that errors concern, in the order of the
/// first of them, without more than ten. `untold`: errors without a text.
std::vector<std::string> linesOf(const std::vector<SimulatorError> &errors, uint64_t untold,
                                 const LaunchedArguments &launch);

} // namespace aiwc::kernel_launch
