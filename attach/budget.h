/// What the launcher tells the layer beside the options of a session: how many captures it may
/// make, and where they are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace aiwc::attach {

/// What captures may cost an application.
struct Budget {
  double share = 0;   ///< of its time
  uint64_t bytes = 0; ///< that it may copy in all
};

/// The variable that has the budget of captures, "<share> <bytes>". Unset: no captures.
inline constexpr const char *kBudgetVariable = "AIWC_CAPTURE_BUDGET";

std::string budgetText(const Budget &budget);
/// The budget of this process's environment.
Budget budgetOfEnvironment();

/// The folder of a run in which each process has a folder of captures.
inline constexpr const char *kCapturesFolder = "captures";
/// That of this process.
std::filesystem::path capturesFolder(const std::filesystem::path &output);

} // namespace aiwc::attach
