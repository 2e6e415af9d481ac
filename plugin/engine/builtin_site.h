#pragma once

#include "plugin/compat.h"

#include <cstdint>
#include <vector>

namespace aiwc::plugin::engine {

/// A call of an OpenCL C function that is done by Oclgrind's own implementation, on a work-item
/// that is there for nothing else. What it computes is Oclgrind's by construction.
struct BuiltinSite {
  /// An argument that is no constant, as it lies in the caller's buffer.
  struct Argument {
    const llvm::Value *value; ///< Oclgrind's operand
    uint32_t offset, size, lanes;
  };

  const llvm::CallInst *call = nullptr; ///< Oclgrind's
  oclgrind::InterpreterCache::Builtin builtin;
  std::vector<Argument> arguments;
  uint32_t argumentBytes = 0;               ///< of the caller's buffer
  uint32_t resultSize = 0, resultLanes = 0; ///< bytes of an element, elements

  // Of a function that stores: to which address space (OpenCL's number), how many bytes in a row,
  // and where in the caller's buffer the pointer lies; kConstant: it is a constant.
  static constexpr uint32_t kConstant = UINT32_MAX;
  unsigned space = 0;
  uint32_t storedBytes = 0, pointer = kConstant;

  /// Throws what Oclgrind throws.
  void evaluate(oclgrind::WorkItem &scratch, const uint8_t *arguments, uint8_t *result) const;
};

} // namespace aiwc::plugin::engine
