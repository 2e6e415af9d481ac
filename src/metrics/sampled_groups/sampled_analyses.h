#pragma once

#include "metrics/sampled_groups/group_sample.h"
#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sample_error.h"
#include "metrics/shared/analysis.h"

#include <memory>
#include <vector>

namespace aiwc::metrics {

/// The counterpart of AnalysisSet for a sample of the work-groups. It estimates the launch's
/// metrics and their errors (docs/metrics.md, "Sampled work-groups").
///
/// For families whose metrics are means, the sample is divided into kParts parts with separate
/// analyses; the error is computed from the spread of the parts. This multiplies the memory of
/// these families, which is small, by kParts. The other families, which store data per address,
/// analyse the whole sample at once. For metrics that are sums, the values of each group are
/// stored: about 200 bytes per group.
class SampledAnalyses final : public trace::ChunkConsumer {
public:
  /// The number of parts of a sample (fewer if it has fewer groups). More parts would not improve
  /// the error estimate much. Ten is not a Fibonacci number: the positions of sampled groups in
  /// their strata nearly repeat after a Fibonacci number of groups, so with ten they differ within
  /// each part.
  static constexpr uint64_t kParts = 10;

  /// The parameters are those of AnalysisSet; sets of several threads share `order`, `sample` and
  /// `tables`.
  SampledAnalyses(const trace::Program &program, const AnalysisOptions &options,
                  const std::shared_ptr<ReuseOrder> &order,
                  std::shared_ptr<const GroupSample> sample, const ProgramTables *tables = nullptr);

  /// `group` must be in the sample.
  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;
  /// Adds the results of `other`, which must not be used afterwards.
  void merge(SampledAnalyses &other);

  /// Writes the metrics of the sample, and stores the data that `estimate` needs. Call it once,
  /// after the last merge.
  void finish(profile::KernelProfile &profile);
  /// Replaces the metrics of the whole sample in `profile` by estimates for the launch, which has
  /// `totalItems` work-items, with their errors. Throws `aiwc::Error` if a count exceeds 2^64 - 1.
  /// `memory`: the launch's buffers in global and constant memory.
  void estimate(profile::KernelProfile &profile, uint64_t totalItems,
                const std::vector<MemoryRange> &memory) const;

private:
  /// The values of one group for the metrics that are sums, in the order of `sums()`.
  struct GroupSums {
    uint64_t rank = 0;
    uint64_t items = 0;
    std::vector<uint64_t> values;
  };

  static const std::vector<profile::Metric> &sums();
  std::vector<uint64_t> sumsSoFar();
  AnalysisSet &part(uint64_t number);

  const trace::Program &program_;
  std::unique_ptr<const ProgramTables> ownTables_; ///< null if others' are used
  const ProgramTables &tables_;
  AnalysisOptions wholeOptions_, partOptions_;
  std::shared_ptr<const GroupSample> sample_;
  AnalysisSet whole_;
  LineSharing sharing_;
  std::vector<std::unique_ptr<AnalysisSet>> parts_; ///< null if the part has no group yet
  uint64_t current_ = 0;                            ///< part of the current group
  std::vector<GroupSums> groups_;
  profile::KernelProfile scratch_;
  std::vector<profile::KernelProfile> ofParts_;
};

} // namespace aiwc::metrics
