#include "profile/read_file.h"

#include "common/error.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>

namespace aiwc::profile {

std::string readFile(const std::filesystem::path &path, std::string_view expected,
                     std::uintmax_t maximumBytes) {
  const std::string file = path.string();
  // Asked before opening: opening a pipe would wait for its other end.
  struct stat status {};
  if (stat(file.c_str(), &status) != 0)
    throw Error(
        fmt::format("{}: expected {}", withReason(file + ": cannot be read", errno), expected));
  if (!S_ISREG(status.st_mode))
    throw Error(fmt::format("{}: is no regular file: expected {}", file, expected));
  if (static_cast<std::uintmax_t>(status.st_size) > maximumBytes)
    throw Error(fmt::format("{}: has {} bytes: expected {} of at most {}", file, status.st_size,
                            expected, maximumBytes));
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<size_t>(status.st_size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad())
    throw Error(
        fmt::format("{}: expected {}", withReason(file + ": cannot be read", errno), expected));
  text.resize(static_cast<size_t>(stream.gcount()));
  return text;
}

} // namespace aiwc::profile
