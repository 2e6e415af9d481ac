/// Decoded programs written down by hand, for tests that reason about traces.
#pragma once

#include "trace/program.h"

#include <map>
#include <string>
#include <vector>

namespace aiwc::test {

/// Blocks and functions are numbered in the order in which they are added, from 0, so a test may
/// name a block before it exists: `BlockId{2}` is the third.
class ProgramBuilder {
public:
  /// Opens a function; the blocks that follow are its own, the first of them its entry. The first
  /// function is the kernel.
  trace::FunctionId function(const std::string &name);
  /// `operation` as an instruction of that LLVM opcode.
  trace::Operation op(const std::string &opcode, trace::Operation operation = {});
  /// `operation`, reading `operands` and defining `result`. The caller numbers a program's values
  /// and may name one before it is defined.
  trace::Operation reading(trace::Operation operation, const std::vector<trace::Operand> &operands,
                           trace::ValueId result = trace::ValueId::kNone);
  /// The arguments of the function that is open.
  void arguments(const std::vector<trace::ValueId> &values);
  trace::BlockId block(const std::vector<trace::Operation> &operations, trace::BlockEnd end,
                       const std::vector<trace::BlockId> &successors = {},
                       trace::FunctionId callee = trace::FunctionId::kNone);
  /// The program with its natural loops, finalized: throws what `Program::finalize` throws.
  trace::Program build() const;

private:
  void use(trace::ValueId value);

  trace::Program program_;
  std::map<std::string, trace::OpcodeId> opcodes_;
};

} // namespace aiwc::test
