#pragma once

#include "profile/metric.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::profile {

/// Of the JSON format. Incremented when a reader of the old one would misread the new one.
inline constexpr int kSchemaVersion = 1;

using Size3 = std::array<uint64_t, 3>;

/// What made a profile, and of what. Nothing here differs between two runs of the same program
/// with the same input: no time, no process, no thread count.
struct Provenance {
  std::string kernel;
  uint64_t invocation = 0; ///< of this kernel name in its process, from 0
  uint32_t workDim = 0;
  Size3 globalOffset{};
  Size3 globalSize{};
  Size3 localSize{};
  std::string sourceKind; ///< "opencl-c" or "bitcode"
  std::string sourceHash; ///< "xxh3-128:<32 hex digits>" of the source (of the bitcode)
  std::string buildOptions;
  std::string engine; ///< "interpreter" or "compiled"
  /// Why the interpreter executed the kernel although the compiled engine might have; empty where
  /// there is no reason to tell.
  std::string engineReason;
  std::string toolVersion; ///< of this project
  std::string oclgrindVersion;
  std::string llvmVersion;
  /// Where the numbers were not measured but scaled from other launches (scaling/launch_scaling.h):
  /// these, as `64x64/8x8 128x64/8x8`, global and local size. Else empty.
  std::string scaledFrom;
  /// Where a part of the work-groups was characterised (metrics/sampled_groups/group_sample.h): so
  /// many, of how many in all. Both 0 where it was all of them.
  uint64_t sampledGroups = 0;
  uint64_t totalGroups = 0;

  bool sampled() const { return totalGroups > 0; }
};

/// A kernel and its NDRange without the offset: what a profile is looked up by.
struct Launch {
  std::string kernel;
  uint32_t workDim = 0;
  Size3 globalSize{};
  Size3 localSize{};

  bool operator==(const Launch &) const = default;
};
Launch launchOf(const Provenance &provenance);
/// "64x64", in as many dimensions as there are.
std::string sizeText(const Size3 &size, uint32_t workDim);

/// A histogram as the number of occurrences per value, values increasing.
using Histogram = std::vector<std::pair<uint64_t, uint64_t>>;

/// What a loop of the kernel, or of a function that it calls, did: all executions together.
struct LoopRow {
  std::string function;
  uint64_t line = 0;  ///< source line where it begins; 0 where unknown
  uint64_t depth = 1; ///< 1 for an outermost loop of its function
  uint64_t entries = 0;
  uint64_t trips = 0;                  ///< over all entries
  uint64_t minTrips = 0, maxTrips = 0; ///< of one entry
  /// Whether an iteration reads from memory what an earlier one of the same execution of the loop
  /// wrote; none where that was not looked for, as in an NDRange of several work-items.
  std::optional<bool> carriesDependence;
  /// Source lines (of the write, of the read) through which it does; 0 for an unknown line.
  /// Increasing, no pair twice.
  std::vector<std::pair<uint64_t, uint64_t>> dependences;

  bool operator==(const LoopRow &) const = default;
};

/// What happened at one source line.
struct LineRow {
  uint64_t line = 0; ///< 0: instructions and accesses that no line is known of
  uint64_t instructions = 0;
  uint64_t fpOps = 0;
  uint64_t bytes = 0;    ///< read and written in global, constant and local memory
  uint64_t branches = 0; ///< executions of conditional branches and switches
  /// Of these, how many the best guess per branch and history pattern gets wrong: the branch's part
  /// in `linear_branch_entropy`, which is twice their sum over all branches executed.
  uint64_t mispredictions = 0;
  /// Accesses that it makes to lines of global and constant memory, by reuse distance: the first
  /// ones of such a line, and lowest distance of a bin (profile/reuse.h) -> the others.
  uint64_t coldAccesses = 0;
  Histogram reuseDistances = {};
  /// Lane-instructions that no lane makes use of while a lane group of so many executes the line:
  /// the line's part in what `lane_utilization_*` lack to 1.
  uint64_t idleLanes8 = 0, idleLanes16 = 0, idleLanes32 = 0, idleLanes64 = 0;

  bool operator==(const LineRow &) const = default;
};

/// The distributions behind the metrics, and where in the source they come from.
struct Histograms {
  std::map<std::string, uint64_t> opcodes; ///< opcode name -> instructions
  Histogram instructionsToBarrier;         ///< segment length -> segments
  Histogram instructionsPerThread;         ///< instructions -> work-items
  Histogram simdWidths;                    ///< width -> instructions
  Histogram addressAccesses;               ///< accesses of an address -> addresses
  Histogram branchExecutions;              ///< executions of a branch -> branches
  Histogram reuseDistances;   ///< lowest distance of a bin (profile/reuse.h) -> accesses of lines
  Histogram asapFpLevels;     ///< floating-point operations of a level -> levels
  std::vector<LoopRow> loops; ///< that were entered, in the program's order
  std::vector<LineRow> lines; ///< that were executed, increasing
  /// Whether the rows of `lines` tell reuse and idle lanes: those of older profiles do not.
  bool linesTellReuseAndLanes = true;

  /// The row of a line, made where there is none yet.
  LineRow &lineRow(uint64_t line);
};

/// How the reuse distances were measured, and what no bin of their histogram holds.
struct Reuse {
  uint64_t lineBytes = 0;    ///< of a line; 0: no reuse distances were measured
  uint64_t coldAccesses = 0; ///< first accesses of a line: infinite distance
};

/// The characterisation of one kernel invocation.
class KernelProfile {
public:
  Provenance provenance;
  /// False where the invocation did not run to its end, or not all of it was observed; `reason`
  /// then says why, in one line. The metrics describe what was executed.
  bool complete = true;
  std::string reason;
  /// Errors that the simulator reported while the kernel ran (invalid accesses, divergence, ...).
  uint64_t simulatorErrors = 0;
  Histograms histograms;
  Reuse reuse;

  const Value &operator[](Metric metric) const { return values_[index(metric)]; }
  void setCount(Metric metric, uint64_t value);
  /// A value that is not finite is stored as none.
  void setReal(Metric metric, double value);
  /// numerator / denominator; none where the denominator is 0.
  void setRatio(Metric metric, double numerator, double denominator);
  void setNone(Metric metric);

  /// A count; 0 where the metric has no value.
  uint64_t count(Metric metric) const;
  /// A count or a real; NaN where the metric has no value.
  double real(Metric metric) const { return toDouble((*this)[metric]); }

  /// Of a profile of sampled work-groups, how far the metric is off, absolute, in the metric's unit
  /// (docs/metrics.md, "Sampled work-groups"); NaN where that is not known or not the question
  /// (profile/sampling.h).
  double standardError(Metric metric) const;
  /// `error` is not negative.
  void setStandardError(Metric metric, double error);

private:
  std::array<Value, kMetricCount> values_{};
  std::vector<double> standardErrors_; ///< per metric, or none at all
};

} // namespace aiwc::profile
