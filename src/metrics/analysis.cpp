#include "metrics/analysis.h"

#include "metrics/families.h"

#include <cassert>
#include <utility>

namespace aiwc::metrics {

AnalysisSet::AnalysisSet(const trace::Program &program, const AnalysisOptions &options,
                         std::shared_ptr<ReuseOrder> order) {
  analyses_.push_back(makeInstructionMix(program));
  analyses_.push_back(makeParallelism(program));
  analyses_.push_back(makeFreedomToReorder(program));
  analyses_.push_back(makeMemoryAddresses(program));
  analyses_.push_back(makeBranchEntropy(program));
  analyses_.push_back(makeAsapSchedule(program));
  analyses_.push_back(makeLaneUtilization(program));
  analyses_.push_back(makeCoalescing(program));
  analyses_.push_back(makeParallelSpatialLocality(program));
  analyses_.push_back(makeAtomicContention(program));
  analyses_.push_back(makeLoopReport(program));
  analyses_.push_back(makeLineReport(program));
  analyses_.push_back(makeReuseDistance(options, std::move(order)));
}

void AnalysisSet::beginGroup(const trace::Program &program, const trace::Group &group) {
  for (const auto &analysis : analyses_)
    analysis->beginGroup(program, group);
}

void AnalysisSet::consume(const trace::Chunk &chunk) {
  for (const auto &analysis : analyses_)
    analysis->consume(chunk);
}

void AnalysisSet::endGroup() {
  for (const auto &analysis : analyses_)
    analysis->endGroup();
}

void AnalysisSet::merge(AnalysisSet &other) {
  assert(analyses_.size() == other.analyses_.size());
  for (size_t i = 0; i < analyses_.size(); ++i)
    analyses_[i]->merge(*other.analyses_[i]);
}

void AnalysisSet::finish(profile::KernelProfile &profile) const {
  for (const auto &analysis : analyses_)
    analysis->finish(profile);
}

} // namespace aiwc::metrics
