/// The one list of metric families. A family is a namespace of its name with
///   src/catalogue/<family>.h           `kMetrics`: the descriptions of its metrics
///   src/metrics/<family>/<family>.cpp  `make(program, settings)`: its analysis of traces
/// and has its reference and its closed forms in tests/metrics/<family>/.
#pragma once

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
