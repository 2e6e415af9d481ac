#include "eod/common/error.h"

#include <system_error>

namespace aiwc::eod {

Error::Error(const std::string &message) : std::runtime_error(message) {}

// Out of line, so that the type's identity lives in one object file.
Error::~Error() = default;

std::string withReason(const std::string &message, int errorNumber) {
  return message + ": " + std::generic_category().message(errorNumber);
}

} // namespace aiwc::eod
