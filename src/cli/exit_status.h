#pragma once

#include <functional>
#include <string>

namespace aiwc::cli {

/// Runs a program: 0 if `work` returns. What it throws is printed on standard error: 1 for
/// Unsatisfied, 2 for all else, which is wrong usage or bad input. `program` is named where an
/// error names nothing itself.
int exitStatusOf(const std::string &program, const std::function<void()> &work);

} // namespace aiwc::cli
