#include "session/code_cache.h"

#include "common/descriptor.h"
#include "common/file.h"
#include "profile/source_hash.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace aiwc {
namespace {

namespace fs = std::filesystem;

/// The names of files are keys with this ending; no other file is read or deleted.
constexpr std::string_view kEnding = ".code";
constexpr size_t kKeyDigits = 32;

/// The first bytes of a file, before its content.
struct Head {
  char format[8] = {'A', 'I', 'W', 'C', 'C', 'O', 'D', '1'};
  char key[kKeyDigits] = {}; ///< as the file's name has it
  uint64_t checksum = 0;     ///< of the content
};

/// Whether the process has more rights than the user who started it, and who chose the folder.
bool isPrivileged() {
  return getauxval(AT_SECURE) != 0 || geteuid() != getuid();
}

/// Whether nobody but the user (and root) can have written to what `status` describes.
bool isOurs(const struct stat &status) {
  return status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The folder, opened only to find files in it; none if it is not ours.
Descriptor openOurs(const fs::path &folder) {
  Descriptor opened(open(folder.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (isPrivileged() || !opened || fstat(opened.number(), &status) != 0 || !isOurs(status))
    return Descriptor(-1);
  return opened;
}

/// The bytes of a regular file of ours of at most `mostBytes` bytes. Read, not mapped: the process
/// would end if another one made a mapped file shorter.
std::optional<std::string> contentOfOurs(int folder, const std::string &name, uint64_t mostBytes) {
  // Non-blocking, or a pipe in its place would keep the application waiting.
  const Descriptor file(
      openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || !isOurs(status) ||
      static_cast<uint64_t>(status.st_size) > mostBytes)
    return std::nullopt;
  std::string content(static_cast<size_t>(status.st_size), '\0');
  for (size_t at = 0; at < content.size();) {
    const ssize_t count = read(file.number(), content.data() + at, content.size() - at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    at += static_cast<size_t>(count);
  }
  futimens(file.number(), nullptr); // used now; a folder that is read-only keeps the old time
  return content;
}

std::string fileName(std::string_view key) {
  return std::string(key) + std::string(kEnding);
}

bool isFileName(std::string_view name) {
  return name.size() == kKeyDigits + kEnding.size() && name.ends_with(kEnding) &&
         name.find_first_not_of("0123456789abcdef") == kKeyDigits;
}

/// Makes the folder and the one above it, as the XDG Base Directory Specification wants them.
void makeFolder(const fs::path &folder) {
  mkdir(folder.parent_path().c_str(), 0700);
  mkdir(folder.c_str(), 0700);
}

/// A file of the cache, or what a killed process left of one.
struct Kept {
  fs::path path;
  uint64_t bytes;
  fs::file_time_type used;
};

} // namespace

fs::path CodeCache::usersFolder() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return fs::path(value && value[0] == '/' ? value : "");
  };
  if (const fs::path caches = variable("XDG_CACHE_HOME"); !caches.empty())
    return caches / "aiwc";
  const fs::path home = variable("HOME");
  return home.empty() ? home : home / ".cache" / "aiwc";
}

std::string CodeCache::keyOf(std::initializer_list<std::string_view> parts) {
  profile::SourceHasher hasher;
  for (const std::string_view part : parts) {
    hasher.add(part);
    hasher.add("\n");
  }
  const std::string hash = hasher.hash();
  return hash.substr(hash.find(':') + 1);
}

std::optional<std::string> CodeCache::find(std::string_view key) const noexcept {
  try {
    const Descriptor folder = openOurs(folder_);
    if (!folder)
      return std::nullopt;
    auto content = contentOfOurs(folder.number(), fileName(key), mostBytes_ / 16 + sizeof(Head));
    Head head;
    if (!content || content->size() < sizeof head)
      return std::nullopt;
    const Head expected;
    std::memcpy(&head, content->data(), sizeof head);
    content->erase(0, sizeof head);
    if (std::memcmp(head.format, expected.format, sizeof head.format) != 0 ||
        std::string_view(head.key, kKeyDigits) != key ||
        head.checksum != profile::checksum(*content))
      return std::nullopt;
    return content;
  } catch (...) { // no memory
    return std::nullopt;
  }
}

void CodeCache::store(std::string_view key, std::string_view content) noexcept {
  try {
    if (isPrivileged() || content.size() > mostBytes_ / 16)
      return;
    makeFolder(folder_);
    if (!openOurs(folder_))
      return;
    Head head;
    std::copy_n(key.begin(), std::min(key.size(), kKeyDigits), head.key);
    head.checksum = profile::checksum(content);
    std::string bytes(reinterpret_cast<const char *>(&head), sizeof head);
    bytes += content;
    NewFile(folder_, bytes, "the cache of compiled code", 0600).replace(folder_ / fileName(key));
    if (storedBytes_.fetch_add(bytes.size()) + bytes.size() > mostBytes_ / 16) {
      storedBytes_ = 0;
      deleteOldest();
    }
  } catch (...) { // no right to write, a full disk, no memory
  }
}

void CodeCache::deleteOldest() const {
  std::vector<Kept> files;
  uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    std::error_code gone; // another process may delete files at the same time
    const Kept file{entry->path(), entry->file_size(gone), entry->last_write_time(gone)};
    if (gone)
      continue;
    if (name.starts_with(".aiwc_") &&
        fs::file_time_type::clock::now() - file.used > std::chrono::hours(1))
      fs::remove(file.path, gone); // a killed process was writing it
    if (!isFileName(name))
      continue;
    sum += file.bytes;
    files.push_back(file);
  }
  std::ranges::sort(files, {}, &Kept::used);
  for (const Kept &file : files) {
    if (sum <= mostBytes_ - mostBytes_ / 16)
      break;
    fs::remove(file.path, error);
    sum -= file.bytes;
  }
}

} // namespace aiwc
