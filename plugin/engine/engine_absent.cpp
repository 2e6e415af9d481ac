// Replaces the engine if it does not support the processor or the version of LLVM that Oclgrind
// uses.
#include "plugin/engine/deep_stack.h"
#include "plugin/engine/engine.h"

namespace aiwc::engine {

Engine &Engine::instance() {
  static Engine engine;
  return engine;
}

Outcome Engine::run(const oclgrind::KernelInvocation &, const decoding::DecodedProgram &,
                    // NOLINTNEXTLINE(performance-unnecessary-value-param): the engine keeps them
                    const Observer &, std::vector<MappedRegion>) {
  return {.refusal = "the compiled engine is not part of this build: it needs LLVM 14 and an "
                     "x86-64 processor"};
}

void Engine::forgetFailure(const llvm::Function &) {}

CodeCounts codeCounts() {
  return {};
}

void cacheCodeIn(const std::filesystem::path &) {}

void runOnDeepStack(const std::function<void()> &work) {
  work();
}

} // namespace aiwc::engine
