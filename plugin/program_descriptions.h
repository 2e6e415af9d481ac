/// What the launches of a program have in common.
#pragma once

#include "plugin/compat.h"
#include "plugin/decoder.h"
#include "plugin/source_text.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace aiwc::plugin {

class ProgramDescription {
public:
  explicit ProgramDescription(const oclgrind::Program &program, const llvm::Module &module);

  /// A kernel of the program, decoded at the first call. Throws Error if it cannot be decoded.
  const DecodedProgram &decoded(const llvm::Function &kernel);

  std::string sourceKind, sourceHash, buildOptions; ///< as in profile::Provenance
  SourceText source;                                ///< what line numbers refer to

private:
  std::map<const llvm::Function *, DecodedProgram> decoded_;
};

/// Describes each program once: hashing a module and decoding a kernel take longer than a short
/// launch. Remembers the programs described last.
class ProgramDescriptions {
public:
  std::shared_ptr<ProgramDescription> of(const oclgrind::Kernel &kernel);

private:
  /// A program, its module and the number that Oclgrind gives to each build: an object may have the
  /// address of an earlier one.
  using Build = std::tuple<const oclgrind::Program *, const llvm::Module *, uint64_t>;

  std::map<Build, std::shared_ptr<ProgramDescription>> descriptions_;
};

} // namespace aiwc::plugin
