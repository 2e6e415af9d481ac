/// The interface of the metric families: an analysis reads a trace and computes metrics. Each
/// family has its own folder (catalogue/family_list.h lists them); this folder has code that
/// several families share. docs/metrics.md defines the metrics. No file in src/metrics depends on
/// Oclgrind or LLVM, uses files or prints.
#pragma once

#include "catalogue/family_list.h"
#include "metrics/shared/program_tables.h"
#include "metrics/shared/repeats.h"
#include "profile/kernel_profile.h"
#include "trace/chunk.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::metrics {

class ReuseOrder;

/// The analysis of one metric family. In the chunks that it consumes, repeated runs are marked
/// (repeats.h). An instance sees the groups of one recorder (one thread); instances of the same
/// family are merged before `finish`. Merging is associative and commutative, and the result does
/// not depend on which groups an instance saw or on their order. Therefore profiles are identical
/// for any number of threads.
class Analysis {
public:
  virtual ~Analysis() = default;
  // As of trace::ChunkConsumer
  virtual void beginGroup(const trace::Program &program, const trace::Group &group) = 0;
  virtual void consume(const MarkedChunk &chunk) = 0;
  virtual void endGroup() = 0;
  /// Adds the results of `other`, which has the same dynamic type. `other` must not be used
  /// afterwards.
  virtual void merge(Analysis &other) { add(other, 1); }
  /// Adds the counts of `other`, which has the same dynamic type, so many times. Only for families
  /// that keep no data per address.
  virtual void add(const Analysis &other, uint64_t times);
  /// Writes the family's metrics. Called once, after the last merge.
  virtual void finish(profile::KernelProfile &profile) const = 0;
  /// Writes only the metrics that are sums over work-groups, for the groups seen so far. Cheap; may
  /// be called any number of times. The difference between two calls is the sum over the groups
  /// seen in between.
  virtual void sums(profile::KernelProfile &) const {}
};

/// Options of the analyses. The profile records those that the user can set.
struct AnalysisOptions {
  /// Size of a cache line for reuse distances: a power of two from 32 to 256.
  uint32_t lineBytes = 64;
  /// If set, compute only these families (names as in AnalysisSet::families()). Not a user option:
  /// sampled work-groups divide the families among several sets of analyses.
  std::optional<std::vector<std::string>> only = std::nullopt;
};

/// What analyses need while a work-group runs and not afterwards, such as the accesses since the
/// last barrier. A sample of the groups has tens of analyses of a family (SampledAnalyses), of
/// which one at a time sees a group; they share this memory, which may be megabytes. Not
/// thread-safe: analyses of different threads must not share one.
class WorkingMemory {
public:
  /// The object of type `T` of all that ask for it. The first call makes it, with `arguments`. A
  /// group must leave it as it was made, but for memory that was allocated.
  template <typename T, typename... Arguments> std::shared_ptr<T> get(Arguments &&...arguments) {
    static char type; // its address stands for the type
    std::shared_ptr<void> &object = objects_[&type];
    if (!object)
      object = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    return std::static_pointer_cast<T>(object);
  }

private:
  std::map<const char *, std::shared_ptr<void>> objects_;
};

struct Settings {
  const AnalysisOptions &options;
  /// Shared by the reuse-distance analyses of several threads; null: each has its own.
  std::shared_ptr<ReuseOrder> order;
  const ProgramTables &tables; ///< of the program
  WorkingMemory &memory;       ///< of the analyses of a thread
};

/// Declares `make` of each family, which creates its analysis of traces of `program`. `program` and
/// the tables must outlive the analysis; it keeps what it takes of the working memory.
#define AIWC_DECLARE_FAMILY(family)                                                                \
  namespace family {                                                                               \
  std::unique_ptr<Analysis> make(const trace::Program &program, const Settings &settings);         \
  }
AIWC_TRACED_FAMILIES(AIWC_DECLARE_FAMILY)
#undef AIWC_DECLARE_FAMILY

/// The analyses of all families as one consumer for a recorder.
class AnalysisSet final : public trace::ChunkConsumer {
public:
  /// All groups must belong to `program`, which must outlive the set. Sets of different threads may
  /// share an `order` (reuse_order.h); the results are the same, and groups that wait for groups of
  /// another thread take less memory. `tables`: of the program, to share them with other sets; they
  /// must outlive this one. `memory`: to share it with other sets, of which one at a time sees a
  /// group. Throws `aiwc::Error` if `options.only` names an unknown family.
  explicit AnalysisSet(const trace::Program &program, const AnalysisOptions &options = {},
                       const std::shared_ptr<ReuseOrder> &order = nullptr,
                       const ProgramTables *tables = nullptr, WorkingMemory *memory = nullptr);

  /// The names of all families, in the order in which they run.
  static std::vector<std::string> families();

  void beginGroup(const trace::Program &program, const trace::Group &group) override;
  void consume(const trace::Chunk &chunk) override;
  /// Likewise, of a chunk whose repeated runs are marked.
  void consumeMarked(const MarkedChunk &chunk);
  void endGroup() override;
  void merge(AnalysisSet &other);
  /// Adds the counts of `other` so many times, as `Analysis::add` does. `other` must have all
  /// families of this set.
  void add(const AnalysisSet &other, uint64_t times);
  void finish(profile::KernelProfile &profile) const;
  void sums(profile::KernelProfile &profile) const;

private:
  const trace::Program &program_;
  std::unique_ptr<const ProgramTables> ownTables_; ///< null if others' are used
  std::vector<std::string_view> names_;            ///< of `analyses_`
  std::vector<std::unique_ptr<Analysis>> analyses_;
  Repeats repeats_;
};

} // namespace aiwc::metrics
