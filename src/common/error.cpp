#include "common/error.h"

#include <system_error>

namespace aiwc {

Error::Error(const std::string &message) : std::runtime_error(message) {}

// Defined here and not in the header, so that only this object file has the type's vtable.
Error::~Error() = default;

std::string withReason(const std::string &message, int errorNumber) {
  return message + ": " + std::generic_category().message(errorNumber);
}

} // namespace aiwc
