/// The rules by which accesses belong to idioms: docs/metrics.md, "Idioms".
#pragma once

#include "metrics/idioms/access_statistics.h"
#include "metrics/idioms/data_flow.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace aiwc::metrics {

/// Which accesses may be neighbours in a stencil: reads of one array by several operations whose
/// values go into one stored value. Each is compared with the first of them.
std::vector<ComparedWith> comparisons(const DataFlow &flow);

/// Finds the idioms of a kernel from its program and what was measured of its accesses.
class Recognition {
public:
  Recognition(const DataFlow &flow, const AccessCollector &measured);

  /// Whether the address of the operation's accesses is data.
  bool isDataDependent(uint32_t operation) const { return dataDependent_[operation]; }
  /// The idiom that the operation's accesses belong to, if any.
  std::optional<profile::Idiom> idiomOf(uint32_t operation) const { return idioms_[operation]; }

private:
  /// A value that is accumulated in a loop: in a register, or in memory by the store `cell`.
  struct LoopSum {
    Accumulation accumulation;
    trace::LoopId loop = trace::LoopId::kNone; ///< kNone: the sum is written out
    std::optional<uint32_t> cell;
    std::vector<uint32_t> reads; ///< that its terms depend on, inside the loop
  };

  const trace::Operation &operation(uint32_t op) const { return flow_.operation(op); }
  std::optional<int64_t> laneStride(uint32_t op) const;
  std::optional<int64_t> loopStride(uint32_t op) const;
  /// The stride across work-items, or of the loop where work-items do not execute it together.
  std::optional<int64_t> mainStride(uint32_t op) const;
  uint64_t unit(uint32_t op) const;
  bool isUnit(uint32_t op) const;
  bool isStrided(uint32_t op) const;
  bool isDense(uint32_t op) const;
  bool isLocal(uint32_t op) const;
  bool executed(uint32_t op) const { return measured_.of(op) != nullptr; }

  bool claim(uint32_t op, profile::Idiom idiom);
  void claimSum(const LoopSum &sum, profile::Idiom idiom);
  void claimResults(const std::vector<trace::ValueId> &values, profile::Idiom idiom);
  void claimResult(uint32_t store, profile::Idiom idiom);

  void findDataDependent();
  void findSums();
  void findCells();
  void findWrittenOut();
  uint64_t barrierSteps(trace::LoopId loop) const;
  bool isTree(uint32_t store) const;
  bool varies(uint32_t read) const;

  void findStencils();
  bool areNeighbours(uint32_t a, uint32_t b) const;
  bool isWindow(uint32_t read, const LoopSum &sum) const;
  void findProducts();
  bool isProduct(const LoopSum &sum) const;
  bool isMatrix(const std::vector<uint32_t> &reads, const LoopSum &sum) const;
  void findTransposes();
  bool isTransposed(uint32_t read, uint32_t store) const;
  bool isTransposedLocally(uint32_t read, uint32_t store) const;
  void findGathers();
  void joinGathers();
  void findReductions();
  void joinLocalArrays();
  void joinIndices();
  void joinArrays();
  void findStreams();

  const DataFlow &flow_;
  const AccessCollector &measured_;
  std::vector<uint32_t> accesses_; ///< operations that were executed
  std::vector<uint32_t> stores_;   ///< of them, those that store a value
  std::vector<std::vector<uint32_t>> addressSources_, storedSources_; ///< per operation
  std::vector<bool> dataDependent_;
  std::vector<std::optional<profile::Idiom>> idioms_;
  std::vector<LoopSum> sums_;
  std::vector<std::pair<uint32_t, profile::Idiom>> gathers_; ///< and scatters
  /// Global arrays whose other affine accesses join the idiom: results, and what a stencil reads.
  std::vector<std::pair<trace::ArrayId, profile::Idiom>> joining_;
};

} // namespace aiwc::metrics
