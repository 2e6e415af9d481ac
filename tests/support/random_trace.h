/// Random kernels and random executions of them. They use all features of src/trace in random
/// combinations, and depend only on the seed, on every platform.
#pragma once

#include "plain_trace.h"
#include "random.h"
#include "trace/program.h"

#include <cstdint>

namespace aiwc::test {

/// Which work-items reach a barrier.
enum class Barriers : uint8_t {
  kNone,       ///< there are no barriers
  kConvergent, ///< all work-items reach the same barriers, as OpenCL requires
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
  /// After this number of steps, a work-item leaves every loop as soon as possible. This bounds the
  /// length of its trace, except for straight-line code and calls.
  uint32_t stepsPerItem = 40;
  bool abortedGroups = false; ///< some groups are abandoned at a random place
  /// Percentage of runs in which a work-item repeats the run of the previous work-item, at the same
  /// or other addresses. Does not apply to groups that are abandoned.
  uint32_t echoes = 0;
};

/// A kernel with functions, loops, switches, calls and barriers.
struct RandomProgram {
  trace::Program program;
  /// Per function, whether all work-items take the same path through it. Only such functions have
  /// barriers.
  std::vector<bool> uniform;
};

RandomProgram randomProgram(Random &random, const TraceShape &shape);

/// A random execution of `program` by some work-groups. Each work-item takes a random path through
/// the control flow; its accesses fit its memory operations.
Execution randomExecution(Random &random, const RandomProgram &program, const TraceShape &shape);

/// A random shape, for testing many small and different traces.
TraceShape randomShape(Random &random);

} // namespace aiwc::test
