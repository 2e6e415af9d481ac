#pragma once

#include <stdexcept>
#include <string>

namespace aiwc::eod {

/// What the suite throws; its programs catch it in `main`. `what()` is one line that a user can act
/// on, in the form `file:line: what is wrong: what was expected` where there is a file. The suite
/// has a type of its own, not aiwc::Error, because it builds without aiwc.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message);
  ~Error() override;
};

/// Refused before any work: a parameter, a device that is not there, a problem too large for it.
/// The program's exit status is 2; any other Error makes it 1.
class UsageError : public Error {
public:
  using Error::Error;
};

/// A message with the operating system's reason for `errorNumber` (an `errno`) after it.
std::string withReason(const std::string &message, int errorNumber);

} // namespace aiwc::eod
