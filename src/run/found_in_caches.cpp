#include "run/found_in_caches.h"

#include "profile/reuse.h"

#include <algorithm>
#include <list>

namespace aiwc::run {

namespace {

constexpr uint64_t kLineBytes = 64; // by which distances are binned

/// The allocations of a process, those that were accessed last first.
class Accessed {
public:
  /// `launch`: number in the order of the launches. Adds what it finds to `found`.
  void access(uint64_t launch, const std::map<uint64_t, uint64_t> &bytesOf, FoundInCaches &found) {
    uint64_t all = 0;
    for (const auto &[allocation, bytes] : bytesOf)
      all += bytes;
    found.bytes += static_cast<double>(all);
    // The launches before, from the last one on: what they and all later ones accessed.
    uint64_t distance = all;
    size_t left = bytesOf.size();
    for (auto entry = entries_.begin(); entry != entries_.end() && left > 0;) {
      const uint64_t ofLaunch = entry->launch;
      uint64_t again = 0;
      for (; entry != entries_.end() && entry->launch == ofLaunch; ++entry) {
        const auto known = bytesOf.find(entry->allocation);
        if (known == bytesOf.end()) {
          distance += entry->bytes;
        } else {
          again += known->second;
          --left;
        }
      }
      if (again > 0)
        found.shares[profile::reuseBin(distance / kLineBytes) * kLineBytes] +=
            static_cast<double>(again) / static_cast<double>(all);
    }
    entries_.remove_if(
        [&](const Entry &entry) { return bytesOf.contains(entry.allocation); });
    for (const auto &[allocation, bytes] : bytesOf)
      entries_.push_front({allocation, bytes, launch});
  }

private:
  struct Entry {
    uint64_t allocation, bytes, launch;
  };
  std::list<Entry> entries_;
};

} // namespace

std::map<std::string, FoundInCaches> foundInCaches(const Run &run) {
  std::map<std::string, FoundInCaches> result;
  std::map<std::string, double> launches;
  std::map<uint64_t, Accessed> processes;
  uint64_t number = 0;
  for (const Launch &launch : run.launches) {
    std::map<uint64_t, uint64_t> bytesOf; // allocation ->
    for (const Argument &argument : launch.arguments)
      if (argument.allocation)
        bytesOf[*argument.allocation] = std::max(bytesOf[*argument.allocation], argument.bytes);
    processes[launch.process].access(number++, bytesOf, result[launch.profile]);
    ++launches[launch.profile];
  }
  for (auto &[profile, found] : result) {
    found.bytes /= launches[profile];
    for (auto &[distance, share] : found.shares)
      share /= launches[profile];
  }
  return result;
}

void setFound(profile::KernelProfile &profile, const FoundInCaches &found) {
  profile.reuse.found.clear();
  if (found.bytes == 0 || profile.reuse.lineBytes == 0)
    return;
  const double accessed = static_cast<double>(profile.reuse.coldAccesses) *
                          static_cast<double>(profile.reuse.lineBytes);
  const double part = std::min(1.0, accessed / found.bytes);
  for (const auto &[bytes, share] : found.shares)
    profile.reuse.found.push_back(
        {profile::reuseBin(bytes / profile.reuse.lineBytes), share * part});
}

} // namespace aiwc::run
