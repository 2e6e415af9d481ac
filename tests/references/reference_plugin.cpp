/// An Oclgrind plugin made of the same parts as ours that keeps the trace of some work-groups of
/// every kernel, gives it to the analyses and to their brute-force references, and stops the
/// application with status 1 and the differences where they disagree.
///
/// The references are quadratic, so what they see is bounded: of a kernel the invocations 0, 1, 2,
/// 4, 8,
/// ... until it has executed kPerKernel instructions, and of an invocation the first work-groups,
/// until they have executed kPerInvocation. Both end with a whole work-group, and the first
/// work-group of the first invocation is always seen, however long it is.
#include "metrics/reference_comparison.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/shared/analysis.h"
#include "plugin/tracing_plugin.h"
#include "support/collector.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace aiwc::test {
namespace {

constexpr uint64_t kPerKernel = 300'000;
constexpr uint64_t kPerInvocation = 60'000;

/// Hands a trace on to the analyses, once to one set of them and once dealt out to two in turn, as
/// if two threads had simulated the groups; and keeps it.
class FollowedTrace final : public trace::ChunkConsumer {
public:
  explicit FollowedTrace(const trace::Program &program)
      : whole(program), order_(std::make_shared<metrics::ReuseOrder>(program)),
        even_(program, {}, order_), odd_(program, {}, order_) {}

  void beginGroup(const trace::Program &program, const trace::Group &group) override {
    dealt_ = group.linearId % 2 == 0 ? &even_ : &odd_;
    for (trace::ChunkConsumer *consumer : {to(kept), to(whole), to(*dealt_)})
      consumer->beginGroup(program, group);
  }
  void consume(const trace::Chunk &chunk) override {
    for (trace::ChunkConsumer *consumer : {to(kept), to(whole), to(*dealt_)})
      consumer->consume(chunk);
    for (const trace::BlockEvent &event : chunk.events)
      instructions += chunk.program.block(event.block).opCount;
  }
  void endGroup() override {
    for (trace::ChunkConsumer *consumer : {to(kept), to(whole), to(*dealt_)})
      consumer->endGroup();
  }

  /// Both threads' analyses together.
  const metrics::AnalysisSet &mergedThreads() {
    odd_.merge(even_);
    return odd_;
  }

  Collector kept;
  metrics::AnalysisSet whole;
  uint64_t instructions = 0;

private:
  static trace::ChunkConsumer *to(trace::ChunkConsumer &consumer) { return &consumer; }

  std::shared_ptr<metrics::ReuseOrder> order_;
  metrics::AnalysisSet even_, odd_;
  metrics::AnalysisSet *dealt_ = nullptr;
};

/// An invocation that the references see.
struct Followed {
  explicit Followed(const oclgrind::KernelInvocation &invocation)
      : decoded(*invocation.getKernel()->getFunction()), trace(decoded.program()),
        tracker(decoded, trace, invocation.getNumGroups()) {
    const oclgrind::Size3 size = invocation.getLocalSize();
    workGroupSize = size.x * size.y * size.z;
  }

  /// What the references and the analyses do not agree about; empty where they agree.
  std::string disagreements() {
    const profile::KernelProfile whole = finish(trace.whole, workGroupSize);
    const BruteForce reference = bruteForce(decoded.program(), trace.kept.execution, workGroupSize);
    longLoops = !reference.values.contains("coalescing_16"_metric);
    return differences(reference, whole) +
           differentBits(whole, finish(trace.mergedThreads(), workGroupSize));
  }

  decoding::DecodedProgram decoded;
  FollowedTrace trace;
  plugin::ExecutionTracker tracker;
  uint64_t workGroupSize;
  bool longLoops = false; ///< so long that coalescing and spatial locality may be sampled
};

/// What was compared of one kernel.
struct Kernel {
  uint64_t launches = 0;
  uint64_t invocations = 0, groups = 0, instructions = 0;
  uint64_t longLoops = 0; ///< invocations that were compared but for what may be sampled
};

class ReferencePlugin final : public plugin::TracingPlugin {
public:
  using TracingPlugin::TracingPlugin;

  void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
    for (const std::string &name : invocation->getKernel()->getProgram()->getKernelNames())
      kernels_.try_emplace(name);
    Kernel &kernel = kernels_[invocation->getKernel()->getName()];
    const uint64_t number = kernel.launches++;
    if ((number == 0 || std::has_single_bit(number)) && kernel.instructions < kPerKernel)
      followed_ = std::make_unique<Followed>(*invocation);
  }

  void kernelEnd(const oclgrind::KernelInvocation *invocation) override {
    stopFollowing();
    const std::unique_ptr<Followed> followed = std::move(followed_);
    if (!followed)
      return;
    const std::string &name = invocation->getKernel()->getName();
    Kernel &kernel = kernels_[name];
    const std::string disagreements = followed->disagreements();
    const bool lost = followed->tracker.lost();
    if (lost || !disagreements.empty()) {
      fmt::print(stderr, "references: {}, invocation {}:\n{}", name, kernel.launches - 1,
                 lost ? "the tracker lost a work-item\n" : disagreements);
      std::fflush(nullptr);
      std::_Exit(1);
    }
    ++kernel.invocations;
    kernel.longLoops += followed->longLoops;
    kernel.groups += followed->trace.kept.execution.groups.size();
    kernel.instructions += followed->trace.instructions;
  }

  /// One thread for all work-groups: the trace is kept in their order.
  bool isThreadSafe() const override { return false; }

  /// What was compared, and, as the last line, whether that was some of every kernel.
  void report() const {
    bool all = !kernels_.empty();
    for (const auto &[name, kernel] : kernels_) {
      fmt::print(stderr,
                 "references: {}: {} invocations ({} of them without what may be sampled), "
                 "{} work-groups, {} instructions\n",
                 name, kernel.invocations, kernel.longLoops, kernel.groups, kernel.instructions);
      all = all && kernel.instructions > 0;
    }
    fmt::print(stderr, "references: {}\n", all ? "all kernels agree" : "some kernel never ran");
  }

private:
  plugin::ExecutionTracker *trackerFor(const oclgrind::WorkGroup &) override {
    const bool more = followed_ && followed_->trace.instructions < kPerInvocation;
    return more ? &followed_->tracker : nullptr;
  }

  std::map<std::string, Kernel> kernels_; ///< by name
  std::unique_ptr<Followed> followed_;    ///< the invocation that runs
};

std::map<const oclgrind::Context *, std::unique_ptr<ReferencePlugin>> &plugins() {
  static std::map<const oclgrind::Context *, std::unique_ptr<ReferencePlugin>> instance;
  return instance;
}

} // namespace
} // namespace aiwc::test

extern "C" {

__attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context) {
  auto plugin = std::make_unique<aiwc::test::ReferencePlugin>(context);
  context->registerPlugin(plugin.get());
  aiwc::test::plugins()[context] = std::move(plugin);
}

__attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *context) {
  const auto entry = aiwc::test::plugins().find(context);
  if (entry == aiwc::test::plugins().end())
    return;
  entry->second->report();
  context->unregisterPlugin(entry->second.get());
  aiwc::test::plugins().erase(entry);
}

} // extern "C"
