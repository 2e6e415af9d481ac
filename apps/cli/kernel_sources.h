/// The OpenCL C sources of kernels.
#pragma once

#include "advice/source_code.h"
#include "inputs.h"

#include <map>
#include <string>
#include <vector>

namespace aiwc::cli {

struct SourceFile {
  std::string path;
  std::string text;
  bool isKept = false; ///< by a run, under a name that says nothing to people

  /// What to call it: its file's name, or of what it is the source.
  std::string nameFor(const NamedProfile &named) const;
};

/// The sources that the user named, which are found by the hash that profiles have of them, and
/// those that runs have kept.
class KernelSources {
public:
  /// Throws Error for a file that cannot be read.
  explicit KernelSources(const std::vector<std::string> &files);

  /// The source that the profile's line numbers refer to: one that the user named, else the one
  /// that its run has kept; nullptr if there is neither. Lives as long as this object. Throws Error
  /// for a kept file that cannot be read.
  const SourceFile *of(const NamedProfile &named);

  /// The code of a source that `of` has returned, for what advice changes; nullptr, which is said
  /// once, if clang cannot be run.
  const advice::SourceCode *codeOf(const SourceFile &source);

  /// Throws Error if the user named a file that `of` has never returned.
  void requireUse() const;

private:
  struct Named {
    SourceFile source;
    bool used = false;
  };
  std::map<std::string, Named> byHash_;
  std::map<std::string, SourceFile> kept_; ///< by path
  std::map<const SourceFile *, advice::SourceCode> codes_;
  bool hasClang_ = true;
};

} // namespace aiwc::cli
