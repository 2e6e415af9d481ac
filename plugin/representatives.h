#pragma once

#include "run/launch.h"

#include <string>
#include <unordered_map>

namespace aiwc::plugin {

/// The characterised launches of one context, whose profiles may represent later launches of the
/// same process. A launch represents those of the same *kind*, which have the same code, NDRange,
/// arguments, layout and steering contents of memory.
class Representatives {
public:
  /// Begins a launch, which is not compared with others unless `find` is called.
  void begin() { kind_.clear(); }
  /// The representative of the present launch's kind; null if there is none. `memory`: its layout
  /// (launched.h).
  const run::Launch *find(const run::Launch &launch, const std::string &memory);
  /// Adds the present launch, which was characterised, if it was compared with others.
  void add(const run::Launch &launch);

private:
  std::string kind_; ///< the present launch's; empty if it is not compared
  std::unordered_map<std::string, run::Launch> kinds_;
};

/// Gives a launch the profile of its representative.
void takeProfile(run::Launch &launch, const run::Launch &representative);

} // namespace aiwc::plugin
