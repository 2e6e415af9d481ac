/// What the preloaded library and the plugin say to each other about programs that are built.
/// Headers only: both include this file.
#pragma once

#include <list>
#include <string>
#include <utility>

namespace oclgrind {
class Context;
class Kernel;
class Program;
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
struct ProgramHooks {
  /// Builds a program. Returns whether that succeeded.
  bool (*build)(const BuildRequest &) = nullptr;
  /// A program was linked of others. Returns whether it can run.
  bool (*linked)(oclgrind::Program *) = nullptr;
  /// Whether Oclgrind may place the variables of the program in memory. Oclgrind ends the process
  /// if a variable is only declared.
  bool (*hasVariables)(const oclgrind::Program *) = nullptr;
  /// Whether the kernel may store addresses in memory.
  bool (*storesAddresses)(const oclgrind::Kernel *) = nullptr;
};

} // namespace aiwc::plugin
