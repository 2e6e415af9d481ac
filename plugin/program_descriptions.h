/// What the launches of a program have in common.
#pragma once

#include "decoding/decoder.h"
#include "decoding/source_text.h"
#include "decoding/steering_contents.h"
#include "metrics/shared/program_tables.h"
#include "plugin/warp_races.h"
#include "simulator/compat.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace aiwc::plugin {

class ProgramDescription {
public:
  struct Decoded {
    Decoded(const llvm::Function &kernel, const std::string &source, const std::string &options)
        : source(source, options, kernel), program(kernel, &this->source),
          tables(program.program()) {}

    const decoding::SourceText source; ///< what line numbers refer to
    const decoding::DecodedProgram program;
    const metrics::ProgramTables tables;
    mutable WarpRaces::Found races;
  };

  /// Both must exist whenever a member function is called.
  explicit ProgramDescription(const oclgrind::Program &program, const llvm::Module &module);

  /// A kernel of the program, decoded at the first call. Throws Error if it cannot be decoded.
  const Decoded &decoded(const llvm::Function &kernel);

  /// As in profile::Provenance. Computed at the first call.
  const std::string &sourceHash();

  /// As in profile::Provenance, of a kernel of the program. Computed at the first call.
  const std::string &codeHash(const llvm::Function &kernel);

  /// steeringContents of a kernel of the program. Computed at the first call.
  const decoding::SteeringContents &steeringContents(const llvm::Function &kernel);

  /// Keeps the module in `folder`, as bitcode without debug information, once. Returns its file
  /// name, a hash of its content. Throws Error.
  const std::string &keepBitcode(const std::filesystem::path &folder);

  std::string sourceKind, buildOptions; ///< as in profile::Provenance
  bool runsWarpsInStep;                 ///< as decoding::runsWarpsInStep

private:
  const oclgrind::Program &program_;
  const llvm::Module &module_;
  std::string sourceHash_;  ///< empty until it is computed
  std::string bitcodeFile_; ///< empty until it is kept
  std::map<const llvm::Function *, Decoded> decoded_;
  std::map<const llvm::Function *, std::string> codeHashes_;
  std::map<const llvm::Function *, decoding::SteeringContents> steeringContents_;
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
