/// Random kernels and random executions of them: everything that the vocabulary of src/trace can
/// say, in combinations that nobody would think of. The same for a seed everywhere.
#pragma once

#include "plain_trace.h"
#include "random.h"
#include "trace/program.h"

#include <cstdint>

namespace aiwc::test {

/// Who reaches a barrier.
enum class Barriers : uint8_t {
  kNone,       ///< there are none
  kConvergent, ///< every work-item reaches the same ones, as OpenCL demands
  kDivergent,  ///< some work-items finish while others wait, as Oclgrind tolerates
};

/// Bounds of a random program and its execution; the numbers themselves are random.
struct TraceShape {
  Barriers barriers = Barriers::kConvergent;
  uint32_t functions = 4;
  uint32_t blocksPerFunction = 7;
  uint32_t operationsPerBlock = 6;
  uint32_t groups = 4;
  uint32_t itemsPerGroup = 6;
  /// Steps after which a work-item leaves every loop at once. Bounds its length but for what
  /// straight-line code and calls still add.
  uint32_t stepsPerItem = 40;
  bool abortedGroups = false; ///< some groups are given up somewhere
  /// In so many of 100 cases, a work-item does over again, at the same or other addresses, what the
  /// one before it has just done. Not in groups that are given up.
  uint32_t echoes = 0;
};

/// A kernel with functions, loops, switches, calls and barriers.
struct RandomProgram {
  trace::Program program;
  /// Per function, whether every work-item takes the same way through it: only there are barriers.
  std::vector<bool> uniform;
};

RandomProgram randomProgram(Random &random, const TraceShape &shape);

/// An execution of it by some work-groups. Each work-item walks through the control flow at
/// random; its accesses are what its memory operations could make.
Execution randomExecution(Random &random, const RandomProgram &program, const TraceShape &shape);

/// A shape to draw many small and different traces from.
TraceShape randomShape(Random &random);

} // namespace aiwc::test
