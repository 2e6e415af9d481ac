#pragma once

#include <stdexcept>
#include <string>

namespace aiwc {

/// The base class of every exception that the project's libraries throw. `what()` is one line that
/// a user can act on; if a file is at fault, its form is `file:line: what is wrong: what was
/// expected`. Only the command line, the plugin and the C API catch it.
class Error : public std::runtime_error {
public:
  explicit Error(const std::string &message);
  ~Error() override;
};

/// `message`, then ": " and the operating system's text for `errorNumber` (an `errno`).
std::string withReason(const std::string &message, int errorNumber);

} // namespace aiwc
