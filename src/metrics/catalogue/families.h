/// The one list of metric families. A family is a folder and a namespace of its name with
///   description.h  `kMetrics`: the descriptions of its metrics
///   <family>.cpp   `make(program, settings)`: its analysis of traces (../shared/analysis.h)
/// and has its twin and its closed forms in tests/metrics/<family>/.
#pragma once

#include "metrics/asap/description.h"
#include "metrics/atomic_contention/description.h"
#include "metrics/branch_entropy/description.h"
#include "metrics/coalescing/description.h"
#include "metrics/freedom_to_reorder/description.h"
#include "metrics/host_transfers/description.h"
#include "metrics/idioms/description.h"
#include "metrics/instruction_mix/description.h"
#include "metrics/lane_utilization/description.h"
#include "metrics/lines/description.h"
#include "metrics/loops/description.h"
#include "metrics/memory_addresses/description.h"
#include "metrics/parallel_spatial_locality/description.h"
#include "metrics/parallelism/description.h"
#include "metrics/reuse_distance/description.h"

/// Calls TRACED(family) for each family that is computed from traces. The order is that in which
/// they run and, within a category, are listed. It is a macro because each name is a namespace.
#define AIWC_TRACED_FAMILIES(TRACED)                                                               \
  TRACED(instruction_mix)                                                                          \
  TRACED(parallelism)                                                                              \
  TRACED(freedom_to_reorder)                                                                       \
  TRACED(memory_addresses)                                                                         \
  TRACED(branch_entropy)                                                                           \
  TRACED(asap)                                                                                     \
  TRACED(lane_utilization)                                                                         \
  TRACED(coalescing)                                                                               \
  TRACED(parallel_spatial_locality)                                                                \
  TRACED(atomic_contention)                                                                        \
  TRACED(loops)                                                                                    \
  TRACED(idioms)                                                                                   \
  TRACED(lines)                                                                                    \
  TRACED(reuse_distance)

/// All families. UNTRACED(family) is called for those whose metrics are not computed from traces.
#define AIWC_FAMILIES(TRACED, UNTRACED)                                                            \
  AIWC_TRACED_FAMILIES(TRACED)                                                                     \
  UNTRACED(host_transfers)
