#include "plugin/engine/launches.h"

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

} // namespace

/// Runs the launch only for its results, which later launches may need.
std::string Launches::runUnobserved(const oclgrind::KernelInvocation &kernelInvocation,
                                    const DecodedProgram &decoded) const {
  NoTrace nobody;
  return Engine::instance().run(
      kernelInvocation, decoded,
      {nobody, [](uint64_t) { return false; }, true, [] {}, [] {}, threads_, always_, false},
      mapped_.now());
}

std::string Launches::runObserved(const oclgrind::KernelInvocation &kernelInvocation,
                                  const DecodedProgram &decoded, const Wanted &wanted) const {
  const auto run = [&](trace::ChunkConsumer &trace, const std::function<void()> &finish) {
    Counted counted(trace);
    return Engine::instance().run(kernelInvocation, decoded,
                                  {counted, wanted.observes, wanted.runsOthers,
                                   [&] { wanted.groupDone(counted.instructions()); }, finish,
                                   threads_, always_},
                                  mapped_.now());
  };
  if (threads_ == 1)
    return run(wanted.newTrace(), [&] { wanted.traced(); });
  ReplayPool pool(threads_, wanted.newTrace);
  return run(pool, [&] {
    pool.finish();
    wanted.traced();
  });
}

std::string Launches::run(const oclgrind::KernelInvocation &kernelInvocation,
                          const DecodedProgram &decoded, const Wanted *wanted) const {
  return wanted ? runObserved(kernelInvocation, decoded, *wanted)
                : runUnobserved(kernelInvocation, decoded);
}

void Launches::interpreted(uint64_t instructions) {
  Engine::instance().interpreted(instructions);
}

} // namespace aiwc::plugin::engine
