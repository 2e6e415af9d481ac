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

/// Reuse distances of lines of global and constant memory.
std::unique_ptr<Analysis> makeReuseDistance(const AnalysisOptions &options);

} // namespace aiwc::metrics
