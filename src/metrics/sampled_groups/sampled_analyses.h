#pragma once

#include "metrics/sampled_groups/atomic_sharing.h"
#include "metrics/sampled_groups/group_sample.h"
#include "metrics/sampled_groups/launch_estimate.h"
#include "metrics/sampled_groups/line_clusters.h"
#include "metrics/sampled_groups/sample_error.h"
#include "metrics/shared/analysis.h"

#include <memory>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// The size of all work-groups of a launch.
struct LaunchSize {
  uint64_t items = 0;
  /// Instructions of all groups of each stratum of the sample; empty: not known. Without them, the
  /// work-items that are not sampled are divided among the strata by their groups, as if those of a
  /// stratum were of one size.
  std::vector<uint64_t> instructions = {};
  /// Whether groups that execute the same are known to access memory alike: nothing else is hidden
  /// by those outside of the sample.
  bool knowsSteps = true;
  /// Whether sums that differ in no sampled group have the error that the others may hide
  /// (`hiddenError`), where nothing is known of these. No reason to take a larger sample.
  bool statesHidden = false;
};

/// The counterpart of AnalysisSet for a sample of the work-groups. It estimates the launch's
/// metrics and their errors (docs/metrics.md, "Sampled work-groups").
///
/// Each stratum of the sample has analyses of its own, so that its groups can represent as many as
/// it has. For families whose metrics are means, a stratum is divided into kParts parts with
/// separate analyses; the error is computed from the spread of the parts. This multiplies what
/// these families keep of a group, which is little, by kParts; all analyses share what they need
/// while a group runs. The families that store data per address analyse the whole sample at once,
/// except that reuse distances are analysed per stratum. For metrics that are sums, the values of
/// each group are stored: about 200 bytes per group.
class SampledAnalyses final : public trace::ChunkConsumer {
public:
  /// The number of parts of a stratum (fewer if it has fewer groups, and one if all of its groups
  /// are sampled). More parts would not improve the error estimate much. Ten is not a Fibonacci
  /// number: the positions of sampled groups in their stratum nearly repeat after a Fibonacci
  /// number of groups, so with ten they differ within each part.
  static constexpr uint64_t kParts = 10;

  /// `orders`: one per stratum, of runs that are apart. The other parameters are those of
  /// AnalysisSet; sets of several threads share `orders`, `sample` and `tables`.
  SampledAnalyses(const trace::Program &program, const AnalysisOptions &options,
                  const std::vector<std::shared_ptr<ReuseOrder>> &orders,
                  std::shared_ptr<const GroupSample> sample, const ProgramTables *tables = nullptr);

  /// `group` must be in the sample or in one of its clusters.
  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;
  /// Adds the results of `other`, which must not be used afterwards.
  void merge(SampledAnalyses &other);

  /// Writes the metrics of the sample. Call it once, after the last merge.
  void finish(profile::KernelProfile &profile);
  /// Replaces the metrics of the whole sample in `profile`, as `finish` wrote them, by estimates
  /// for the launch, with their errors. Throws `aiwc::Error` if a count exceeds 2^64 - 1. `memory`:
  /// the launch's buffers in global and constant memory.
  void estimate(profile::KernelProfile &profile, const LaunchSize &launch,
                const std::vector<MemoryRange> &memory) const;

  /// After `finish`.
  LineSharing lineSharing(const LaunchSize &launch, const std::vector<MemoryRange> &memory) const;

private:
  /// The values of one group for the metrics that are sums, in the order of `sums()`.
  struct GroupSums {
    GroupSample::Place place;
    uint64_t items = 0;
    std::vector<uint64_t> values;
  };

  /// The groups of one stratum.
  struct Stratum {
    AnalysisSet counts;                              ///< and reuse distances
    std::vector<std::unique_ptr<AnalysisSet>> parts; ///< null if the part has no group yet
  };

  using Parts = std::vector<std::vector<uint64_t>>; ///< a number per stratum and part

  static const std::vector<profile::Metric> &sums();
  std::vector<uint64_t> sumsSoFar();
  AnalysisSet &part();
  uint64_t sizeOf(const GroupSums &group, bool byInstructions) const;
  std::vector<SampledShare> sharesOf(const LaunchSize &launch, bool byInstructions) const;
  bool knowsInstructions(const LaunchSize &launch) const;
  LaunchCounts setTotals(profile::KernelProfile &profile, const std::vector<SampledShare> &shares,
                         const LaunchSize &size, bool byInstructions) const;
  void weigh(profile::KernelProfile &profile, const std::vector<SampledShare> &shares,
             uint64_t unit) const;
  void setErrorsOfMeans(profile::KernelProfile &profile, const std::vector<SampledShare> &shares,
                        const Parts &sizes, uint64_t unit, bool knowsSteps) const;

  /// The strata's reuse distances, with all that `estimate` needs, and the lines of the launch.
  std::pair<std::vector<StratumReuse>, LaunchLines> reuseOf(const std::vector<SampledShare> &shares,
                                                            std::vector<MemoryRange> memory) const;

  const trace::Program &program_;
  std::unique_ptr<const ProgramTables> ownTables_; ///< null if others' are used
  const ProgramTables &tables_;
  WorkingMemory memory_;
  Repeats repeats_;
  AnalysisOptions wholeOptions_, countOptions_, stratumOptions_, partOptions_;
  std::shared_ptr<const GroupSample> sample_;
  AnalysisSet whole_;
  LineClusters clusters_;
  AtomicSharing atomics_, atomicLines_;
  std::vector<Stratum> strata_;
  bool isSampled_ = false;     ///< the current group; otherwise only its lines are followed
  GroupSample::Place current_; ///< of the current group, if it is sampled
  std::vector<GroupSums> groups_;
  profile::KernelProfile scratch_;
  std::vector<StratumReuse> reuse_; ///< of each stratum; all but what the launch tells
};

} // namespace aiwc::metrics
