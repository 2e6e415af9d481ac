#pragma once

#include "engine_passes/image_entry.h"
#include "plugin/engine/held_output.h"
#include "plugin/engine/jit.h"
#include "plugin/engine/launch_proof.h"
#include "plugin/engine/launches.h"
#include "plugin/engine/memory_view.h"
#include "plugin/engine/stacks.h"
#include "plugin/engine/thread_view.h"
#include "simulator/meetings.h"

#include <array>
#include <span>
#include <string>

namespace aiwc::engine {

/// The data of one launch.
struct EngineLaunch {
  const CompiledKernel &kernel;
  const oclgrind::KernelInvocation &invocation;
  const trace::Program &program;
  GlobalView &global;
  Stacks &stacks;
  /// The code for a launch whose groups are apart; null: there is none, or they may not be.
  const CompiledKernel *const &apart;
  bool countsItems; ///< whether somebody wants to know what each work-item executes

  /// The code of untraced work-groups that writes no trace; null: there is none.
  const CompiledKernel *untraced() const { return apart ? apart : kernel.untraced.get(); }
};

/// Runs the work-groups of a launch on one thread, one after another. It prepares each group (ids,
/// local and private memory, the `State`) and calls the kernel for each work-item
/// (thread_runtime.cpp), on a stack of the launch (thread_fibers.cpp). It makes
/// the group's asynchronous copies (async_copies.cpp), calls Oclgrind's own functions
/// (thread_builtins.cpp), accesses images (thread_images.cpp), and saves the output of printf and
/// the errors that Oclgrind reports without ending a kernel (thread_output.cpp). It stops at the
/// first check that fails. Compiled code calls it through runtime_calls.h.
class ThreadRuntime {
public:
  /// `memory`: for its recorder; outlives the object. `view`: the thread's view of global memory if
  /// other threads run groups at the same time; then a group fails if the order of the groups
  /// matters. Null if groups run in order.
  ThreadRuntime(const EngineLaunch &launch, trace::ChunkConsumer &consumer,
                trace::Recorder::Memory &memory, ThreadView *view = nullptr);
  ThreadRuntime(const ThreadRuntime &) = delete;
  ThreadRuntime &operator=(const ThreadRuntime &) = delete;

  /// What arguments and variables of the kernel point to in global memory, or where the pixels of
  /// their images begin. Call it before `prepareImages`.
  std::vector<GlobalPointer> globalPointers() const;
  /// Gives compiled code the images and samplers among the arguments. Call it once, before the
  /// first group, when the launch's buffers are accessible.
  void prepareImages();
  /// Returns false if the kernel did something that only the interpreter can do or report. The
  /// trace is then incomplete, and only `reason` may be called.
  bool runGroup(uint64_t linearId, bool traced);
  /// What the last group has executed; it was not traced. Nothing of its work-items unless
  /// `EngineLaunch::countsItems`.
  const GroupWork &work() const { return work_; }
  /// The reason for which `runGroup` returned false.
  std::string reason() const { return describe(reason_) + reasonDetail_; }
  /// Takes the errors of groups that are apart and ran on several threads, with these runtimes.
  /// Returns false if no more errors can be saved.
  bool takeReports(std::span<ThreadRuntime *const> others);
  /// Writes the saved output and errors of all groups. Call it at the end of a launch that did not
  /// fail.
  void writeOutput();
  /// Number of blocks executed in all traced or all untraced groups. Code that writes
  /// no trace does not count.
  uint64_t blocksExecuted(bool traced) const { return trace_.blocksExecuted(traced); }
  /// Number of instructions executed by code that writes no trace.
  uint64_t untracedInstructions() const { return untraced_ + state_.executed.instructions; }

  // Called through runtime_calls.h.
  [[noreturn]] void fail(Failure failure);
  void flush() { trace_.flushFull(); }
  void saveGranules(uint64_t address, uint64_t size);
  void readGranules(uint64_t address, uint64_t size);
  void checkWork();
  uint64_t allocate(uint64_t size);
  void release(uint64_t address);
  /// `arriveAtBarrier` records that the current work-item has reached a barrier or waits for
  /// copies; `waitAtBarrier` then suspends it.
  void arriveAtBarrier(const llvm::Instruction &call, uint64_t fence, const uint64_t *events,
                       uint64_t eventCount);
  void waitAtBarrier();
  /// Suspends the current work-item until others of its sub-group have met it. Returns what the
  /// work-item gets from them.
  uint32_t waitForSubGroup(const simulator::Meeting &meeting,
                           simulator::Fragments *fragments = nullptr);
  /// For code that runs a group as a whole, between two parallel regions: the wait, from 1,
  /// behind which work-items go on now, or 0 at the end. Marks these work-items.
  uint64_t nextRegion();
  uint64_t asyncCopy(const void *site, bool toLocal, uint64_t destination, uint64_t source,
                     uint64_t elementSize, uint64_t count, uint64_t stride, uint64_t event);
  /// Checks that the bytes are in one buffer, saves their granules if they are written to, and
  /// returns their native address. Reports no error of Oclgrind's.
  uint8_t *bytes(uint64_t space, uint64_t address, uint64_t size, bool write);
  /// Saves the errors that Oclgrind reports about an access of the current work-item to `bytes`.
  void reportAccess(const llvm::Instruction *instruction, uint64_t space, uint64_t address,
                    uint64_t size, bool write);
  uint64_t examineAccess(const AccessSite &site, uint64_t address, uint64_t buffer);
  void evaluate(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result);
  void evaluateStore(const BuiltinSite &site, uint8_t *arguments, uint8_t *result, uint64_t address,
                     uint8_t *native);
  void accessImage(const BuiltinSite &site, ImageCall &call, trace::Access access, bool traced);
  void print(const BuiltinSite &site, const uint8_t *arguments);
  void readText(trace::Access first, uint64_t count);

private:
  enum class Outcome { kFinished, kBarrier, kMeeting, kFailed };

  struct Fiber {
    void *suspended = nullptr; ///< for aiwcSwitchStack
    Outcome outcome = Outcome::kFinished;
    const llvm::Instruction *barrier = nullptr; ///< the call at which it waits
    uint64_t fence = 0;
    std::vector<uint64_t> events;
    size_t copies = 0; ///< how many of the group's pending copies it has requested
  };

  struct AsyncCopy {
    const void *site;
    bool toLocal;
    uint64_t destination, source, elementSize, count, stride, event;
    bool operator==(const AsyncCopy &) const = default;
  };

  /// Fails if other groups run at the same time: call it before effects that depend on the order of
  /// the groups.
  void requireOrder() {
    if (view_)
      fail(Failure::kOrder);
  }
  /// Whether groups that are known to be apart run at the same time: takeReports() orders what they
  /// report.
  bool runsApart() const { return view_ && launch_.apart; }
  trace::Executed executedUntraced() const;
  void countItem(uint32_t item, uint64_t before);
  void takeWork(const trace::Executed &before);
  void makeScratch();
  /// The work-item for one call of Oclgrind's functions.
  oclgrind::WorkItem &scratchForCall();
  /// Runs the work-item that `state_` describes.
  void runKernel() {
    const CompiledKernel *untraced = traced_ ? nullptr : launch_.untraced();
    (untraced ? untraced->run : launch_.kernel.run)(&state_);
  }
  void prepareScratch();
  void prepareLocalMemory();
  void preparePrivateMemory();
  void beginItem(uint32_t item);
  void placeGroup(uint64_t linearId);
  void numberItems(const std::array<uint64_t, 3> &size);
  void selectItem(uint32_t item);
  bool runItems();
  bool giveUp(Failure failure) {
    reason_ = failure;
    return false;
  }
  /// Saves the error. Returns false if no more can be saved.
  bool keep(const Report &report);
  /// An error of the current work-item.
  Report reportOf(Violation violation, const llvm::Instruction *instruction) const;
  /// Returns false if no more errors can be saved.
  bool report(const llvm::Instruction *instruction, bool ofWorkItem, uint64_t address,
              uint64_t size, bool write);
  bool switchTo(size_t slot);
  static trace::RunEnd endOf(Outcome outcome);
  void provideFibers(size_t slots);
  void leaveAndReturn();
  bool resume(uint32_t item);
  bool runInTurn();
  void runWhole();
  bool leaveBarrier(const Fiber &first);
  bool meetInSubGroups();
  std::span<uint32_t> liveWords(uint64_t offset);
  const MeetingSite *siteOf(uint8_t wait) const;
  bool meetTogether(const MeetingSite &site);
  void arriveAtMeetings(std::span<const uint8_t> marks);
  void leaveMeetings(std::span<uint8_t> marks);
  bool resumeThoseThatMet();
  bool performCopies(uint64_t event);
  /// Whether the present group is run as a whole.
  bool runsWhole() const {
    return !traced_ && launch_.untraced() && launch_.untraced()->code.runsGroups;
  }
  /// Whether the group's work-items run in the same fiber.
  bool runsInTurn() const { return !launch_.kernel.code.synchronises || runsWhole(); }
  /// The index of a work-item's stack, fiber and private memory: its own if it is a fiber.
  size_t slotOf(uint32_t item) const { return runsInTurn() ? 0 : item; }
  /// Has Oclgrind's own function access the image.
  void accessByOclgrind(const BuiltinSite &site, ImageCall &call, bool write);
  /// Fails because Oclgrind's function of images does not access the format of `image`.
  [[noreturn]] void failOnFormat(const BuiltinSite &site, const oclgrind::Image &image);
  static void enterFiber(void *scheduler, void *runtime);
  [[noreturn]] void leaveFiber(Outcome outcome);

  const EngineLaunch &launch_;
  ThreadView *const view_; ///< null if groups run in order
  const bool isCuda_;      ///< work-items may return before a barrier
  State state_;
  trace::Recorder trace_;
  std::unique_ptr<oclgrind::WorkGroup> scratchGroup_;
  oclgrind::WorkItem *scratchItem_ = nullptr;
  uint64_t staging_ = 0;     ///< a buffer in its private memory; 0: none
  uint32_t evaluations_ = 0; ///< number of calls made on it
  HeldOutput output_;
  std::array<uint8_t, 128> outside_{}; ///< where an access outside of all buffers is made
  std::vector<uint8_t> values_;
  std::deque<ImageEntry> images_; ///< those among the arguments

  std::vector<BufferEntry> local_;
  std::vector<std::unique_ptr<uint8_t[]>> localData_;
  std::vector<std::vector<uint8_t>> privateArguments_;
  std::deque<PrivateView> private_; ///< by `slotOf`
  bool usesPrivateMemory_ = false;  ///< false: all of `private_` are empty

  std::vector<std::array<uint64_t, 3>> localIds_; ///< of the group's work-items
  std::vector<uint8_t> context_;                  ///< State::context
  std::vector<uint64_t> itemInstructions_;        ///< State::itemInstructions
  std::vector<WidePause> widePauses_;             ///< State::widePauses
  uint64_t untraced_ = 0; ///< instructions of the groups before, by code that writes no trace
  GroupWork work_;
  bool traced_ = true; ///< whether the group is traced
  uint32_t items_ = 0;
  uint32_t item_ = 0; ///< the current one
  Failure reason_ = Failure::kInternal;
  std::string reasonDetail_; ///< follows the description of `reason_`
  /// By `slotOf`. Between two groups, those that were used wait for their next work-item.
  std::vector<Fiber> fibers_;
  std::vector<simulator::Lane> lanes_; ///< the work-items of the group, if the kernel has meetings
  size_t waitingLanes_ = 0;            ///< of them, at meetings, if the group is run as a whole
  uint64_t fiberStacks_ = 0;           ///< the `Stacks::generation` on which they are
  void *scheduler_ = nullptr;          ///< for aiwcSwitchStack
  Stack schedulerStack_;
  std::vector<AsyncCopy> copies_;
  uint64_t nextEvent_ = 1;
};

} // namespace aiwc::engine
