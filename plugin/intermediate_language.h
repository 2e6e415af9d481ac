/// For the preloaded library only: programs in SPIR-V.
#pragma once

#include "hooks.h"

#include <list>
#include <string>
#include <utility>

namespace oclgrind {

/// Has the name of Oclgrind's class, and the symbols of those of its functions that are replaced.
class Program {
public:
  enum BuildType { BUILD, COMPILE };
  using Header = std::pair<std::string, const Program *>;

  __attribute__((visibility("default"))) Program(const Context *context, const std::string &source);
  __attribute__((visibility("default"))) bool build(BuildType type, const char *options,
                                                    std::list<Header> headers);
  __attribute__((visibility("default"))) static Program *
  createFromPrograms(const Context *context, std::list<const Program *> programs,
                     const char *options);
  __attribute__((visibility("default"))) void allocateProgramScopeVars(); // preload.cpp
};

} // namespace oclgrind

namespace aiwc::plugin {

/// The function of an extension that this library has and Oclgrind has not; null for another name.
void *extensionFunction(const char *name);

} // namespace aiwc::plugin
