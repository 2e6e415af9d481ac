#pragma once

#include "metrics/sampled_groups/group_sample.h"
#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sample_error.h"
#include "metrics/shared/analysis.h"

#include <memory>
#include <vector>

namespace aiwc::metrics {

/// What AnalysisSet is for all work-groups, for a sample of them: estimates the launch's metrics
/// and how far they may be off (docs/metrics.md, "Sampled work-groups").
///
/// The families whose metrics are means see the sample in kParts parts, each with analyses of its
/// own: the spread of the parts tells the error. Memory is that many times those families', which
/// keep little. The others, which keep what they know of each address, see it as a whole. Of sums,
/// it is remembered what each group adds: some 200 bytes per group.
class SampledAnalyses final : public trace::ChunkConsumer {
public:
  /// Parts of a sample; as many as there are groups where these are fewer. Ten: more would not tell
  /// the spread much better, and the offsets of the sampled groups in their strata, which repeat
  /// nearly after a Fibonacci number of groups, differ within each part.
  static constexpr uint64_t kParts = 10;

  /// As for AnalysisSet; sets of several threads share `order` and `sample`.
  SampledAnalyses(const trace::Program &program, const AnalysisOptions &options,
                  std::shared_ptr<ReuseOrder> order, std::shared_ptr<const GroupSample> sample);

  /// `group` is one of the sample.
  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;
  /// Adds what `other` has seen, which is not used afterwards.
  void merge(SampledAnalyses &other);

  /// Writes the metrics of the groups that were seen, and remembers what `estimate` needs. Called
  /// once, after the last merge.
  void finish(profile::KernelProfile &profile);
  /// Makes these metrics, of the whole sample, those of the launch, of `totalItems` work-items,
  /// with their errors. Throws `aiwc::Error` for a count that would exceed 2^64 - 1.
  void estimate(profile::KernelProfile &profile, uint64_t totalItems) const;

private:
  /// What one group adds to the metrics that are sums, in the order of `sums()`.
  struct GroupSums {
    uint64_t rank = 0;
    uint64_t items = 0;
    std::vector<uint64_t> values;
  };

  static const std::vector<profile::Metric> &sums();
  std::vector<uint64_t> sumsSoFar();
  AnalysisSet &part(uint64_t number);

  const trace::Program &program_;
  AnalysisOptions wholeOptions_, partOptions_;
  std::shared_ptr<const GroupSample> sample_;
  AnalysisSet whole_;
  LineSharing sharing_;
  std::vector<std::unique_ptr<AnalysisSet>> parts_; ///< null where no group was seen
  uint64_t current_ = 0;                            ///< part of the current group
  std::vector<GroupSums> groups_;
  profile::KernelProfile scratch_;
  std::vector<profile::KernelProfile> ofParts_;
};

} // namespace aiwc::metrics
