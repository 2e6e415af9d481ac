#include "attach/budget.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace aiwc::attach {

std::string budgetText(const Budget &budget) {
  return fmt::format("{} {}", budget.share, budget.bytes);
}

Budget budgetOfEnvironment() {
  Budget budget;
  const char *const text = std::getenv(kBudgetVariable);
  std::istringstream words(text ? text : "");
  if (!(words >> budget.share >> budget.bytes))
    return {};
  return budget;
}

std::filesystem::path capturesFolder(const std::filesystem::path &output) {
  return output / kCapturesFolder / std::to_string(::getpid());
}

} // namespace aiwc::attach
