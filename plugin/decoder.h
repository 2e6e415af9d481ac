/// LLVM IR to `trace::Program`: once per kernel invocation, so that nothing about an instruction
/// has to be found out while it executes.
#pragma once

#include "plugin/compat.h"
#include "trace/program.h"

#include <span>
#include <vector>

namespace aiwc::plugin {

/// A decoded kernel and the instructions it was decoded from.
class DecodedProgram {
public:
  /// Decodes `kernel` and every function with a body that it can reach. Throws `aiwc::Error` for
  /// IR that no OpenCL 1.2 compiler produces (an indirect call).
  explicit DecodedProgram(const llvm::Function &kernel);

  const trace::Program &program() const { return program_; }
  /// The instructions of a block, followed by a null pointer.
  const llvm::Instruction *const *instructions(trace::BlockId block) const {
    return instructions_.data() + firstInstruction_[index(block)];
  }

private:
  friend class Decoder;

  trace::Program program_;
  std::vector<const llvm::Instruction *> instructions_; ///< each block's end in nullptr
  std::vector<size_t> firstInstruction_;                ///< per block
};

} // namespace aiwc::plugin
