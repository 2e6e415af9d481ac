#pragma once

#include "profile/launch_identity.h"
#include "profile/metric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::profile {

/// The version of the JSON format. Incremented with each change that a reader of the old format
/// notices: a key that is new, gone, or means something else.
inline constexpr uint64_t kSchemaVersion = 3;

/// Which kernel invocation a profile describes, and which tools made it. All of this is equal for
/// two runs of the same program with the same input: no time, process or thread count is stored.
struct Provenance : LaunchIdentity {
  std::string toolVersion; ///< of this project
  std::string oclgrindVersion;
  std::string llvmVersion;
  /// If the numbers were scaled from other launches instead of measured (scaling/launch_scaling.h):
  /// the global and local sizes of those launches, `64x64/8x8 128x64/8x8`. Else empty.
  std::string scaledFrom;
  /// If only a sample of the work-groups was characterised (metrics/sampled_groups/group_sample.h):
  /// the number of groups in the sample and in the launch. Else both are 0.
  uint64_t sampledGroups = 0;
  uint64_t totalGroups = 0;
  /// If the groups outside of the sample were left out (--aiwc-budget), so that the kernel's
  /// results were wrong. Implies `sampled`.
  bool othersLeftOut = false;

  /// If the numbers were extrapolated from launches on samples of a sparse matrix
  /// (extrapolate/extrapolate.h): what the samples were, in one line. Else empty.
  std::string extrapolatedFrom;

  bool sampled() const { return totalGroups > 0; }
  bool extrapolated() const { return !extrapolatedFrom.empty(); }
};

/// What tells kernels of one name apart: the hash of the code, or, where it is unknown, the hash of
/// the source and the build options.
struct KernelIdentity {
  std::string_view hash, buildOptions;

  auto operator<=>(const KernelIdentity &) const = default;
};
/// `program` has codeHash, sourceHash and buildOptions, and must outlive the result.
template <typename Program> KernelIdentity identityOf(const Program &program) {
  if (program.codeHash.empty())
    return {program.sourceHash, program.buildOptions};
  return {program.codeHash, {}};
}

/// A kernel and its NDRange without the offset. Profiles are looked up by this key.
struct LaunchKey {
  std::string kernel;
  uint32_t workDim = 0;
  Size3 globalSize{};
  Size3 localSize{};

  bool operator==(const LaunchKey &) const = default;
};
LaunchKey launchOf(const Provenance &provenance);
/// The first `workDim` sizes, "64x64".
std::string sizeText(const Size3 &size, uint32_t workDim);

/// A histogram: pairs of a value and its number of occurrences, by increasing value.
using Histogram = std::vector<std::pair<uint64_t, uint64_t>>;

/// Counts for one loop of the kernel or of a function that it calls, over all its executions.
struct LoopRow {
  std::string function;
  uint64_t line = 0;  ///< source line where it begins; 0 if unknown
  uint64_t depth = 1; ///< 1 for an outermost loop of its function
  uint64_t entries = 0;
  uint64_t trips = 0;                  ///< over all entries
  uint64_t minTrips = 0, maxTrips = 0; ///< of one entry
  /// Whether an iteration reads from memory a value that an earlier iteration of the same execution
  /// of the loop wrote. No value if this was not analysed, as for an NDRange of several work-items.
  std::optional<bool> carriesDependence;
  /// Pairs of source lines, of the write and of the read, of these dependences; 0 is an unknown
  /// line. Sorted, without duplicates.
  std::vector<std::pair<uint64_t, uint64_t>> dependences;
  /// Whether an iteration needs a value that an earlier one left in a register or in private
  /// memory, other than a counter or a sum. Only where `carriesDependence` is known.
  bool carriesValue = false;

  bool operator==(const LoopRow &) const = default;
};

/// Counts for one source line.
struct LineRow {
  uint64_t line = 0; ///< 0: instructions and accesses without a known line
  uint64_t instructions = 0;
  uint64_t fpOps = 0;
  uint64_t bytes = 0;    ///< read and written in global, constant and local memory
  uint64_t branches = 0; ///< executions of conditional branches and switches
  /// How many of these executions the best constant guess per branch and history pattern gets
  /// wrong. `linear_branch_entropy` is twice the sum over all lines, divided by all branch
  /// executions.
  uint64_t mispredictions = 0;
  /// Accesses that the source line makes to cache lines of global and constant memory:
  /// `coldAccesses` are the first accesses of a cache line, `reuseDistances` the others (lowest
  /// distance of a bin, see profile/reuse.h -> accesses).
  uint64_t coldAccesses = 0;
  Histogram reuseDistances = {};
  /// Idle lane-instructions while lane groups of 8, 16, 32 or 64 lanes execute the line: the line's
  /// part of the difference between 1 and `lane_utilization_*`.
  uint64_t idleLanes8 = 0, idleLanes16 = 0, idleLanes32 = 0, idleLanes64 = 0;
  /// Accesses that are the first of a cache line in their work-group.
  uint64_t groupLines = 0;
  // Of these, `fpOps` and `instructions`, the code tells that they are without need
  // (trace/program.h).
  uint64_t accidentalDoubles = 0;
  uint64_t accidentalConversions = 0;
  uint64_t repeatedOps = 0;
  uint64_t constantPowers = 0;
  uint64_t divisionsByConstants = 0;
  uint64_t wideIndexProducts = 0;
  uint64_t wideIndexDivisions = 0;
  /// Of `instructions`, those that no machine has: phi, and markers for compilers.
  uint64_t pseudoInstructions = 0;

  /// Rounding of estimates may make more of them than `instructions`.
  uint64_t machineInstructions() const {
    return instructions - std::min(instructions, pseudoInstructions);
  }
  bool operator==(const LineRow &) const = default;
};

/// Patterns of computation and memory access after Meswani et al. (2012), section II;
/// docs/metrics.md
/// ("Idioms") has their rules.
enum class Idiom : uint8_t {
  kStream,         ///< A[i] = A[i] + B[i]
  kGather,         ///< A[i] = B[C[i]]
  kScatter,        ///< A[B[i]] = C[i]
  kGatherScatter,  ///< A[B[i]] = C[D[i]]
  kTranspose,      ///< A[i][j] = B[j][i]
  kReduction,      ///< s = s + A[i]
  kStencil,        ///< A[i] = B[i-1] + B[i+1]
  kMatrixMultiply, ///< C[i][j] += A[i][k] * B[k][j]
};
inline constexpr size_t kIdiomCount = static_cast<size_t>(Idiom::kMatrixMultiply) + 1;

enum class AccessKind : uint8_t { kRead, kWrite, kAtomic };
enum class MemorySpace : uint8_t { kGlobal, kConstant, kLocal };

/// The executions of one access in the source; accesses that differ in nothing but counts share a
/// row.
struct AccessRow {
  std::string function = {}; ///< empty: made by the work-group as a whole (async_work_group_copy)
  uint64_t line = 0;         ///< 0 if unknown
  uint64_t loop = 0;         ///< source line of the innermost loop around it; 0: none, or unknown
  std::string array = {};    ///< argument or variable that it accesses; empty if unknown
  MemorySpace space = MemorySpace::kGlobal;
  AccessKind kind = AccessKind::kRead;
  uint64_t accesses = 0;  ///< an atomic is a read and a write
  uint64_t bytes = 0;     ///< of all of them
  uint64_t footprint = 0; ///< bytes: the lesser of `bytes` and the range of addresses
  /// Bytes from one work-item to the next, and from one iteration of the loop to the next, of most
  /// executions. No value if there is no usual distance.
  std::optional<int64_t> laneStride = {}, loopStride = {};
  bool dataDependent = false;      ///< whether its address is data
  std::optional<Idiom> idiom = {}; ///< that it belongs to, if any

  bool operator==(const AccessRow &) const = default;
};

/// The distributions that the metrics summarise, and the tables per loop and per source line.
struct Histograms {
  std::map<std::string, uint64_t> opcodes; ///< opcode name -> instructions
  Histogram instructionsToBarrier;         ///< segment length -> segments
  Histogram instructionsPerThread;         ///< instructions -> work-items
  Histogram simdWidths;                    ///< width -> instructions
  Histogram addressAccesses;               ///< accesses of an address -> addresses
  Histogram branchExecutions;              ///< executions of a branch -> branches
  Histogram reuseDistances;   ///< lowest distance of a bin (profile/reuse.h) -> line accesses
  Histogram asapFpLevels;     ///< floating-point operations of a level -> levels
  std::vector<LoopRow> loops; ///< loops that were entered, in the program's order
  std::vector<LineRow> lines; ///< source lines that were executed, increasing

  /// Returns the row of a source line; adds the row if it is missing.
  LineRow &lineRow(uint64_t line);
};

/// First accesses of a launch whose lines an earlier launch accessed, too.
struct FoundAccesses {
  uint64_t distance = 0; ///< other lines that are accessed in between, at most
  double share = 0;      ///< of the first accesses

  bool operator==(const FoundAccesses &) const = default;
};

/// How the reuse distances were measured, and the accesses that no bin of their histogram holds.
struct Reuse {
  uint64_t lineBytes = 0;    ///< size of a cache line; 0: no reuse distances were measured
  uint64_t coldAccesses = 0; ///< first accesses of a cache line (infinite distance)
  /// What caches may still have of earlier launches of the run (run/found_in_caches.h). Not in the
  /// file of a profile, which knows no other launches.
  std::vector<FoundAccesses> found = {};
};

/// Local memory of a work-group (profile/local_memory.h).
struct LocalMemory {
  uint64_t groupBytes = 0; ///< that a work-group has, at least
  /// Turns that an access takes on 32 banks of four bytes, mean over the bytes that are accessed: 1
  /// without conflicts.
  double bankTurns = 1;

  bool operator==(const LocalMemory &) const = default;
};

/// Families of devices whose code generators tell what of a kernel stays in memory.
enum class TargetFamily : uint8_t { kGfx906, kGfx1030, kNvptx };
inline constexpr std::array<std::string_view, 3> kTargetFamilies = {"gfx906", "gfx1030", "nvptx"};

/// Private memory in the code of a family, of arrays that no register holds and of spills.
struct PrivateTraffic {
  uint64_t stackBytes = 0;   ///< its size for a work-item
  uint64_t scratchBytes = 0; ///< that all work-items read and write there

  bool operator==(const PrivateTraffic &) const = default;
};
/// By TargetFamily. No value: the family's code is not known.
using TargetTraffic = std::array<std::optional<PrivateTraffic>, kTargetFamilies.size()>;

/// The characterisation of one kernel invocation.
class KernelProfile {
public:
  Provenance provenance;
  /// False if the invocation did not run to its end or was not traced completely; then `reason`
  /// gives the cause in one line, and the metrics cover only the part that was executed.
  bool complete = true;
  std::string reason;
  /// Errors that the simulator reported while the kernel ran (invalid accesses, divergence, ...).
  uint64_t simulatorErrors = 0;
  Histograms histograms;
  Reuse reuse;
  /// By function, line, loop, array, kind and strides. No value: not analysed, as in
  /// embedded profiles and in those that were scaled from other launches.
  std::optional<std::vector<AccessRow>> accesses;
  /// In place of `accesses`, which tell it where they are known.
  std::optional<LocalMemory> localMemory;
  TargetTraffic targets;
  /// In proportion to how often each block of the traced program was executed. Not in files.
  std::vector<uint64_t> blockExecutions;

  const Value &operator[](Metric metric) const { return values_[index(metric)]; }
  void setCount(Metric metric, uint64_t value);
  /// A value that is not finite is stored as "no value".
  void setReal(Metric metric, double value);
  /// Sets numerator / denominator, or no value if the denominator is 0.
  void setRatio(Metric metric, double numerator, double denominator);
  void setNone(Metric metric);

  /// The value of a count; 0 if the metric has no value.
  uint64_t count(Metric metric) const;
  /// The value of a count or a real; NaN if the metric has no value.
  double real(Metric metric) const { return toDouble((*this)[metric]); }

  /// In a profile of sampled work-groups: the metric's absolute standard error, in its unit
  /// (docs/metrics.md, "Sampled work-groups"). NaN if it is unknown or does not apply
  /// (profile/sampling.h).
  double standardError(Metric metric) const;
  /// `error` must not be negative.
  void setStandardError(Metric metric, double error);

private:
  std::array<Value, kMetricCount> values_{};
  std::vector<double> standardErrors_; ///< per metric, or empty
};

/// The machine instructions of a launch; all of its instructions if the profile, which an older
/// version wrote or which is a compact one, lacks them.
inline double machineInstructions(const KernelProfile &profile) {
  const double count = profile.real("machine_instruction_count"_metric);
  return std::isnan(count) ? profile.real("total_instruction_count"_metric) : count;
}

} // namespace aiwc::profile
