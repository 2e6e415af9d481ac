#pragma once

#include "plugin/program_descriptions.h"
#include "run/launch.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

namespace aiwc::plugin {

/// The characterised launches of one context, whose profiles may represent later launches of the
/// same process. A launch represents those of the same *kind*, which have the same code, NDRange,
/// arguments, layout and steering contents of memory. It may also represent others of its *family*,
/// whose kinds differ in bounds and offsets only, if they execute nearly as many instructions.
class Representatives {
public:
  /// Begins a launch, which is not compared with others unless `find` is called.
  void begin() {
    kind_.clear();
    family_ = nullptr;
  }
  /// The representative of the present launch's kind; null if there is none. `memory`: its layout
  /// (launched.h). `withFamily`: whether launches of its family may represent it, too.
  const run::Launch *find(const run::Launch &launch, const std::string &memory,
                          ProgramDescription &program, const llvm::Function &kernel,
                          bool withFamily);
  /// Whether a launch of the present one's family was characterised.
  bool hasFamily() const { return family_ && !family_->launches.empty(); }
  /// The representative of the present launch in its family if it executes so many instructions;
  /// null if there is none, or if families are not compared.
  const run::Launch *nearest(const run::Launch &launch, uint64_t instructions) const;
  /// Adds the present launch, which was characterised, if it was compared with others.
  void add(const run::Launch &launch);

private:
  /// Launches by their instructions.
  struct Family {
    uint64_t process = 0;
    std::multimap<uint64_t, run::Launch> launches;
  };

  std::string kind_; ///< the present launch's; empty if it is not compared
  std::unordered_map<std::string, run::Launch> kinds_;
  std::unordered_map<std::string, Family> families_;
  Family *family_ = nullptr; ///< the present launch's; null if families are not compared
};

/// Gives a launch the profile of its representative.
void takeProfile(run::Launch &launch, const run::Launch &representative);
/// Undoes takeProfile.
void dropProfile(run::Launch &launch);

} // namespace aiwc::plugin
