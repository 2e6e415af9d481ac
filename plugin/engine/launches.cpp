#include "plugin/engine/launches.h"

#include "common/error.h"
#include "plugin/engine/engine.h"
#include "plugin/engine/replay_pool.h"

#include <algorithm>
#include <vector>

namespace aiwc::engine {
namespace {

/// Counts what a trace executes on its way to a consumer.
class Counted final : public trace::ChunkConsumer {
public:
  Counted(trace::ChunkConsumer &consumer, const std::function<bool()> &stops)
      : consumer_(consumer), stops_(stops) {}

  void beginGroup(const trace::Program &program, const trace::Group &group) override {
    ofGroup_ = {};
    ofItem_.assign(group.items, 0);
    sinceAsked_ = 0;
    consumer_.beginGroup(program, group);
  }
  void consume(const trace::Chunk &chunk) override {
    for (const trace::Run &run : chunk.runs) {
      const uint64_t before = ofGroup_.instructions;
      for (uint32_t event = run.eventBegin; event < run.eventEnd; ++event)
        ofGroup_.add(chunk.program, chunk.events[event].block);
      if (run.item < ofItem_.size()) // not one of the whole group
        ofItem_[run.item] += ofGroup_.instructions - before;
    }
    consumer_.consume(chunk);
    constexpr size_t kBetween = size_t{1} << 18; // blocks, a hundredth of a second
    sinceAsked_ += chunk.events.size();
    if (sinceAsked_ >= kBetween && stops_ && (sinceAsked_ = 0, stops_()))
      throw Error("it was stopped");
  }
  void endGroup() override {
    instructions_ += ofGroup_.instructions;
    consumer_.endGroup();
  }
  uint64_t instructions() const { return instructions_; }
  /// What the last group has executed.
  GroupWork ofGroup() const {
    const auto [least, most] = std::ranges::minmax_element(ofItem_);
    return ofItem_.empty() ? GroupWork{ofGroup_} : GroupWork{ofGroup_, *least, *most};
  }

private:
  trace::ChunkConsumer &consumer_;
  const std::function<bool()> &stops_;
  size_t sinceAsked_ = 0; ///< basic blocks
  uint64_t instructions_ = 0;
  trace::Executed ofGroup_;      ///< the last one
  std::vector<uint64_t> ofItem_; ///< instructions of its work-items
};

} // namespace

/// Runs the launch only for its results, which later launches may need.
Outcome Launches::runUntraced(const oclgrind::KernelInvocation &kernelInvocation,
                              const decoding::DecodedProgram &decoded) const {
  NoTrace nobody;
  return Engine::instance().run(kernelInvocation, decoded,
                                {nobody, [](uint64_t) { return false; }, true, nullptr,
                                 [] { return Verdict::kKeep; }, threads_, optimised_, false},
                                mapped_.now());
}

Outcome Launches::runTraced(const oclgrind::KernelInvocation &kernelInvocation,
                            const decoding::DecodedProgram &decoded, const Wanted &wanted) const {
  const auto run = [&](trace::ChunkConsumer &trace, const std::function<Verdict()> &finish) {
    Counted counted(trace, wanted.stops);
    const auto groupDone = [&](uint64_t group, const GroupWork *untraced) {
      GroupDone done{group, wanted.isTraced(group), std::nullopt, counted.instructions()};
      if (untraced)
        done.work = *untraced;
      else if (done.traced)
        done.work = counted.ofGroup();
      return wanted.groupDone(done);
    };
    return Engine::instance().run(
        kernelInvocation, decoded,
        {counted, wanted.isTraced, wanted.runsOthers, groupDone, finish, threads_, optimised_},
        mapped_.now());
  };
  if (threads_ == 1)
    return run(wanted.newTrace(), wanted.traced);
  ReplayPool pool(threads_, wanted.newTrace);
  return run(pool, [&] {
    pool.finish();
    return wanted.traced();
  });
}

Outcome Launches::run(const oclgrind::KernelInvocation &kernelInvocation,
                      const decoding::DecodedProgram &decoded, const Wanted *wanted) const {
  return wanted ? runTraced(kernelInvocation, decoded, *wanted)
                : runUntraced(kernelInvocation, decoded);
}

void Launches::forgetFailure(const oclgrind::KernelInvocation &kernelInvocation) {
  Engine::instance().forgetFailure(*kernelInvocation.getKernel()->getFunction());
}

} // namespace aiwc::engine
