/// What the preloaded library asks the plugin. Headers only: both include this file.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <list>
#include <string>
#include <utility>

namespace llvm {
class Constant;
class Instruction;
} // namespace llvm
namespace oclgrind {
class Context;
class Kernel;
class KernelInvocation;
class Program;
class WorkGroup;
} // namespace oclgrind

namespace aiwc::plugin {

using ProgramHeaders = std::list<std::pair<std::string, const oclgrind::Program *>>;

/// An application's call of clBuildProgram or clCompileProgram.
struct BuildRequest {
  oclgrind::Program *program = nullptr;
  bool isCompilation = false; ///< to be linked later
  const char *options = nullptr;
  const ProgramHeaders *headers = nullptr;
  // If the program was created from SPIR-V; null otherwise.
  const std::string *spirv = nullptr;
  const std::string *constants = nullptr; ///< as llvm-spirv takes them
  /// Has Oclgrind build the program from its source.
  bool (*byOclgrind)(oclgrind::Program *, bool isCompilation, const char *options,
                     const ProgramHeaders &) = nullptr;
};

/// The plugin's functions; null while no plugin is loaded.
struct Hooks {
  /// Of the library that was built with it.
  size_t bytes = sizeof(Hooks);
  /// A kernel has begun. Returns whether the plugin has run it.
  bool (*takeLaunch)(const oclgrind::KernelInvocation *) = nullptr;
  /// Gets the three sizes of the NDRange and of a work-group, and may replace the latter.
  /// `isLeftOpen`: the application passed no local size.
  void (*chooseLocalSize)(const oclgrind::Kernel *, unsigned workDim, const size_t *globalSize,
                          size_t *localSize, bool isLeftOpen) = nullptr;
  /// The bytes of local memory that a launch of the kernel needs.
  size_t (*measureLocalMemory)(const oclgrind::Kernel *) = nullptr;
  /// No work-item of the group can go on before its barrier.
  void (*clearBarrier)(oclgrind::WorkGroup *, void (*byOclgrind)(oclgrind::WorkGroup *)) = nullptr;
  /// Oclgrind looks for a work-item that can go on: the plugin may let those go on that wait for
  /// others of their sub-group.
  void (*beforeNextItem)(const oclgrind::WorkGroup *) = nullptr;
  /// Writes the bytes of a constant to `data`; one that holds no half is left to Oclgrind.
  void (*storeConstant)(unsigned char *data, const llvm::Constant *,
                        void (*byOclgrind)(unsigned char *, const llvm::Constant *)) = nullptr;
  /// Builds a program. Returns whether that succeeded.
  bool (*build)(const BuildRequest &) = nullptr;
  /// A program was linked of others. Returns whether it can run.
  bool (*linked)(oclgrind::Program *) = nullptr;
  /// Whether Oclgrind may place the variables of the program in memory. Oclgrind ends the process
  /// if a variable is only declared.
  bool (*hasVariables)(const oclgrind::Program *) = nullptr;
  /// Adds an instruction, and where it is in the source, to a message of Oclgrind's.
  void (*describe)(void *message, const llvm::Instruction *,
                   void (*byOclgrind)(void *, const llvm::Instruction *)) = nullptr;
  /// Whether the kernel may store addresses in memory.
  bool (*storesAddresses)(const oclgrind::Kernel *) = nullptr;
};

/// For the plugin: the hooks of the preloaded library; null if it is not preloaded, or of another
/// build, with other members.
inline Hooks *preloadedHooks() {
  auto *const hooks = static_cast<Hooks *>(dlsym(RTLD_DEFAULT, "aiwcHooks"));
  return hooks && hooks->bytes == sizeof(Hooks) ? hooks : nullptr;
}

} // namespace aiwc::plugin

/// The preloaded library's own.
extern "C" aiwc::plugin::Hooks aiwcHooks;
