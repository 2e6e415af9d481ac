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

/// Runs the launch only for its results, which later launches may need.
std::string runUnobserved(const oclgrind::KernelInvocation &kernelInvocation, unsigned threads,
                          std::vector<MappedRegion> mapped) {
  NoTrace nobody;
  try {
    const DecodedProgram decoded(*kernelInvocation.getKernel()->getFunction());
    return Engine::instance().run(kernelInvocation, decoded,
                                  {nobody, [](uint64_t) { return false; }, [] {}, [] {}, threads},
                                  std::move(mapped));
  } catch (const Error &error) { // e.g. a kernel that cannot be decoded
    return error.what();
  }
}

std::string runObserved(const oclgrind::KernelInvocation &kernelInvocation, const Wanted &wanted,
                        unsigned threads, const std::vector<MappedRegion> &mapped) {
  const auto run = [&](trace::ChunkConsumer &trace, const std::function<void()> &finish) {
    return Engine::instance().run(kernelInvocation, wanted.decoded,
                                  {trace, wanted.observes, wanted.groupDone, finish, threads},
                                  mapped);
  };
  if (threads == 1)
    return run(wanted.newTrace(), [] {});
  ReplayPool pool(threads, wanted.newTrace);
  return run(pool, [&pool] { pool.finish(); });
}

} // namespace

std::string Launches::run(const oclgrind::KernelInvocation &kernelInvocation,
                          const Wanted *wanted) const {
  return wanted ? runObserved(kernelInvocation, *wanted, threads_, mapped_.now())
                : runUnobserved(kernelInvocation, threads_, mapped_.now());
}

} // namespace aiwc::plugin::engine
