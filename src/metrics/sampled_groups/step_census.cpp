#include "metrics/sampled_groups/step_census.h"

#include "common/hash.h"

#include <algorithm>
#include <utility>

namespace aiwc::metrics {

StepCensus::StepCensus(const std::vector<bool> &operations, uint64_t groups) : groups_(groups) {
  for (const bool isLookedAt : operations) {
    places_.push_back(isLookedAt ? static_cast<uint32_t>(operations_.size()) : kNone);
    if (isLookedAt)
      operations_.push_back({.ofGroup = std::vector<uint64_t>(groups)});
  }
  kept_ = operations_.size();
}

void StepCensus::Reader::beginGroup(const trace::Program &, const trace::Group &group) {
  group_ = group.linearId;
  const uint32_t last = group.items - 1;
  others_ = {std::min(1U, last), group.items / 2, std::min(group.items / 2 + 1, last),
             last - std::min(1U, last), last};
  steps_.assign(census_.operations_.size(), 0);
  beginInterval();
}

void StepCensus::Reader::beginInterval() {
  ofFirst_.clear();
  item_ = trace::Run::kWorkGroup;
}

void StepCensus::Reader::consume(const trace::Chunk &chunk) {
  for (const trace::Run &run : chunk.runs) {
    if (run.item != 0 && std::ranges::find(others_, run.item) == others_.end())
      continue;
    if (run.item != std::exchange(item_, run.item))
      number_ = 0;
    uint32_t at = run.accessBegin;
    for (uint32_t event = run.eventBegin; event < run.eventEnd && number_ < kMostSteps; ++event) {
      const trace::Block &block = chunk.program.block(chunk.events[event].block);
      for (; at < chunk.events[event].accessEnd; ++at) {
        const trace::Access &access = chunk.accesses[at];
        const uint32_t place = census_.places_[index(block.firstOp) + access.opOffset];
        if (place != kNone)
          add({place, access.address});
      }
    }
  }
  if (chunk.end == trace::ChunkEnd::kBarrier || chunk.end == trace::ChunkEnd::kMeeting)
    beginInterval();
}

/// Adds the distance to the access that the first work-item has made at this place. The order in
/// which an operation's distances come does not count: which blocks ran tells it.
void StepCensus::Reader::add(const Step &step) {
  const size_t number = number_++;
  if (item_ == 0) {
    if (number < kMostSteps)
      ofFirst_.push_back(step);
    return;
  }
  if (number >= ofFirst_.size() || ofFirst_[number].operation != step.operation)
    return; // on another way through the kernel
  const uint64_t distance = step.address - ofFirst_[number].address;
  steps_[step.operation] += splitMix64(fibonacciHash(distance + 1) ^ item_);
}

void StepCensus::Reader::endGroup() {
  census_.add(group_, steps_);
}

void StepCensus::add(uint64_t group, const std::vector<uint64_t> &steps) {
  const std::scoped_lock lock(mutex_);
  for (size_t i = 0; i < operations_.size(); ++i) {
    Operation &operation = operations_[i];
    if (operation.ofGroup.empty())
      continue;
    operation.ofGroup[group] = steps[i];
    operation.kinds.insert(steps[i]);
    if (operation.kinds.size() > kMostKinds) {
      operation = {};
      --kept_;
    }
  }
}

std::vector<uint64_t> StepCensus::kinds() const {
  std::vector<uint64_t> kinds(isUseless() ? 0 : groups_);
  for (const Operation &operation : operations_)
    for (size_t group = 0; group < operation.ofGroup.size(); ++group)
      kinds[group] = splitMix64(kinds[group] + operation.ofGroup[group]);
  return kinds;
}

} // namespace aiwc::metrics
