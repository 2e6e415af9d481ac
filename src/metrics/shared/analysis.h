/// The frame of the metric families: trace in, numbers out. A family has a folder beside this one
/// (catalogue/families.h lists them); this folder has what several of them share. The definitions
/// are those of docs/metrics.md. No file here knows Oclgrind, LLVM, files or printing.
#pragma once

#include "metrics/catalogue/families.h"
#include "metrics/shared/options.h"
#include "metrics/shared/repeats.h"
#include "profile/kernel_profile.h"
#include "trace/chunk.h"

#include <memory>
#include <string>
#include <vector>

namespace aiwc::metrics {

class ReuseOrder;

/// One metric family. Its chunks have their repeated runs marked (repeats.h). An instance sees the
/// groups of one recorder (one thread); instances of the same family are merged before `finish`.
/// Merging is associative and commutative, and no result depends on which groups an instance saw or
/// in what order: this is what makes profiles identical for any number of threads.
class Analysis : public trace::ChunkConsumer {
public:
  /// Adds what `other`, of the same dynamic type, has seen. `other` is not used afterwards.
  virtual void merge(Analysis &other) = 0;
  /// Writes the family's metrics. Called once, after the last merge.
  virtual void finish(profile::KernelProfile &profile) const = 0;
  /// Writes those of its metrics that are sums over work-groups, for the groups seen so far. Cheap
  /// and called any number of times: the difference of two calls is what the groups between add.
  virtual void sums(profile::KernelProfile &) const {}
};

struct Settings {
  const AnalysisOptions &options;
  /// What the analyses of reuse of several threads share; null: each has its own.
  std::shared_ptr<ReuseOrder> order;
};

/// A family's analysis of traces of `program`, which outlives it.
#define AIWC_DECLARE_FAMILY(family)                                                                \
  namespace family {                                                                               \
  std::unique_ptr<Analysis> make(const trace::Program &program, const Settings &settings);         \
  }
AIWC_TRACED_FAMILIES(AIWC_DECLARE_FAMILY)
#undef AIWC_DECLARE_FAMILY

/// All families together, as one consumer for a recorder.
class AnalysisSet final : public trace::ChunkConsumer {
public:
  /// `program` is that of every group to come and outlives the set. Sets that different threads
  /// use at the same time may share an `order` (reuse_order.h): the results are the same, and
  /// groups that wait for those of another thread take less memory. Throws `aiwc::Error` where
  /// `options.only` names a family that there is not.
  explicit AnalysisSet(const trace::Program &program, const AnalysisOptions &options = {},
                       std::shared_ptr<ReuseOrder> order = nullptr);

  /// The names of all families, in the order in which they run.
  static std::vector<std::string> families();

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  void endGroup() override;
  void merge(AnalysisSet &other);
  void finish(profile::KernelProfile &profile) const;
  void sums(profile::KernelProfile &profile) const;

private:
  std::vector<std::unique_ptr<Analysis>> analyses_;
  Repeats repeats_;
};

} // namespace aiwc::metrics
