#include "common/descriptor.h"

#include "common/write.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <array>
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

Descriptor memoryFile() {
  return Descriptor(aboveStandard(memfd_create("aiwc", MFD_CLOEXEC)));
}

bool writeWhole(int file, std::string_view bytes) {
  const WriteSignalsHeld held; // a limit on the size of files may be set
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t count =
        ::pwrite(file, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (count <= 0 && errno != EINTR)
      return false;
    at += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return true;
}

std::string readWhole(int file) {
  std::string bytes;
  std::array<char, 1 << 16> part;
  for (ssize_t count = 0;
       (count = ::pread(file, part.data(), part.size(), static_cast<off_t>(bytes.size()))) > 0;)
    bytes.append(part.data(), static_cast<size_t>(count));
  return bytes;
}

} // namespace aiwc
