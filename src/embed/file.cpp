#include "embed/file.h"

#include "common/error.h"
#include "embed/sidecar.h"
#include "profile/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace aiwc::embed {

namespace {

/// Removed at the end of its scope, unless it has taken another's place by then.
class NewFile {
public:
  explicit NewFile(std::string name) : name_(std::move(name)) {
    descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
  }
  ~NewFile() {
    if (descriptor_ >= 0)
      close(descriptor_);
    if (!name_.empty())
      unlink(name_.c_str());
  }
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  bool write(std::string_view content, mode_t mode) {
    if (descriptor_ < 0 || fchmod(descriptor_, mode) != 0)
      return false;
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno != EINTR)
        return false;
      if (written > 0)
        content.remove_prefix(static_cast<size_t>(written));
    }
    return close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR;
  }

  bool replace(const std::string &file) {
    if (rename(name_.c_str(), file.c_str()) != 0)
      return false;
    name_.clear();
    return true;
  }

private:
  std::string name_;
  int descriptor_ = -1;
};

/// From /proc: asking by umask(2) means changing it for a moment, for all threads of the process.
mode_t modeOfNewFiles() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (constexpr std::string_view kKey = "Umask:"; line.starts_with(kKey))
      return 0666U & ~static_cast<mode_t>(std::strtoul(line.c_str() + kKey.size(), nullptr, 8));
  return 0644;
}

void append(Annotations &to, Annotations &&from) {
  for (Annotation &annotation : from.found)
    to.found.push_back(std::move(annotation));
  for (std::string &reason : from.reasons)
    if (to.reasons.size() < Annotations::kMaximumReasons)
      to.reasons.push_back(std::move(reason));
  to.rejected += from.rejected;
}

} // namespace

std::string readFile(const std::filesystem::path &file, std::string_view what) {
  constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{256} << 20U;
  return profile::readFile(file, what, kMaximumBytes);
}

void replaceFile(const std::filesystem::path &file, std::string_view content) {
  std::error_code missing;
  const std::filesystem::path resolved = std::filesystem::canonical(file, missing);
  const std::string target = missing ? file.string() : resolved.string();
  struct stat status {};
  const bool exists = stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) // it would take the place of a device
    throw Error(file.string() + ": is no regular file: expected one, or a new name");
  const mode_t mode = exists ? status.st_mode & 07777U : modeOfNewFiles();
  NewFile fresh(target + ".XXXXXX");
  if (!fresh.write(content, mode) || !fresh.replace(target))
    throw Error(withReason(file.string() + ": cannot be written", errno));
}

Annotations annotationsIn(std::string_view content, const std::filesystem::path &name) {
  Annotations result = readFrom(carrierOf(name, content), content);
  for (Annotation &annotation : result.found)
    annotation.place = fmt::format("{}: {}", name.string(), annotation.place);
  for (std::string &reason : result.reasons)
    reason = fmt::format("{}: {}", name.string(), reason);
  return result;
}

Annotations annotationsOf(const std::filesystem::path &file) {
  Annotations result = annotationsIn(readFile(file, "a kernel's source or binary"), file);
  const std::filesystem::path sidecar = sidecarOf(file);
  std::error_code error;
  if (!std::filesystem::exists(sidecar, error))
    return result;
  try {
    append(result,
           readSidecar(readFile(sidecar, "a sidecar"), sidecar.string(), result.sourceHash));
  } catch (const Error &unreadable) {
    result.reasons.emplace_back(unreadable.what());
    ++result.rejected;
  }
  return result;
}

} // namespace aiwc::embed
