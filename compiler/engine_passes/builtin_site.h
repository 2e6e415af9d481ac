#pragma once

#include "engine_passes/image_entry.h"
#include "simulator/compat.h"

#include <cstdint>
#include <vector>

namespace aiwc::engine {

/// A call of an OpenCL C function that Oclgrind's own implementation executes, on a work-item that
/// exists only for such calls. The result is therefore the same as the interpreter's.
struct BuiltinSite {
  /// An argument that is no constant, and its place in the caller's argument buffer.
  struct Argument {
    const llvm::Value *value; ///< the operand in Oclgrind's module
    uint32_t offset, size, lanes;
  };

  const llvm::CallInst *call = nullptr; ///< in Oclgrind's module
  oclgrind::InterpreterCache::Builtin builtin;
  std::vector<Argument> arguments;
  uint32_t argumentBytes = 0;               ///< size of the caller's argument buffer
  uint32_t resultSize = 0, resultLanes = 0; ///< bytes of an element, elements

  // Only for a function that stores: OpenCL's number of the address space, the number of contiguous
  // bytes, and the offset of the pointer in the argument buffer (kConstant: the pointer is a
  // constant).
  static constexpr uint32_t kConstant = UINT32_MAX;
  unsigned space = 0;
  uint32_t storedBytes = 0, pointer = kConstant;

  // Only for a function that reads or writes an image.
  Colour colour = Colour::kReal;
  bool hasRealCoordinates = false;

  /// Gives the work-item `scratch` the arguments of this call.
  void bind(oclgrind::WorkItem &scratch, const uint8_t *arguments) const;
  /// Calls Oclgrind's implementation on `scratch`, which has the arguments. Throws what Oclgrind
  /// throws.
  void evaluateBound(oclgrind::WorkItem &scratch, uint8_t *result) const;
  void evaluate(oclgrind::WorkItem &scratch, const uint8_t *arguments, uint8_t *result) const {
    bind(scratch, arguments);
    evaluateBound(scratch, result);
  }
};

} // namespace aiwc::engine
