#include "common/descriptor.h"

#include <fcntl.h>

#include <cerrno>

namespace aiwc {

int aboveStandard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return copy;
}

} // namespace aiwc
