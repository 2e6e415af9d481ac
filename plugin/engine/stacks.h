/// The stacks of work-items.
#pragma once

#include "plugin/engine/fiber_switch.h"

#include <cstddef>
#include <cstdint>

namespace aiwc::engine {

/// Equal stacks, each below an inaccessible page of memory that ends the process before a stack
/// overwrites its neighbour. The operating system provides their pages when they are first
/// accessed.
class Stacks {
public:
  /// Most bytes of the frames on all stacks together, and most stacks: a process may have 65530
  /// pieces of memory, and a stack makes two.
  static constexpr size_t kMostFrameBytes = size_t{1} << 30;
  static constexpr size_t kMostStacks = 8192;

  Stacks() = default;
  ~Stacks() { release(); }
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  /// Whether `count` stacks for frames of `frameBytes` each are within these bounds.
  static bool fit(size_t count, size_t frameBytes);
  /// Provides `count` stacks or more, each for frames of `frameBytes` and for the functions that
  /// those call. Returns false if the stacks do not fit or the operating system has no memory for
  /// them. Nothing may run on the stacks meanwhile.
  bool provide(size_t count, size_t frameBytes);
  /// How often `provide` has replaced the stacks: what was on them before is lost.
  uint64_t generation() const { return generation_; }
  Stack at(size_t index) const;
  /// The address at which the stack begins to grow downwards.
  uint8_t *top(size_t index) const;
  /// Returns the memory to the operating system if so much of it may have been accessed that it
  /// should not be kept for the next launch.
  void releaseIfLarge();

private:
  void release();

  uint8_t *memory_ = nullptr;
  size_t count_ = 0, frameBytes_ = 0;
  uint64_t generation_ = 0;
  size_t stride_ = 0; ///< bytes of a stack and the inaccessible page below it
};

} // namespace aiwc::engine
