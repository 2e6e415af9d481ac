#include "plugin/engine/launches.h"

#include "common/error.h"
#include "plugin/engine/engine.h"
#include "plugin/engine/replay_pool.h"

namespace aiwc::plugin::engine {
namespace {

/// A consumer that ignores the trace.
class NoTrace final : public trace::ChunkConsumer {
public:
  void beginGroup(const trace::Program &, const trace::Group &) override {}
  void consume(const trace::Chunk &) override {}
  void endGroup() override {}
};

/// Counts the instructions of a trace on its way to a consumer.
class Counted final : public trace::ChunkConsumer {
public:
  explicit Counted(trace::ChunkConsumer &consumer) : consumer_(consumer) {}

  void beginGroup(const trace::Program &program, const trace::Group &group) override {
    consumer_.beginGroup(program, group);
  }
  void consume(const trace::Chunk &chunk) override {
    for (const trace::BlockEvent &event : chunk.events)
      instructions_ += chunk.program.block(event.block).opCount;
    consumer_.consume(chunk);
  }
  void endGroup() override { consumer_.endGroup(); }
  uint64_t instructions() const { return instructions_; }

private:
  trace::ChunkConsumer &consumer_;
  uint64_t instructions_ = 0;
};

/// Runs the launch only for its results, which later launches may need.
std::string runUnobserved(const oclgrind::KernelInvocation &kernelInvocation, unsigned threads,
                          std::vector<MappedRegion> mapped) {
  NoTrace nobody;
  try {
    const DecodedProgram decoded(*kernelInvocation.getKernel()->getFunction());
    return Engine::instance().run(
        kernelInvocation, decoded,
        {nobody, [](uint64_t) { return false; }, true, [] {}, [] {}, threads}, std::move(mapped));
  } catch (const Error &error) { // e.g. a kernel that cannot be decoded
    return error.what();
  }
}

std::string runObserved(const oclgrind::KernelInvocation &kernelInvocation, const Wanted &wanted,
                        unsigned threads, const std::vector<MappedRegion> &mapped) {
  const auto run = [&](trace::ChunkConsumer &trace, const std::function<void()> &finish) {
    Counted counted(trace);
    return Engine::instance().run(kernelInvocation, wanted.decoded,
                                  {counted, wanted.observes, wanted.runsOthers,
                                   [&] { wanted.groupDone(counted.instructions()); }, finish,
                                   threads},
                                  mapped);
  };
  if (threads == 1)
    return run(wanted.newTrace(), [&] { wanted.traced(); });
  ReplayPool pool(threads, wanted.newTrace);
  return run(pool, [&] {
    pool.finish();
    wanted.traced();
  });
}

} // namespace

std::string Launches::run(const oclgrind::KernelInvocation &kernelInvocation,
                          const Wanted *wanted) const {
  return wanted ? runObserved(kernelInvocation, *wanted, threads_, mapped_.now())
                : runUnobserved(kernelInvocation, threads_, mapped_.now());
}

} // namespace aiwc::plugin::engine
