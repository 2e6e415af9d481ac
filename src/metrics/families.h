/// How the metric families are made. A family's class stays in its source file.
#pragma once

#include "metrics/analysis.h"

namespace aiwc::metrics {

/// Opcodes, floating-point and integer operations, SIMD widths: what static instructions say,
/// weighted by how often their block was executed.
std::unique_ptr<Analysis> makeInstructionMix(const trace::Program &program);

/// Work-items, barriers, instructions per thread and to barrier.
std::unique_ptr<Analysis> makeParallelism(const trace::Program &program);

std::unique_ptr<Analysis> makeFreedomToReorder(const trace::Program &program);

/// Footprints, reads and writes, address entropies.
std::unique_ptr<Analysis> makeMemoryAddresses(const trace::Program &program);

std::unique_ptr<Analysis> makeBranchEntropy(const trace::Program &program);

/// The ASAP schedules of floating-point operations and of instructions.
std::unique_ptr<Analysis> makeAsapSchedule(const trace::Program &program);
/// SIMT efficiency of lane groups of 8 to 64, of all instructions and of floating-point work; idle
/// lanes per source line.
std::unique_ptr<Analysis> makeLaneUtilization(const trace::Program &program);

/// Segments of global memory that lane groups of 16 to 64 need and touch.
std::unique_ptr<Analysis> makeCoalescing(const trace::Program &program);

/// How far apart the work-items of a group access memory at the same time.
std::unique_ptr<Analysis> makeParallelSpatialLocality(const trace::Program &program);

std::unique_ptr<Analysis> makeAtomicContention(const trace::Program &program);
/// Loops, their trip counts, the memory dependences that they carry; synchronisation points.
std::unique_ptr<Analysis> makeLoopReport(const trace::Program &program);

/// Instructions, floating-point operations and bytes per source line.
std::unique_ptr<Analysis> makeLineReport(const trace::Program &program);
/// Reuse distances of lines of global and constant memory, in all and per source line. `order`:
/// what it shares with those of other threads; null for one of its own.
std::unique_ptr<Analysis> makeReuseDistance(const trace::Program &program,
                                            const AnalysisOptions &options,
                                            std::shared_ptr<ReuseOrder> order = nullptr);

} // namespace aiwc::metrics
