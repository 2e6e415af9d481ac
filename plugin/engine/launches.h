/// The launches that the compiled engine is offered, and what becomes of those that it refuses.
#pragma once

#include "plugin/invocation.h"
#include "session/options.h"

#include <atomic>
#include <set>
#include <string>
#include <utility>

namespace aiwc::plugin::engine {

class Launches {
public:
  explicit Launches(const SessionOptions &options) : options_(options) {}

  /// Runs the whole launch, into `invocation` where it is characterised; null where it is not.
  /// Whether it did: otherwise the interpreter has to, `invocation` knows why, and so does the user
  /// who asked to be told. One launch at a time.
  bool run(const oclgrind::KernelInvocation &kernelInvocation, Invocation *invocation);

  // Regions of memory that the host has mapped; any thread.
  void regionMapped() { ++mapped_; }
  void regionUnmapped() { --mapped_; }

private:
  std::string tryEngine(const oclgrind::KernelInvocation &kernelInvocation,
                        Invocation *invocation) const;
  void explain(const std::string &kernel, const std::string &reason);

  SessionOptions options_;
  std::atomic<int> mapped_ = 0;
  std::set<std::pair<std::string, std::string>> explained_; ///< kernels and reasons told
};

} // namespace aiwc::plugin::engine
