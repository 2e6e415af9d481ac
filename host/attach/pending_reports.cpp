// The memory has a count of the rooms that were taken, and then the rooms, one for each process.
#include "attach/pending_reports.h"

#include "common/error.h"
#include "common/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

namespace aiwc::attach {

namespace {

constexpr size_t kRoomBytes = size_t{1}
                              << 18; // launches of a report interval, of 400 to 1000 bytes
constexpr size_t kRooms = 1024;      // pages that nobody writes take no memory

struct Head {
  uint64_t magic;
  std::atomic<uint32_t> taken; ///< rooms
};
static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t)); // which the launcher reads
constexpr uint64_t kReportsMagic = 0x7470657263776961;            // of this layout
constexpr size_t kHeadBytes = 4096;
constexpr size_t kAllRooms = kHeadBytes + kRooms * kRoomBytes;

std::byte *mappedReports(int file, size_t offset, size_t bytes) {
  void *const at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  return at == MAP_FAILED ? nullptr : static_cast<std::byte *>(at);
}

} // namespace

/// Texts, each with a zero byte at its end.
struct PendingReports::Room {
  std::atomic<uint32_t> used; ///< bytes; no more are valid
  std::array<char, kRoomBytes - sizeof(uint32_t)> texts;
};

uint64_t programNumber() {
  constexpr unsigned kIdBits = 22; // Linux has no larger ids of processes
  constexpr uint64_t kMostPrograms = uint64_t{1} << 31U;
  static const auto loaded =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                std::chrono::steady_clock::now().time_since_epoch())
                                .count()) %
      kMostPrograms;
  return (loaded << kIdBits) + static_cast<uint64_t>(getpid());
}

ReportMemory::ReportMemory() : file_(memoryFile("aiwc-reports", kAllRooms)) {
  const Head head{kReportsMagic, 0};
  if (pwrite(file_.number(), &head, sizeof head, 0) != sizeof head)
    throw Error(withReason("there is no memory for reports", errno));
}

std::filesystem::path ReportMemory::path() const {
  return pathOf(file_);
}

std::vector<std::string> ReportMemory::pending() const {
  // Not mapped: the launcher may have little room for addresses.
  const auto get = [&](size_t place, void *to, size_t bytes) {
    return pread(file_.number(), to, bytes, static_cast<off_t>(place)) ==
           static_cast<ssize_t>(bytes);
  };
  std::vector<std::string> texts;
  uint32_t taken = 0;
  if (!get(offsetof(Head, taken), &taken, sizeof taken))
    return texts;
  for (size_t i = 0; i < std::min<size_t>(taken, kRooms); ++i) {
    const size_t place = kHeadBytes + i * kRoomBytes;
    uint32_t used = 0;
    if (!get(place, &used, sizeof used) || used > kRoomBytes - sizeof used)
      continue;
    std::string all(used, '\0');
    if (!get(place + sizeof used, all.data(), used))
      continue;
    std::string_view rest = all;
    for (size_t end = 0; (end = rest.find('\0')) != std::string_view::npos;
         rest.remove_prefix(end + 1))
      texts.emplace_back(rest.substr(0, end));
  }
  return texts;
}

void PendingReports::begin() {
  leave();
  const char *const path = std::getenv(kReportsVariable);
  if (!path)
    return;
  withDescriptor([&] {
    const Descriptor file(open(path, O_RDWR | O_CLOEXEC));
    std::byte *const head = file ? mappedReports(file.number(), 0, kHeadBytes) : nullptr;
    if (!head)
      return errno;
    size_t place = kRooms;
    if (auto *const known = reinterpret_cast<Head *>(head); known->magic == kReportsMagic)
      place = known->taken++;
    munmap(head, kHeadBytes);
    if (place < kRooms)
      room_ = reinterpret_cast<Room *>(
          mappedReports(file.number(), kHeadBytes + place * kRoomBytes, kRoomBytes));
    return 0;
  });
}

void PendingReports::leave() {
  if (room_)
    munmap(room_, kRoomBytes);
  room_ = nullptr;
  kept_ = set_ = 0;
}

void PendingReports::set(std::string_view text) {
  set_ = kept_;
  if (!room_)
    return;
  room_->used.store(static_cast<uint32_t>(kept_), std::memory_order_release);
  if (text.size() + 1 > room_->texts.size() - kept_)
    return;
  std::memcpy(room_->texts.data() + kept_, text.data(), text.size());
  room_->texts[kept_ + text.size()] = '\0';
  set_ = kept_ + text.size() + 1;
  room_->used.store(static_cast<uint32_t>(set_), std::memory_order_release);
}

void PendingReports::keep() {
  kept_ = set_;
}

void PendingReports::clear() {
  kept_ = set_ = 0;
  if (room_)
    room_->used.store(0, std::memory_order_release);
}

Descriptor memoryFile(const char *name, uint64_t bytes) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit most{before.rlim_max, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &most);
  int reason = file ? 0 : errno;
  {
    const WriteSignalsHeld held;
    if (reason == 0 && ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
      reason = errno;
  }
  setrlimit(RLIMIT_FSIZE, &before);
  if (reason != 0)
    throw Error(withReason("there is no memory for captures of launches", reason));
  return file;
}

std::filesystem::path pathOf(const Descriptor &memory) {
  return fmt::format("/proc/{}/fd/{}", getpid(), memory.number());
}

} // namespace aiwc::attach
