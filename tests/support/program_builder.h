/// Builds decoded programs by hand for tests of traces.
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
  /// Begins a function. The blocks added next belong to it, and the first of them is its entry. The
  /// first function is the kernel.
  trace::FunctionId function(const std::string &name);
  /// Returns `operation` with this LLVM opcode.
  trace::Operation op(const std::string &opcode, trace::Operation operation = {});
  /// Returns `operation` with these operands and result. The caller numbers the values; a value may
  /// be used before it is defined.
  trace::Operation reading(trace::Operation operation, const std::vector<trace::Operand> &operands,
                           trace::ValueId result = trace::ValueId::kNone);
  /// Adds an array with this name.
  trace::ArrayId array(const std::string &name);
  /// Sets the arguments of the current function.
  void arguments(const std::vector<trace::ValueId> &values);
  trace::BlockId block(const std::vector<trace::Operation> &operations, trace::BlockEnd end,
                       const std::vector<trace::BlockId> &successors = {},
                       trace::FunctionId callee = trace::FunctionId::kNone);
  /// Returns the program, with its natural loops and finalized. Throws what `Program::finalize`
  /// throws.
  trace::Program build() const;

private:
  void use(trace::ValueId value);

  trace::Program program_;
  std::map<std::string, trace::OpcodeId> opcodes_;
};

} // namespace aiwc::test
