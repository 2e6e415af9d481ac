#include "run/folder.h"

#include "common/error.h"
#include "common/file.h"
#include "common/write.h"
#include "profile/store.h"
#include "text/text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace aiwc::run {

namespace fs = std::filesystem;

namespace {

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

std::string runName(uint64_t n) {
  return n == 1 ? "run.json" : fmt::format("run_{}.json", n);
}

bool isRunName(std::string_view name) {
  if (name == "run.json")
    return true;
  if (!name.starts_with("run_") || !name.ends_with(".json"))
    return false;
  name.remove_prefix(4);
  name.remove_suffix(5);
  return !name.empty() && std::ranges::all_of(name, isDigit);
}

bool isProfileName(std::string_view name) {
  return name.starts_with("aiwc_") && name.ends_with(".json") && !name.ends_with(".aiwc.json");
}

std::string failure(const fs::path &folder) {
  return folder.string() + ": the file of the run cannot be written";
}

/// Bytes for the file of a run on a disk that fills up later.
constexpr off_t kReservedBytes = 1 << 16;

/// Reserves space beyond the end of the file. Some file systems cannot.
void reserve(const fs::path &path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0)
    return;
  const WriteSignalsHeld held; // the limit on the size of files may be lower
  [[maybe_unused]] const int unreserved = ::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, kReservedBytes);
  ::close(file);
}

/// Returns whether the file has this content.
bool overwrite(const fs::path &path, std::string_view content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0)
    return false;
  const bool written =
      writeAll(file, content) == 0 && ::ftruncate(file, static_cast<off_t>(content.size())) == 0;
  ::close(file);
  return written;
}

bool makeFolder(const fs::path &folder) {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error)
    throw Error(withReason(folder.string() + ": cannot be made", error.value()) +
                ": expected a folder, or a name for a new one");
  return made;
}

} // namespace

bool naturalLess(std::string_view a, std::string_view b) {
  size_t i = 0;
  size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (!isDigit(a[i]) || !isDigit(b[k])) {
      if (a[i] != b[k])
        return a[i] < b[k];
      ++i, ++k;
      continue;
    }
    const auto digits = [](std::string_view text, size_t begin) {
      size_t end = begin;
      while (end < text.size() && isDigit(text[end]))
        ++end;
      return text.substr(begin, end - begin);
    };
    const std::string_view x = digits(a, i);
    const std::string_view y = digits(b, k);
    i += x.size(), k += y.size();
    const auto significant = [](std::string_view number) {
      return number.substr(std::min(number.find_first_not_of('0'), number.size()));
    };
    const std::string_view p = significant(x);
    const std::string_view q = significant(y);
    if (p != q)
      return p.size() != q.size() ? p.size() < q.size() : p < q;
  }
  // The names differ only in leading zeros, or one is the start of the other, so any consistent
  // order will do.
  return a.size() - i != b.size() - k ? a.size() - i < b.size() - k : a < b;
}

RunFile::RunFile(const fs::path &folder, const Run &run)
    : folder_(folder), madeFolder_(makeFolder(folder)) {
  try {
    NewFile file(folder_, toJson(run), failure(folder_));
    for (uint64_t n = 1;; ++n) {
      path_ = folder_ / runName(n);
      if (file.claim(path_)) {
        reserve(path_);
        return;
      }
    }
  } catch (...) {
    if (madeFolder_)
      ::rmdir(folder_.c_str());
    throw;
  }
}

void RunFile::replace(const Run &run) const {
  try {
    NewFile file(folder_, toJson(run), failure(folder_));
    file.replace(path_);
    if (!run.finished())
      reserve(path_);
  } catch (const Error &error) {
    if (overwrite(path_, toJson(run)))
      return;
    Run shorter = run;
    shorter.launches.clear();
    shorter.errors.insert(shorter.errors.begin(), error.what());
    overwrite(path_, toJson(shorter));
    throw;
  }
}

void RunFile::remove() const noexcept {
  ::unlink(path_.c_str());
  if (madeFolder_)
    ::rmdir(folder_.c_str()); // fails if it is not empty
}

FolderContent contentOf(const fs::path &folder) {
  FolderContent content;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (isRunName(name))
      content.runs.push_back(entry->path());
    else if (isProfileName(name))
      content.profiles.push_back(entry->path());
    else if (!name.starts_with('.') && entry->is_directory(ignored))
      content.folders.push_back(entry->path());
  }
  if (error)
    throw Error(withReason(folder.string() + ": cannot be read", error.value()));
  const auto byName = [](const fs::path &a, const fs::path &b) {
    return naturalLess(a.native(), b.native());
  };
  std::ranges::sort(content.runs, byName);
  std::ranges::sort(content.profiles, byName);
  std::ranges::sort(content.folders, byName);
  return content;
}

fs::path onlyRunOf(const fs::path &file) {
  std::error_code ignored; // reading says what is wrong with it
  if (!fs::is_directory(file, ignored))
    return file;
  const FolderContent content = contentOf(file);
  const std::string name = text::printable(file.string(), 4096);
  if (content.runs.empty())
    throw Error(fmt::format("{}: has no run.json: expected the folder of a run", name));
  if (content.runs.size() > 1)
    throw Error(fmt::format("{}: has {} runs: expected the file of one of them, such as {}", name,
                            content.runs.size(),
                            text::printable(content.runs.front().string(), 4096)));
  return content.runs.front();
}

Run readRun(const fs::path &file) {
  return runOf(readFile(file, "a run", kMaximumRunBytes), file.string());
}

fs::path newFolderFor(const fs::path &parent, std::string_view command) {
  std::string stem = profile::fileStem(fs::path(command).filename().string());
  if (stem.empty())
    stem = "run";
  for (uint64_t n = 1;; ++n) {
    fs::path folder =
        parent / (n == 1 ? fmt::format("aiwc-{}", stem) : fmt::format("aiwc-{}-{}", stem, n));
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder, error)))
      return folder;
  }
}

} // namespace aiwc::run
