#pragma once

#include "common/error.h"

#include <functional>
#include <string>

namespace aiwc::command_line {

/// Thrown if there is no error, but what the user asked for does not exist: exit status 1.
class Unsatisfied : public Error {
public:
  using Error::Error;
};

/// Runs a program: 0 if `work` returns. What it throws is printed on standard error: 1 for
/// Unsatisfied, 2 for all else, which is wrong usage or bad input. `program` is named where an
/// error names nothing itself.
int exitStatusOf(const std::string &program, const std::function<void()> &work);

} // namespace aiwc::command_line
