#pragma once

#include "plugin/compat.h"

#include <cstdint>
#include <vector>

namespace aiwc::plugin::engine {

/// A call of an OpenCL C function that touches no memory, done by Oclgrind's own implementation on
/// a work-item that is there for nothing else. Its result is Oclgrind's by construction.
struct BuiltinSite {
  /// An argument that is no constant, as it lies in the caller's buffer.
  struct Argument {
    const llvm::Value *value; ///< Oclgrind's operand
    uint32_t offset, size, lanes;
  };

  const llvm::CallInst *call = nullptr; ///< Oclgrind's
  oclgrind::InterpreterCache::Builtin builtin;
  std::vector<Argument> arguments;
  uint32_t resultSize = 0, resultLanes = 0; ///< bytes of an element, elements

  /// Throws what Oclgrind throws.
  void evaluate(oclgrind::WorkItem &scratch, uint8_t *arguments, uint8_t *result) const;
};

} // namespace aiwc::plugin::engine
