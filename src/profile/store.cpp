#include "profile/store.h"

#include "common/error.h"
#include "common/file.h"
#include "profile/csv.h"
#include "profile/json.h"
#include "profile/text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

  Stored operator[](uint64_t n) const {
    return {fmt::format("{}{}.json", prefix_, n), fmt::format("{}{}.csv", prefix_, n)};
  }

  /// Returns 0, or a free number that directly follows a taken one. Probes with doubling steps,
  /// then bisects. Taken numbers stay taken, so the numbers of a process increase even if the
  /// folder has gaps.
  uint64_t firstFree() const {
    if (!taken(0))
      return 0;
    uint64_t lastTaken = 0;
    uint64_t free = 1;
    for (; taken(free); free *= 2)
      lastTaken = free;
    while (free - lastTaken > 1) {
      const uint64_t middle = lastTaken + (free - lastTaken) / 2;
      (taken(middle) ? lastTaken : free) = middle;
    }
    return free;
  }

private:
  bool taken(uint64_t n) const {
    const Stored names = (*this)[n];
    return isPresent(names.json) || isPresent(names.csv);
  }

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

ProfileStore::ProfileStore(std::filesystem::path folder, bool csv)
    : folder_(std::move(folder)), csv_(csv) {}

std::string ProfileStore::failure() const {
  return folder_.string() + ": the profile cannot be written";
}

Stored ProfileStore::write(const KernelProfile &profile) {
  NewFile json(folder_, toJson(profile), failure());
  std::optional<NewFile> csv;
  if (csv_)
    csv.emplace(folder_, toCsv(profile), failure());
  const Names names(folder_, profile.provenance.kernel);
  for (uint64_t n = names.firstFree();; ++n) {
    Stored stored = names[n];
    // A CSV file without its JSON file is not one of ours, so skip this number.
    if (isPresent(stored.csv))
      continue;
    // Creating the JSON file claims the number for this process.
    if (!json.claim(stored.json))
      continue;
    if (!csv) {
      stored.csv.clear();
      return stored;
    }
    try {
      if (csv->claim(stored.csv))
        return stored;
    } catch (const Error &) {
      unlink(stored.json.c_str());
      throw;
    }
    unlink(stored.json.c_str()); // another program has created the CSV file meanwhile
  }
}

void ProfileStore::rewrite(const Stored &stored, const KernelProfile &profile) {
  NewFile json(folder_, toJson(profile), failure());
  std::optional<NewFile> csv;
  if (!stored.csv.empty())
    csv.emplace(folder_, toCsv(profile), failure());
  json.replace(stored.json);
  if (csv)
    csv->replace(stored.csv);
}

} // namespace aiwc::profile
