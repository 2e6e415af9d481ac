#pragma once

#include "decoding/pointers.h"
#include "engine_passes/image_entry.h"
#include "engine_passes/lowering.h"
#include "engine_passes/state.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace aiwc::engine {

/// The place of an instruction in the decoded program.
struct Position {
  trace::BlockId block = trace::BlockId::kNone;
  uint32_t offset = 0; ///< in the block
  bool last = false;   ///< whether it is the last of the block
};

/// A tag for alias analysis: memory of different names does not overlap.
llvm::MDNode *aliasTag(llvm::LLVMContext &context, const char *name);

/// The offset of a pointer in the `State`, which `state` points to; no value if it is elsewhere.
std::optional<uint64_t> offsetInState(const llvm::Value *pointer, const llvm::Argument *state,
                                      const llvm::DataLayout &layout);

/// Metadata of the calls at which work-items wait: of calls::barrier, calls::meet and
/// calls::multiply.
inline constexpr const char *kBarrierMark = "aiwc.barrier";
/// Metadata of those of calls::meet.
inline constexpr const char *kMeetingMark = "aiwc.meeting";
/// Metadata of those of calls::multiply.
inline constexpr const char *kProductMark = "aiwc.product";

/// Metadata of branches to calls of calls::saveGranules or readGranules, alone in their blocks.
inline constexpr const char *kSaveMark = "aiwc.save";

/// Metadata of loads and stores that work-items which follow one another in x make of consecutive
/// places.
inline constexpr const char *kConsecutiveMark = "aiwc.consecutive";

/// The data that all functions of a module share while they are lowered.
struct ModuleLowering {
  llvm::Module &module;
  const llvm::Function &kernel; ///< in Oclgrind's module, as are the keys of all maps here
  const oclgrind::InterpreterCache &cache;
  Tracing tracing;
  KernelCode &code;
  const decoding::PointerTargets &pointers;
  std::unordered_map<const llvm::Instruction *, Position> positions;
  std::unordered_map<const llvm::Function *, llvm::Function *> functions;
  std::unordered_map<const llvm::Value *, size_t> slots;
  std::unordered_map<const void *, size_t> addresses; ///< indices in `KernelCode::addresses`
  ArgumentValues seen;                                ///< of functions that the kernel calls, too
  bool copiesInGroups = false;    ///< copies asynchronously, or waits for such copies
  bool usesPrivateMemory = false; ///< allocates private memory, or has arguments there
  /// Private memory is in the frames of the functions that allocate it (lower_frames.cpp).
  bool usesFrames = false;
  bool tellsOfReads = false;   ///< in buffers to which the kernel may write (Groups::kAtOnce)
  bool limitsWork = false;     ///< its loops look at State::workLimit
  bool writesAnywhere = false; ///< to buffers that KernelCode::written lacks

  const ValueSlot &slotOf(const llvm::Value &value);
  size_t addressIndex(const void *address);
  /// Adds to `seen` what the caller passes to functions. Call it for callers first.
  void passArguments(const llvm::Function &caller);
  /// The argument of the kernel, or the variable, into whose buffer `pointer` points; null if its
  /// computation does not show that, also in the callers.
  const llvm::Value *knownBase(const llvm::Value *pointer) const;
};

/// The name of what is allocated in a frame begins so.
inline constexpr const char *kFrameName = "private";

/// Number of arguments that pass a pointer to private memory in a frame: the members of
/// FunctionLowering::FramePointer.
inline constexpr unsigned kFrameArguments = 3;

/// Whether a type is that of pointers to private memory.
inline bool isPrivatePointer(const llvm::Type &type) {
  return type.isPointerTy() && type.getPointerAddressSpace() == oclgrind::AddrSpacePrivate;
}

/// Whether these functions, the last of which is the kernel, have private memory, and all of it can
/// be in the frames of those that allocate it (lower_frames.cpp).
bool canUseFrames(const std::vector<const llvm::Function *> &functions);

/// Finds to which buffers these functions, which are the kernel and those that it calls, may write,
/// and sets KernelCode::runsAtOnce as far as that shows it. A function without a body may write
/// wherever its arguments point.
void findOrder(const std::vector<const llvm::Function *> &functions, ModuleLowering &shared);

/// Loads an address of this process from `addresses`, the `KernelCode::addresses` that code gets.
llvm::Value *loadProcessAddress(llvm::IRBuilderBase &at, ModuleLowering &shared,
                                llvm::Value *addresses, const void *address);
/// Calls the function of the run time (runtime_calls.h) at `address` with the `State` and
/// arguments.
llvm::CallInst *callWithState(llvm::IRBuilderBase &at, llvm::Value *address, llvm::Value *state,
                              llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);

/// Lowers one function: moves its body into a function that takes the `State` and
/// `KernelCode::addresses` first and rewrites it there, instruction by instruction. A check that
/// fails at run time calls `calls::fail`.
///
/// It is one class because any instruction may need all of its data: the values that replace
/// Oclgrind's, the cursors of the trace, the accesses in the current block. Its files are divided
/// by subject: the frame of a function (function_lowering.cpp), instructions
/// (lower_instructions.cpp), arithmetic and conversions (lower_arithmetic.cpp), which NaN an
/// operation gives (lower_nans.cpp), memory and its trace (lower_memory.cpp), calls
/// (lower_calls.cpp), builtins that access memory (lower_builtins.cpp), private memory in frames
/// (lower_frames.cpp), functions of values that
/// become a few instructions (lower_value_builtins.cpp, lower_intrinsics.cpp), calls of Oclgrind's
/// own functions (lower_oclgrind_calls.cpp), functions of images (lower_images.cpp,
/// lower_pixels.cpp).
class FunctionLowering {
public:
  /// `original`: the function in Oclgrind's module; `copy`: its copy in the module to lower.
  FunctionLowering(ModuleLowering &shared, const llvm::Function &original, llvm::Function &copy);
  void run();

private:
  using Builder = llvm::IRBuilder<>;

  /// An instruction of the copy, its original in Oclgrind's module, and its position.
  struct Site {
    llvm::Instruction *instruction;
    const llvm::Instruction *original;
    Position position;
  };

  /// The properties of an access other than its address and size.
  struct AccessKind {
    unsigned space; ///< OpenCL's number
    bool write = false;
    bool atomic = false;
    unsigned count = 1;        ///< number of accesses of equal size, one behind the other
    bool mayBeOutside = false; ///< goes on where it is outside of all buffers
  };

  struct ArrayIndex {
    llvm::Value *index;
    uint64_t size; ///< elements of the array
  };

  // Frame (function_lowering.cpp)
  void moveBody();
  void bindArguments();
  llvm::Value *stateField(Builder &at, size_t offset, llvm::Type *type);
  llvm::Value *loadField(Builder &at, size_t offset, llvm::Type *type);
  llvm::Value *slotValue(const llvm::Value &original, llvm::Type *type);
  /// Loads an address of this process from `KernelCode::addresses`.
  llvm::Value *processAddress(Builder &at, const void *address);
  /// The same for a function.
  llvm::Value *processFunction(Builder &at, const void *function, llvm::FunctionType *type);
  llvm::CallInst *callRuntime(Builder &at, const void *function, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> arguments);
  template <typename Function>
  llvm::CallInst *call(Builder &at, Function *function, llvm::Type *result,
                       llvm::ArrayRef<llvm::Value *> arguments) {
    return callRuntime(at, reinterpret_cast<const void *>(function), result, arguments);
  }
  /// Writes the cursors back before a call that uses the trace (`spill`), and loads them again
  /// after it (`reload`). Code that writes no trace adds what it has executed to State::executed
  /// before the call.
  void spill(Builder &at);
  void reload(Builder &at);
  /// Moves the instructions of its block that come before `before` to a new block without a
  /// terminator, which takes over the predecessors, and returns it.
  llvm::BasicBlock *splitBefore(llvm::Instruction &before);
  /// Fails if `bad` holds; otherwise execution continues at `before`.
  void failIf(llvm::Value *bad, llvm::Instruction &before, Failure failure);
  llvm::BasicBlock *failureBlock(Failure failure);
  /// Makes a block that is executed before `before` if `condition` holds, which is rare. Returns
  /// its end, in front of which its instructions belong.
  llvm::Instruction *detourIf(llvm::Value *condition, llvm::Instruction &before, const char *name);
  llvm::Constant *number(uint64_t value) const;
  void materialiseConstants(llvm::Instruction &instruction);
  llvm::Value *materialise(llvm::Constant &constant, llvm::Instruction &before);

  // Instructions (lower_instructions.cpp)
  void checkTypes(const Site &site) const;
  /// Changes the type of `value` to the type in which the interpreter keeps it.
  static void keepWholeBytes(llvm::Value &value);
  void checkType(const llvm::Type &type) const;
  void lowerInstruction(const Site &site);
  void lowerComparison(llvm::CmpInst &comparison);
  /// Converts a truth value from the interpreter's form to LLVM's, lane by lane.
  static llvm::Value *isTrue(Builder &at, llvm::Value *value);
  void lowerElement(llvm::Instruction &instruction);
  void lowerPart(llvm::ExtractValueInst &part);
  void lowerGetElementPtr(const Site &site);
  llvm::Value *addressOf(Builder &at, const llvm::GEPOperator &original, llvm::Value *address,
                         llvm::ArrayRef<llvm::Value *> operands, std::vector<ArrayIndex> &indices);
  void replace(llvm::Instruction &instruction, llvm::Value *value);
  [[noreturn]] static void refuse(const std::string &what);

  // Arithmetic and conversions (lower_arithmetic.cpp)
  void lowerShift(llvm::Instruction &instruction);
  void lowerDivision(llvm::Instruction &instruction);
  void lowerRealArithmetic(llvm::Instruction &instruction);
  llvm::Value *remainder(Builder &at, llvm::Value *first, llvm::Value *second);
  llvm::Value *exactly(Builder &at, llvm::Instruction::BinaryOps opcode, llvm::Value *first,
                       llvm::Value *second);
  llvm::Value *callByLane(Builder &at, const void *function,
                          llvm::ArrayRef<llvm::Value *> arguments);
  void lowerCast(const Site &site);
  llvm::Value *toInteger(Builder &at, llvm::Value *real, llvm::Type *type, bool isSigned);

  // Half precision (lower_half.cpp)
  static bool isHalf(const llvm::Type &original);
  static llvm::Value *computable(Builder &at, const llvm::Value &original, llvm::Value *operand);
  llvm::Type *computedType(const Site &site);
  static std::vector<llvm::Value *> computedArguments(Builder &at, const Site &site);
  void replaceByComputed(const Site &site, llvm::Value *result);
  void lowerHalf(const Site &site);

  // NaNs (lower_nans.cpp)

  /// An operation of real numbers: consecutive instructions, of which `plain` computes the result
  /// and `exact` is the result with the NaN that Oclgrind gets.
  struct RealOperation {
    llvm::Instruction *plain, *exact;
    trace::BlockId block; ///< of Oclgrind's module
  };

  llvm::Value *withNaNOf(Builder &at, llvm::ArrayRef<llvm::Value *> operands, llvm::Value *result);
  static bool keepsSignalling(const llvm::Value &value);
  void chooseNaNsApart();
  void finishGroup(const std::vector<size_t> &operations,
                   const std::vector<llvm::Instruction *> &usual, bool chooses);

  // Trace and memory (lower_memory.cpp)
  void recordAccess(Builder &at, llvm::Value *address, llvm::Value *size, const Position &position,
                    AccessKind kind);
  /// The same in code that writes a trace, which has room for the access. `happens`: whether there
  /// is one; null: always.
  void recordReserved(Builder &at, llvm::Value *address, llvm::Value *size,
                      const Position &position, AccessKind kind, llvm::Value *happens = nullptr);
  /// Records `count` consecutive bytes, each as a separate access.
  void recordBytes(Builder &at, llvm::Value *address, uint64_t count, const Position &position,
                   AccessKind kind);
  /// Makes room in the trace for `count` more accesses of this block.
  void reserveAccesses(uint64_t count);
  void endBlock(const Position &position, llvm::Instruction &before);
  /// Calls calls::checkWork if the group has executed State::workLimit instructions.
  void checkWork(llvm::Instruction &before);
  /// Fails if an index is outside of its array, an error that Oclgrind reports for an access.
  void checkArrayIndices(const llvm::Value *pointer, llvm::Instruction &before);
  /// Checks the `size` bytes at `address` and returns their native pointer. `pointer`: the operand
  /// in Oclgrind's module. `happens`: whether the access takes place; null: always. If not, the
  /// address is known to be valid.
  llvm::Value *nativePointer(const Site &site, const llvm::Value *pointer, llvm::Value *address,
                             uint64_t size, uint64_t alignment, AccessKind kind,
                             llvm::Value *happens = nullptr);
  /// Calls `function` for the granule or granules of an access of `size` bytes of which `states`
  /// does not say yet that it was called.
  void callForGranules(llvm::Instruction &before, const void *function, llvm::Value *states,
                       llvm::Value *address, llvm::Value *offset, uint64_t size,
                       uint64_t alignment);
  llvm::Value *loadEntryField(Builder &at, llvm::Value *table, llvm::Value *buffer, size_t offset);
  /// A field of the BufferEntry of `base`, a buffer of the launch. Loaded in the prologue: it does
  /// not change during the launch, and LLVM moves no load out of a loop that checks may leave
  /// before it.
  llvm::Value *baseField(const llvm::Value *base, unsigned space, size_t offset);
  /// The type of the part of a variable of local memory that `pointer`, an operand in Oclgrind's
  /// module, points to, if it is inside of the variable whenever checkArrayIndices lets it pass,
  /// and aligned. Null if that is not known.
  const llvm::Type *localPart(const llvm::Value *pointer, uint64_t alignment) const;
  /// The distance of such a part from the begin of its variable, and its native pointer.
  llvm::Value *localOffset(Builder &at, const llvm::Value *pointer);
  llvm::Value *localPointer(Builder &at, const llvm::Value *pointer);
  /// Calls the runtime about an access that the table does not allow. `buffer`: the number of the
  /// buffer in which the access has to be. Returns the offset in it at which to make the access.
  llvm::Value *examineAccess(Builder &at, const AccessSite &access, llvm::Value *address,
                             llvm::Value *buffer);
  /// The address of the argument or variable into whose buffer `pointer` has to point; `address`
  /// itself if the code does not show one.
  llvm::Value *originOf(const llvm::Value *pointer, llvm::Value *address, unsigned space);
  /// Checks and records a load or store, and returns the native pointer. `pointer`: its operand in
  /// Oclgrind's module.
  llvm::Value *accessed(const Site &site, const llvm::Value *pointer, llvm::Value *operand,
                        uint64_t size, uint64_t alignment, AccessKind kind);
  void lowerLoad(const Site &site);
  void lowerStore(const Site &site);
  void lowerAlloca(const Site &site);
  /// The second half of a trace::Access but for its size, as a number.
  static uint64_t accessWord(const Position &position, AccessKind kind);
  llvm::LoadInst *loadNative(Builder &at, llvm::Value *native, llvm::Type *type);
  llvm::StoreInst *storeNative(Builder &at, llvm::Value *native, llvm::Value *value);
  /// Marks a load or store as consecutive if it is known to be.
  void markConsecutive(const Site &site, llvm::Instruction &native) const;

  // Private memory in frames (lower_frames.cpp)

  /// A pointer to private memory in a frame.
  struct FramePointer {
    llvm::Value *begin = nullptr;  ///< native, of what was allocated
    llvm::Value *offset = nullptr; ///< from there, in bytes
    llvm::Value *size = nullptr;   ///< of what was allocated, in bytes
  };

  void allocateInFrame(const Site &site);
  /// Replaces the instruction by `pointer` in `frames_`, where its users find it, and removes it.
  void keepInFrame(const Site &site, const FramePointer &pointer);
  FramePointer newFrame(uint64_t size);
  /// The argument of a call, or the copy of it that the call makes.
  FramePointer passInFrame(const Site &site, Builder &at, unsigned argument,
                           const llvm::Argument &parameter);
  /// The native pointer of an access at `pointer`. Fails at run time if it is outside of what was
  /// allocated, or misaligned.
  llvm::Value *framePlace(const FramePointer &pointer, llvm::Instruction &before, uint64_t size,
                          uint64_t alignment);
  void copyInFrames(const Site &site);
  void fillInFrame(const Site &site);

  // Calls (lower_calls.cpp, lower_builtins.cpp)
  void lowerCall(const Site &site);
  void lowerFunctionCall(const Site &site, const llvm::Function &callee);
  bool lowerWorkItemFunction(const Site &site, llvm::StringRef name);
  bool lowerSynchronisation(const Site &site, llvm::StringRef name);
  bool lowerMemoryBuiltin(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  void lowerAtomic(const Site &site, llvm::StringRef name, char overload);
  void lowerMeeting(const Site &site);
  void lowerMatrixProduct(const Site &site, size_t function);
  void lowerAsyncCopy(const Site &site, llvm::StringRef name);
  void lowerWait(const Site &site);
  void lowerCopy(const Site &site);
  void lowerFill(const Site &site);
  void lowerVectorAccess(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  llvm::Value *tracedSize(Builder &at, llvm::Value *size);
  bool lowerIntegerIntrinsic(const Site &site);

  // Functions of values (lower_value_builtins.cpp). Each returns false if the call is of another
  // function.
  bool lowerRealFunction(const Site &site, llvm::StringRef name);
  llvm::Value *inDoublePrecision(Builder &at, llvm::StringRef name, llvm::Type *type,
                                 llvm::ArrayRef<llvm::Value *> arguments);
  bool lowerIntegerFunction(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerThroughPointer(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerConversion(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerPower(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerUnlessNaN(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  void replaceUnlessNaN(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                        llvm::Value *result, llvm::Value *otherwise = nullptr);

  // Calls of Oclgrind's own functions (lower_oclgrind_calls.cpp)

  /// A call of Oclgrind's function, for which compiled code has put the arguments into a buffer.
  struct PreparedCall {
    std::unique_ptr<BuiltinSite> site;
    llvm::Value *arguments, *result; ///< the buffer; room for the result
  };

  PreparedCall prepareCall(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  /// Moves the site to `KernelCode::builtins` and returns its address.
  llvm::Value *keep(Builder &at, std::unique_ptr<BuiltinSite> site);
  void lowerGeneric(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  void callStoring(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                   llvm::Value *address, llvm::Value *native, uint64_t size);
  void lowerSecondResult(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                         uint64_t elementSize);
  void lowerPrintf(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerImageFunction(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  void lowerImageAccess(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin);
  bool lowerImageQuery(const Site &site, llvm::StringRef name);
  void callImageFunction(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                         bool writes);

  // Pixels of images (lower_pixels.cpp)

  /// The blocks of an access of a pixel: its own code, a call of the engine, what follows.
  struct PixelBlocks {
    llvm::BasicBlock *pixel, *left, *tail;
  };

  llvm::Value *imageField(llvm::Value *image, size_t offset);
  /// The width, the height, the depth or the number of layers of an image, as 64 bits.
  llvm::Value *imageSize(llvm::Value *image, unsigned dimension);
  /// Accesses the image inline, for a format that launches had; returns false if there is no code
  /// for any. `type`: the image's type in OpenCL C.
  bool lowerPixel(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin, bool writes,
                  llvm::StringRef type);
  bool lowerPixelRead(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                      llvm::StringRef type, const PixelFormat &format, uint64_t code);
  bool lowerPixelWrite(const Site &site, const oclgrind::InterpreterCache::Builtin &builtin,
                       const PixelFormat &format, uint64_t code);
  PixelBlocks branchToPixel(llvm::Instruction &made, llvm::Value *unusual);
  llvm::Value *bufferPointer(Builder &at, llvm::Value *image, llvm::Value *offset);

  ModuleLowering &shared_;
  const llvm::Function &original_;
  llvm::Function &copy_;
  llvm::Function *target_ = nullptr;
  llvm::LLVMContext &context_;
  llvm::Type *int64_, *bytePointer_;

  llvm::BasicBlock *prologue_ = nullptr;
  std::unordered_map<uint64_t, llvm::BasicBlock *> failures_;
  llvm::Value *state_ = nullptr, *addresses_ = nullptr; ///< the parameters of every function
  llvm::Value *access_ = nullptr, *event_ = nullptr;    ///< the variables that hold the cursors
  /// For code that writes no trace: the variables that count what State::executed does not contain
  /// yet.
  llvm::Value *instructions_ = nullptr, *marks_ = nullptr;
  llvm::Value *accessBegin_ = nullptr, *accessLimit_ = nullptr, *eventLimit_ = nullptr;
  std::unordered_map<const llvm::Value *, llvm::Value *> slotValues_;
  /// By buffer and offset in BufferEntry.
  std::map<std::pair<const llvm::Value *, size_t>, llvm::Value *> baseFields_;
  /// By image and offset in ImageEntry.
  std::map<std::pair<const llvm::Value *, size_t>, llvm::Value *> imageFields_;
  std::vector<llvm::Value *> allocations_; ///< of a called function
  /// By getelementptr instruction of Oclgrind's module.
  std::unordered_map<const llvm::Value *, std::vector<ArrayIndex>> arrayIndices_;
  /// By pointer of Oclgrind's module; empty unless private memory is in frames.
  std::unordered_map<const llvm::Value *, FramePointer> frames_;
  std::vector<RealOperation> realOperations_; ///< in the order of the code
  /// Of Oclgrind's module: blocks with an edge that closes a loop, if ModuleLowering::limitsWork.
  std::set<const llvm::BasicBlock *> loopEnds_;
  trace::BlockId currentBlock_{};
  uint32_t accessesInBlock_ = 0;
  llvm::MDNode *stateTag_, *traceTag_, *tableTag_, *dataTag_;
};

/// Makes of the function of a work-item, which writes no trace, one that runs all work-items of a
/// group, if the kernel allows that, and says so in `KernelCode::runsGroups` (lower_groups.cpp).
void lowerGroup(ModuleLowering &shared, llvm::Function &item);

} // namespace aiwc::engine
