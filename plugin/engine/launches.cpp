#include "plugin/engine/launches.h"

#include "common/error.h"
#include "plugin/engine/engine.h"
#include "plugin/engine/replay_pool.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace aiwc::plugin::engine {
namespace {

/// What nobody looks at.
class NoTrace final : public trace::ChunkConsumer {
public:
  void beginGroup(const trace::Program &, const trace::Group &) override {}
  void consume(const trace::Chunk &) override {}
  void endGroup() override {}
};

/// For what it computes alone, which later launches may need.
std::string runUnobserved(const oclgrind::KernelInvocation &kernelInvocation, unsigned threads) {
  NoTrace nobody;
  try {
    const DecodedProgram decoded(*kernelInvocation.getKernel()->getFunction());
    return Engine::instance().run(kernelInvocation, decoded,
                                  {nobody, [](uint64_t) { return false; }, [] {}, [] {}, threads});
  } catch (const Error &error) { // where it matters, it has been told
    return error.what();
  }
}

/// Replays on `threads` threads what the kernel does.
std::string runObserved(const oclgrind::KernelInvocation &kernelInvocation, Invocation &invocation,
                        unsigned threads) {
  const auto run = [&](trace::ChunkConsumer &trace, const std::function<void()> &finish) {
    return Engine::instance().run(
        kernelInvocation, invocation.decoded(),
        {trace, [&](uint64_t linearId) { return invocation.characterises(linearId); },
         [&] { invocation.groupDone(); }, finish, threads});
  };
  const auto newTrace = [&]() -> trace::ChunkConsumer & { return invocation.newTrace(); };
  if (threads == 1)
    return run(newTrace(), [] {});
  ReplayPool pool(threads, newTrace);
  return run(pool, [&pool] { pool.finish(); });
}

} // namespace

bool Launches::run(const oclgrind::KernelInvocation &kernelInvocation, Invocation *invocation) {
  if (options_.engine == EngineChoice::kInterpreter)
    return false;
  const std::string reason = tryEngine(kernelInvocation, invocation);
  if (!reason.empty())
    explain(kernelInvocation.getKernel()->getName(), reason);
  return reason.empty();
}

/// Empty, or why the kernel has to be interpreted.
std::string Launches::tryEngine(const oclgrind::KernelInvocation &kernelInvocation,
                                Invocation *invocation) const {
  if (mapped_ > 0) // the interpreter checks accesses to it
    return "a buffer is mapped";
  const unsigned threads =
      options_.threads > 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  if (!invocation)
    return runUnobserved(kernelInvocation, threads);
  std::string reason = runObserved(kernelInvocation, *invocation, threads);
  if (reason.empty()) {
    invocation->setEngine("compiled");
  } else {
    invocation->discardTraces();
    invocation->setEngine("interpreter", reason);
  }
  return reason;
}

void Launches::explain(const std::string &kernel, const std::string &reason) {
  const bool wanted =
      options_.verbose || (options_.engine == EngineChoice::kCompiled && !options_.quiet);
  if (!wanted || !explained_.emplace(kernel, reason).second)
    return;
  std::fprintf(stderr, "aiwc: kernel '%s' is interpreted: %s\n", kernel.c_str(), reason.c_str());
}

} // namespace aiwc::plugin::engine
