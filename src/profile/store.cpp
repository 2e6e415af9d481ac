#include "profile/store.h"

#include "common/file.h"
#include "profile/json.h"
#include "text/text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace aiwc::profile {

namespace {

/// Whether the path exists, even as a dangling symbolic link.
bool isPresent(const std::filesystem::path &path) {
  struct stat ignored {};
  return lstat(path.c_str(), &ignored) == 0;
}

/// The numbered names of one kernel's profiles.
class Names {
public:
  Names(const std::filesystem::path &folder, std::string_view kernel)
      : prefix_((folder / fmt::format("aiwc_{}_", fileStem(kernel))).string()) {}

  std::filesystem::path operator[](uint64_t n) const {
    return fmt::format("{}{}.json", prefix_, n);
  }

  /// Returns `begin`, or a free number that directly follows a taken one. Probes with doubling
  /// steps, then bisects. Taken numbers stay taken, so the numbers of a process increase even if
  /// the folder has gaps.
  uint64_t firstFree(uint64_t begin) const {
    if (!taken(begin))
      return begin;
    uint64_t lastTaken = begin;
    uint64_t free = begin + 1;
    for (uint64_t step = 1; taken(free); step *= 2) {
      lastTaken = free;
      free += step;
    }
    while (free - lastTaken > 1) {
      const uint64_t middle = lastTaken + (free - lastTaken) / 2;
      (taken(middle) ? lastTaken : free) = middle;
    }
    return free;
  }

private:
  bool taken(uint64_t n) const { return isPresent((*this)[n]); }

  std::string prefix_;
};

} // namespace

std::string fileStem(std::string_view kernel) {
  // File names may have 255 bytes; this leaves room for the rest of the name.
  constexpr size_t kMaximumBytes = 160;
  std::string stem(kernel.substr(0, kMaximumBytes));
  for (char &c : stem) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '.' || c == '-';
    if (!safe)
      c = '_';
  }
  return stem;
}

struct ProfileStore::Memory {
  std::map<std::string, uint64_t, std::less<>> next; ///< per kernel: the number after its last one
  SpareFile spare;
};

class ProfileStore::Remembered {
public:
  explicit Remembered(ProfileStore &store)
      : store_(store), memory_(store.memory_.exchange(nullptr)) {
    if (!memory_)
      memory_ = std::make_unique<Memory>();
  }
  ~Remembered() { delete store_.memory_.exchange(memory_.release()); }
  Remembered(const Remembered &) = delete;
  Remembered &operator=(const Remembered &) = delete;

  Memory *operator->() const { return memory_.get(); }

private:
  ProfileStore &store_;
  std::unique_ptr<Memory> memory_;
};

ProfileStore::ProfileStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

ProfileStore::~ProfileStore() {
  delete memory_.load();
}

void ProfileStore::tidy() {
  const Remembered remembered(*this);
  remembered->spare.drop();
}

std::string ProfileStore::failure() const {
  return folder_.string() + ": the profile cannot be written";
}

std::filesystem::path ProfileStore::write(const KernelProfile &profile) {
  const Remembered remembered(*this);
  NewFile json(folder_, toJson(profile), failure(), std::nullopt, &remembered->spare);
  const std::string &kernel = profile.provenance.kernel;
  const Names names(folder_, kernel);
  auto next = remembered->next.find(kernel);
  if (next == remembered->next.end())
    next = remembered->next.emplace(kernel, names.firstFree(0)).first;
  for (;; next->second = names.firstFree(next->second))
    // Creating the file claims the number for this process.
    if (const std::filesystem::path stored = names[next->second++]; json.claim(stored))
      return stored;
}

void ProfileStore::rewrite(const std::filesystem::path &stored, const KernelProfile &profile) {
  const Remembered remembered(*this);
  NewFile(folder_, toJson(profile), failure()).replace(stored, &remembered->spare);
}

} // namespace aiwc::profile
