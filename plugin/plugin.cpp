/// The entry points that Oclgrind calls to create and to destroy the plugin of a context. No
/// exception leaves this file.
#include "decoding/source_text.h"
#include "plugin/aiwc_plugin.h"
#include "plugin/engine/jit.h"
#include "plugin/hooks.h"
#include "plugin/interruption.h"
#include "plugin/local_sizes.h"
#include "plugin/messages.h"
#include "plugin/private_members.h"
#include "plugin/program_builds.h"
#include "plugin/waiting_items.h"
#include "session/code_cache.h"
#include "session/escape.h"
#include "session/options.h"
#include "simulator/compat.h"
#include "simulator/intrinsics.h"

#include <fmt/format.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

namespace aiwc::plugin {

using Message = oclgrind::Context::Message;
struct MessageText {
  using Pointer = std::stringstream Message::*;
  friend Pointer memberOf(MessageText);
};
template struct Access<MessageText, &Message::m_stream>;

namespace {

/// Called by the preloaded library (plugin/preload.cpp). The compiler names a kernel's variable
/// `tile` `kernel.tile`. By itself Oclgrind also takes the variables of kernels whose names begin
/// with this one's (`scan` has those of `scan_large`, too), and refuses launches for want of local
/// memory.
size_t ownLocalMemory(const oclgrind::Kernel *kernel) {
  constexpr unsigned kLocalSpace = 3;
  size_t bytes = 0;
  for (auto value = kernel->values_begin(); value != kernel->values_end(); ++value) {
    const auto *type = llvm::dyn_cast<llvm::PointerType>(value->first->getType());
    if (!type || type->getAddressSpace() != kLocalSpace)
      continue;
    llvm::StringRef name = value->first->getName();
    if (llvm::isa<llvm::GlobalVariable>(value->first) &&
        !(name.consume_front(kernel->getName()) && name.startswith(".")))
      continue;
    bytes += value->second.size;
  }
  return bytes;
}

/// Oclgrind has no source of a program that was compiled before.
void describe(void *message, const llvm::Instruction *instruction,
              void (*byOclgrind)(void *, const llvm::Instruction *)) {
  byOclgrind(message, instruction);
  std::stringstream &stream = static_cast<Message *>(message)->*memberOf(MessageText());
  std::string text = stream.str();
  const size_t end = text.rfind(":\n  (source not available)");
  if (end == std::string::npos || !decoding::isCuda(*instruction->getModule()))
    return;
  const std::string code = decoding::codeAt(instruction->getDebugLoc());
  stream.str(text.substr(0, end) + (code.empty() ? "" : ":\n  " + code));
  stream.seekp(0, std::ios::end);
}

void mendOclgrind() {
  if (Hooks *const hooks = preloadedHooks()) {
    hooks->measureLocalMemory = ownLocalMemory;
    hooks->describe = describe;
  }
}

/// The plugins of all existing contexts, guarded by ResultsLock. If an application never releases
/// its context, its last profile is completed when the process exits.
std::map<const oclgrind::Context *, std::unique_ptr<AiwcPlugin>> &plugins() {
  static auto *instance = new std::map<const oclgrind::Context *, std::unique_ptr<AiwcPlugin>>;
  return *instance; // it outlives every static destructor
}

/// Called by the preloaded library when a kernel has begun. Returns whether the compiled engine has
/// run it.
bool takeLaunch(const oclgrind::KernelInvocation *kernelInvocation) {
  AiwcPlugin *plugin = nullptr;
  {
    const ResultsLock lock;
    const auto entry = plugins().find(kernelInvocation->getContext());
    if (entry != plugins().end())
      plugin = entry->second.get();
  }
  return plugin && plugin->runCompiled(*kernelInvocation);
}

/// Has the preloaded library, if there is one, pass constants to the plugin from now on: Oclgrind
/// knows none of half precision.
void takeConstants() {
  if (Hooks *const hooks = preloadedHooks())
    hooks->storeConstant = simulator::storeConstant;
}

/// Has the preloaded library, if there is one, ask for local sizes.
void askForLocalSizes(const aiwc::SessionOptions &options) {
  if (!chooseLocalSizes(options.localSizes) && !options.localSizes.empty())
    say(asTyped("aiwc: --aiwc-local-size has no effect: the library of the compiled engine is not "
                "preloaded\n"));
}

/// Asks the preloaded library, if there is one, to offer the launches of kernels.
void askForLaunches(const aiwc::SessionOptions &options) {
  if (options.engine == EngineChoice::kInterpreter)
    return;
  if (Hooks *const hooks = preloadedHooks())
    hooks->takeLaunch = takeLaunch;
  else if (options.verbose || (namesInterpretedKernels(options.engine) && !options.quiet))
    say(fmt::format("aiwc: kernels are interpreted: {}\n", kNotOffered));
}

/// Whether to say at the end of the process how many kernels were compiled.
bool saysHowMuchWasCompiled = false;

/// Chooses the folder in which the engine keeps machine code, once for the process.
void chooseCache(const aiwc::SessionOptions &options) {
  static std::once_flag once;
  std::call_once(once, [&] {
    saysHowMuchWasCompiled = options.verbose && options.engine != EngineChoice::kInterpreter;
    if (options.cache != kNoCache)
      engine::cacheCodeIn(options.cache.empty() ? CodeCache::usersFolder() : options.cache);
  });
}

void sayHowMuchWasCompiled() {
  const auto [compiled, cached] = engine::codeCounts();
  if (saysHowMuchWasCompiled && compiled + cached > 0)
    say(fmt::format("aiwc: machine code: {} compiled, {} from the cache\n", compiled, cached));
}

void concludeAll() {
  const ResultsLock lock; // other threads may still run kernels
  for (const auto &[context, plugin] : plugins())
    plugin->conclude();
}

__attribute__((destructor)) void settleAtExit() {
  ResultsLock::processExits();
  const ResultsLock lock;
  concludeAll();
  sayHowMuchWasCompiled();
}

} // namespace
} // namespace aiwc::plugin

using namespace aiwc::plugin;

extern "C" {

__attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context) {
  try {
    if (std::getenv(aiwc::kNamesAsAiwc))
      aiwc::nameOptionsAsAiwc();
    const aiwc::SessionOptions options = aiwc::optionsFromEnvironment();
    aiwc::simulator::addIntrinsics();
    aiwc::simulator::addHalfPrecision();
    takeConstants();
    auto plugin = std::make_unique<AiwcPlugin>(context, options);
    context->registerPlugin(plugin.get());
    chooseCache(options);
    const ResultsLock lock;
    plugins()[context] = std::move(plugin);
    concludeInterrupted(concludeAll);
    askForLaunches(options);
    askForLocalSizes(options);
    takeBuilds();
    takeWaitingItems();
    mendOclgrind();
  } catch (const std::exception &error) {
    say(fmt::format("aiwc: {}\n", aiwc::escapeLine(error.what())));
  }
}

__attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *context) {
  const ResultsLock lock;
  const auto entry = plugins().find(context);
  if (entry == plugins().end())
    return;
  entry->second->conclude();
  context->unregisterPlugin(entry->second.get());
  plugins().erase(entry);
}

} // extern "C"
