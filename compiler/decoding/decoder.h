/// Converts LLVM IR to a `trace::Program`, once per kernel, so that no instruction has to be
/// analysed while it executes.
#pragma once

#include "decoding/llvm.h"
#include "decoding/source_text.h"
#include "trace/program.h"

#include <span>
#include <vector>

namespace aiwc::decoding {

/// A structure that a call passes by value. During the call the simulator copies it to memory of
/// the callee.
struct ByValueArgument {
  const llvm::Value *passed;       ///< pointer to the caller's structure, in private memory
  const llvm::Argument *parameter; ///< pointer to the copy, in private memory
  uint32_t bytes;
};

/// A decoded kernel and the instructions it was decoded from.
class DecodedProgram {
public:
  /// Decodes `kernel` and every function with a body that it can reach. `source` numbers the lines;
  /// null: as the compiler did. Throws `aiwc::Error` for IR that no OpenCL 1.2 compiler produces
  /// (an indirect call).
  explicit DecodedProgram(const llvm::Function &kernel, const SourceText *source = nullptr);

  const trace::Program &program() const { return program_; }
  /// A number that no other decoding in this process has, from 1.
  uint64_t id() const { return id_; }
  /// The instructions of a block, followed by a null pointer.
  const llvm::Instruction *const *instructions(trace::BlockId block) const {
    return instructions_.data() + firstInstruction_[index(block)];
  }
  /// The arguments that the call at the end of a block passes by value.
  std::span<const ByValueArgument> byValueArguments(trace::BlockId block) const {
    const size_t begin = firstByValue_[index(block)], end = firstByValue_[index(block) + 1];
    return std::span(byValue_).subspan(begin, end - begin);
  }

  /// For each operation, whether it accesses memory that work-items share at addresses that may
  /// step from one work-item to the next in another way in another work-group (AddressSteps).
  const std::vector<bool> &stepsVary() const { return stepsVary_; }

private:
  friend class Decoder;

  uint64_t id_ = 0;
  trace::Program program_;
  std::vector<const llvm::Instruction *> instructions_; ///< each block's list ends with nullptr
  std::vector<size_t> firstInstruction_;                ///< per block
  std::vector<ByValueArgument> byValue_;
  std::vector<size_t> firstByValue_; ///< per block, and one past the last
  std::vector<bool> stepsVary_;      ///< per operation
};

} // namespace aiwc::decoding
