/// Translates Oclgrind's IR to IR that computes the same results as Oclgrind's interpreter, writes
/// the trace and accesses memory through the tables of a `State`.
#pragma once

#include "common/error.h"
#include "decoding/decoder.h"
#include "engine_passes/builtin_site.h"
#include "simulator/meetings.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aiwc::engine {

/// Thrown if the kernel has to be interpreted; the message is the reason.
class NotCompilable : public Error {
public:
  using Error::Error;
};

/// An argument of the kernel or a variable of the program, and its place in `State::values`.
struct ValueSlot {
  const llvm::Value *value = nullptr; ///< in Oclgrind's module
  uint32_t offset = 0;
  uint32_t size = 0;

  bool operator==(const ValueSlot &) const = default;
};

/// An instruction that accesses memory, as Oclgrind executes it: `count` consecutive accesses of
/// `size` bytes each.
struct AccessSite {
  const llvm::Instruction *instruction = nullptr; ///< in Oclgrind's module
  uint64_t size = 0;
  uint64_t count = 1;
  uint64_t alignment = 1; ///< of the first
  bool write = false;
  bool isLocal = false;      ///< of local memory; else of global memory
  bool mayBeOutside = false; ///< code goes on where it is outside of all buffers
};

/// A function of the lowered module, and the functions that it calls: their indices in
/// `KernelCode::functions`, where they come before it.
struct LoweredFunction {
  std::string name;
  std::vector<size_t> callees;
};

/// For arguments of a kernel, the formats of images (formatCode in
/// compiler/engine_passes/image_entry.h) and the bits of samplers that launches have passed. The
/// code is correct with all values, and fast with these.
using ArgumentValues = std::map<const llvm::Value *, std::set<uint64_t>>;

/// Whether compiled code writes a trace. Code without a trace may run several work-items at once
/// (compiler/engine_passes/vectorise_items.h), which doubles the time that LLVM takes.
enum class Tracing { kOn, kOff, kOffAndWide };

/// Whether the work-groups of a launch may run at once, on several threads. If so, the code reports
/// the granules that it reads in buffers to which it may write (calls::readGranules).
/// With `kApart`, no group accesses what another one writes, and the accesses in `inBounds` need no
/// test (affine_offsets.h): the code reports no granules.
enum class Groups { kInOrder, kAtOnce, kApart };
/// Loads and stores in Oclgrind's module, and whether the next work-item in x accesses what
/// follows.
using Accesses = std::map<const llvm::Instruction *, bool>;

/// A place of code that runs groups at which work-items of a sub-group meet. Offsets are of values
/// in State::context, per work-item.
struct MeetingSite {
  uint64_t wait = 0;           ///< its number, from 1
  simulator::Meeting constant; ///< but for value, argument and mask
  uint64_t value = 0, argument = 0, mask = 0, result = 0;
};

/// What the mark of a work-item says that goes on behind the wait with the number in the other
/// bits. Without it, the work-item waits there; 0 is one that has returned.
inline constexpr uint8_t kGoesOn = 0x80;

/// The data that the code of a lowered module needs at run time.
struct KernelCode {
  std::vector<ValueSlot> slots;
  uint32_t valueBytes = 0;
  bool synchronises = false; ///< has a barrier, a meeting, or waits for copies
  bool meets = false;        ///< has functions at which work-items of a sub-group meet
  bool runsGroups = false;   ///< runs a work-group at a time, not a work-item
  bool runsSeveral = false;  ///< runs several work-items at once where it can
  bool triedWide = false;    ///< it runs several at once, or never can
  /// If the code runs groups whose work-items wait: the offset in State::context, per work-item, of
  /// a byte that tells where each is.
  std::optional<uint64_t> marks;
  std::vector<MeetingSite> meetings; ///< if the code runs groups
  uint64_t contextBytes = 0;         ///< of a work-item's live values, if the code runs groups
  bool loadsAddresses = false;       ///< may access buffers that are no arguments
  /// Whether the code allows groups to run at once. The launch's arguments have to allow it, too
  /// (GroupThreads), and while groups run at once, they must not access what another group writes
  /// (ThreadView).
  bool runsAtOnce = false;
  bool isApart = false;      ///< Groups::kApart
  bool callsRuntime = false; ///< may fail, or needs the engine
  Accesses inBounds;         ///< if `isApart`: the accesses that are not tested
  /// If `runsAtOnce`: the arguments and variables through which the kernel may write to buffers.
  /// The code reports all granules that it reads, except for those that it reads through other
  /// arguments and variables.
  std::set<const llvm::Value *> written;
  uint32_t blockAccesses = 0;             ///< most accesses in a block, if known
  std::vector<LoweredFunction> functions; ///< the kernel is the last
  /// Calls of Oclgrind's own functions.
  std::vector<std::unique_ptr<BuiltinSite>> builtins;
  /// Accesses of global and local memory by code of its own.
  std::vector<std::unique_ptr<AccessSite>> accesses;
  /// Everything of this process that compiled code refers to: functions, the objects above, and
  /// objects of Oclgrind's module. Compiled code has their indices here and no address, so that
  /// another process can run the same code with its own addresses.
  std::vector<const void *> addresses;
};

inline constexpr const char *kEntryName = "aiwc_kernel";

/// Turns `module`, a copy of the kernel's module in a separate LLVM context, into one that defines
/// `void aiwc_kernel(State *, const void *const *addresses)`, which runs the work-item that the
/// state describes, or all of its work-group (`KernelCode::runsGroups`). Code that writes a trace
/// ignores `groups` and `inBounds`. Throws `NotCompilable`.
KernelCode lower(llvm::Module &module, const llvm::Function &kernel,
                 const decoding::DecodedProgram &decoded, const oclgrind::InterpreterCache &cache,
                 Tracing tracing, const ArgumentValues &seen, Groups groups,
                 const Accesses &inBounds);

} // namespace aiwc::engine
