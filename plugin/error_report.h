#pragma once

#include "plugin/engine/deep_stack.h"
#include "session/status.h"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace aiwc::plugin {

/// Reports what the plugin of one context could not do: to the launcher, or else to the user, each
/// message once. Any thread may call it.
class ErrorReport {
public:
  /// `status` outlives the object; `statusFile`: its path.
  ErrorReport(StatusFile &status, std::filesystem::path statusFile)
      : status_(status), statusFile_(std::move(statusFile)) {}

  void add(std::string message) noexcept;
  /// Runs `work` on a deep stack and reports any exception.
  template <typename Work> void guard(Work work) noexcept {
    std::string message;
    try {
      engine::runOnDeepStack(work);
      return;
    } catch (const std::exception &error) {
      message = error.what();
    } catch (...) {
      message = "unknown internal error";
    }
    add(std::move(message));
  }
  /// Says how often messages were repeated. Call it before the context or the process ends.
  void conclude() noexcept;

private:
  StatusFile &status_;
  std::filesystem::path statusFile_;
  std::map<std::string, uint64_t> said_; ///< messages to the user; guarded by ResultsLock
};

} // namespace aiwc::plugin
