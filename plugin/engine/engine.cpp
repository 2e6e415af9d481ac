#include "plugin/engine/engine.h"

#include "plugin/engine/thread_runtime.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace aiwc::plugin::engine {

namespace {

/// Options of Oclgrind that ask for what only the interpreter can tell.
const char *interpretersOption() {
  for (const char *variable : {"OCLGRIND_INST_COUNTS", "OCLGRIND_DATA_RACES",
                               "OCLGRIND_UNINITIALIZED", "OCLGRIND_INTERACTIVE", "OCLGRIND_QUICK"})
    if (oclgrind::checkEnv(variable))
      return variable;
  return nullptr;
}

/// Instructions of one work-item, were it to execute everything and every loop to make 16 trips.
double roughLength(const trace::Program &program) {
  double length = 0;
  for (const trace::Block &block : program.blocks) {
    const uint32_t depth = block.loop == trace::LoopId::kNone ? 0 : program.loop(block.loop).depth;
    length += std::ldexp(block.opCount, 4 * static_cast<int>(std::min(depth, 4u)));
  }
  return length;
}

/// Good machine code saves a nanosecond or two per instruction executed, and costs some 50
/// microseconds more per instruction compiled.
Effort effortFor(double executed, const trace::Program &program) {
  constexpr double kWorthIt = 32768;
  static const bool always = std::getenv("AIWC_ENGINE_EFFORT"); // for tests
  return always || executed >= kWorthIt * static_cast<double>(program.operations.size())
             ? Effort::kMuch
             : Effort::kLittle;
}

bool onlyOurPlugin() {
  const char *plugins = std::getenv("OCLGRIND_PLUGINS");
  return !plugins || !std::strchr(plugins, ':');
}

} // namespace

Engine &Engine::instance() {
  static auto *engine = new Engine; // outlives every static destructor
  return *engine;
}

Engine::Entry &Engine::entryFor(const oclgrind::KernelInvocation &invocation,
                                const DecodedProgram &decoded) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  const oclgrind::Size3 size = invocation.getGlobalSize();
  Entry &entry = entries_[kernel.getFunction()];
  const uint64_t fingerprint = fingerprintOf(decoded);
  if (entry.fingerprint != fingerprint) {
    entry = Entry();
    entry.fingerprint = fingerprint;
  }
  entry.executed += static_cast<double>(size.x * size.y * size.z) * roughLength(decoded.program());
  const Effort effort = effortFor(entry.executed, decoded.program());
  if (!entry.refusal.empty() || (entry.kernel && entry.kernel->effort >= effort))
    return entry;
  try {
    entry.kernel = compile(*kernel.getFunction(), decoded,
                           *kernel.getProgram()->getInterpreterCache(kernel.getFunction()), effort);
  } catch (const std::exception &error) {
    entry.refusal = error.what();
  } catch (...) { // what Oclgrind throws is no standard exception to us
    entry.refusal = "Oclgrind does not know a function that it calls";
  }
  return entry;
}

std::string Engine::run(const oclgrind::KernelInvocation &invocation, const DecodedProgram &decoded,
                        trace::ChunkConsumer &trace, const std::function<void()> &groupDone) {
  if (const char *option = interpretersOption())
    return std::string(option) + " is set";
  if (!onlyOurPlugin())
    return "another plugin is loaded";
  Entry &entry = entryFor(invocation, decoded);
  if (!entry.refusal.empty())
    return entry.refusal;
#ifdef __SANITIZE_THREAD__
  if (entry.kernel->code.synchronises)
    return "ThreadSanitizer does not follow its work-items";
#endif

  static GlobalView global; // its table is empty between launches
  const Launch launch{*entry.kernel, invocation, decoded.program(), global};
  bool complete = true;
  Failure failure = Failure::kInternal;
  try {
    ThreadRuntime runtime(launch, trace);
    const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
    for (const ValueSlot &slot : entry.kernel->code.slots) {
      const llvm::Type *type = slot.value->getType();
      if (!type->isPointerTy() || (type->getPointerAddressSpace() != oclgrind::AddrSpaceGlobal &&
                                   type->getPointerAddressSpace() != oclgrind::AddrSpaceConstant))
        continue;
      uint64_t address = 0;
      std::memcpy(&address, runtime.values().data() + slot.offset, sizeof address);
      global.add(memory, address);
    }
    const oclgrind::Size3 groups = invocation.getNumGroups();
    const size_t count = groups.x * groups.y * groups.z;
    for (size_t i = 0; i < count && complete; ++i) {
      complete = runtime.runGroup(oclgrind::Size3(i, groups));
      if (complete)
        groupDone();
      else
        failure = runtime.failure();
    }
  } catch (...) {
    complete = false;
  }
  if (!complete) {
    global.restore();
    entry.refusal = std::string("in this or an earlier launch ") + describe(failure);
  }
  global.clear();
  return entry.refusal;
}

} // namespace aiwc::plugin::engine
