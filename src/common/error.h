#pragma once

#include <stdexcept>
#include <string>

namespace aiwc {

/// What libraries of the project throw. `what()` is one line that a user can act on, in the form
/// `file:line: what is wrong: what was expected` where there is a file. It is caught at the
/// boundaries alone: the command line, the plugin, the C API.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message);
  ~Error() override;
};

/// A message with the operating system's reason for `errorNumber` (an `errno`) behind it.
std::string withReason(const std::string &message, int errorNumber);

} // namespace aiwc
