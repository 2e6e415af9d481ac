/// The data that compiled kernels and the engine's runtime share. The compiled code accesses the
/// members by their offsets, so both structures have the layout of C.
#pragma once

#include "trace/recorder.h"

#include <cstdint>

namespace aiwc::engine {

/// Why a launch that has begun needs the interpreter.
enum class Failure : uint64_t {
  kAccess,
  kArrayIndex,
  kElementIndex,
  kDimension,
  kUnreachable,
  kDivergence,
  kCopies,
  kOutput,
  kNoImage,
  kImageFormat,
  kStacks,
  kOrder,
  kInternal,
};

/// The failure in words.
const char *describe(Failure failure);

/// Granules of global memory are saved before the first store to them, so that a launch which turns
/// out to need the interpreter can be rolled back. A granule has 64 bytes, not the 4 KiB of a page,
/// which a launch that writes a column of a matrix would copy for each number; and work-groups that
/// run at once may write rows of a few numbers beside each other.
inline constexpr uint64_t kGranuleBits = 6;

/// The number of bits of a global address that are the offset in its buffer.
inline constexpr unsigned kGlobalOffsetBits = 48;

/// A buffer in the tables of compiled code. An entry of zeros refuses every access. The sizes of a
/// global buffer exclude accesses about which Oclgrind reports an error.
struct BufferEntry {
  uint8_t *data = nullptr;
  uint64_t readSize = 0;    ///< bytes from its start that may be read
  uint64_t writeSize = 0;   ///< the same for writing
  uint8_t *dirty = nullptr; ///< of a global buffer: per granule, whether it has been saved
  /// Of a global buffer: per granule, whether the code has reported that it reads the granule
  /// (Groups::kAtOnce).
  uint8_t *read = nullptr;
};

/// If work-items could not run at once (compiler/engine_passes/vectorise_items.h), the next ones do
/// not try. Each failure doubles the length of this pause.
struct WidePause {
  uint64_t left = 0;   ///< how many more times not to try
  uint64_t length = 0; ///< the length of the last pause
};

/// The state of one thread. Addresses are Oclgrind's: the number of the buffer in the upper bits,
/// the offset in the lower bits (48 in global and in local memory, 32 in private memory).
struct State {
  /// Code keeps the cursors in registers; it writes them back before calls that use the trace and
  /// loads them again after.
  trace::Cursors trace;

  // Tables by buffer number.
  const BufferEntry *global = nullptr;
  const BufferEntry *local = nullptr;
  const BufferEntry *privateMemory = nullptr;
  uint64_t localCount = 0, privateCount = 0;

  uint64_t globalId[3] = {}, localId[3] = {}, groupId[3] = {};
  uint64_t globalSize[3] = {}, globalOffset[3] = {}, localSize[3] = {}, enqueuedLocalSize[3] = {},
           numGroups[3] = {};
  uint64_t workDim = 0;

  // Of the work-group, for code that runs it as a whole.
  uint64_t groupOrigin[3] = {};            ///< the global id of its first work-item
  const uint64_t (*localIds)[3] = nullptr; ///< by linear local id
  uint64_t items = 0;                      ///< number of its work-items
  uint8_t *context = nullptr;              ///< `KernelCode::contextBytes` for each of them
  uint64_t *itemInstructions = nullptr;    ///< they have executed, by linear local id; or null
  WidePause *widePauses = nullptr;         ///< by parallel region

  /// What code that writes no trace has executed of the group, up to the last barrier or the end of
  /// a work-item.
  trace::Executed executed;
  /// From so many instructions on, a loop of such code asks calls::checkWork whether to go on. Only
  /// groups that run at once are limited.
  uint64_t workLimit = UINT64_MAX;

  /// The kernel's arguments and the program's variables, at the offsets of their `ValueSlot`s.
  const uint8_t *values = nullptr;
  class ThreadRuntime *runtime = nullptr;
};

} // namespace aiwc::engine
