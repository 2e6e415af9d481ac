#pragma once

#include <stdexcept>
#include <string>

namespace aiwc::eod {

/// The exception of the suite; its programs catch it in `main`. `what()` is one line that a user
/// can act on, in the form `file:line: what is wrong: what was expected` if it concerns a file. The
/// suite has its own type instead of aiwc::Error because it builds without aiwc.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message);
  ~Error() override;
};

/// An error found before any work: an invalid parameter, a missing device, a problem too large for
/// it. The program's exit status is then 2; any other Error makes it 1.
class UsageError : public Error {
public:
  using Error::Error;
};

/// A message with the operating system's reason for `errorNumber` (an `errno`) after it.
std::string withReason(const std::string &message, int errorNumber);

} // namespace aiwc::eod
