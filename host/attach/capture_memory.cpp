// A capture in the memory is an archive: the number of bytes of its text, the text, with a line
// "<name> <size> <place>" for each file, and the contents at their places, counted from the
// archive's begin. Files at place 0 are zeros.
#include "attach/capture_memory.h"

#include "attach/pending_reports.h"
#include "common/error.h"
#include "common/write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sstream>
#include <system_error>
#include <utility>

namespace aiwc::attach {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint32_t kMostCaptures = 4096;
constexpr uint64_t kMagic = 0x6d656d6377696131; // of this layout

constexpr uint64_t roundedUp(uint64_t bytes, uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// Mapped memory of a file; throws Error if it cannot be mapped.
std::span<std::byte> mapped(int file, uint64_t offset, uint64_t bytes) {
  void *const at =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  if (at == MAP_FAILED)
    throw Error(withReason("the memory of captures cannot be mapped", errno));
  return {static_cast<std::byte *>(at), bytes};
}

/// The memory at `path`. The application may close descriptors that it does not know, and have none
/// left.
std::span<std::byte> mappedAt(const fs::path &path, uint64_t offset, uint64_t bytes) {
  std::span<std::byte> result;
  const int reason = withDescriptor([&] {
    const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (file.number() < 0)
      return errno;
    result = mapped(file.number(), offset, bytes);
    return 0;
  });
  if (reason != 0)
    throw Error(withReason("the memory of captures is gone", reason));
  return result;
}

/// Where the files of a capture are.
struct Layout {
  std::string text;
  std::vector<uint64_t> places;
  uint64_t bytes = 0;
};

Layout layoutOf(const std::vector<CapturedFile> &files) {
  constexpr uint64_t kMostDigits = 20;
  Layout layout;
  uint64_t textBytes = sizeof(uint64_t);
  for (const CapturedFile &file : files)
    textBytes += file.name.size() + 2 * kMostDigits + 3;
  uint64_t next = textBytes;
  for (const CapturedFile &file : files) {
    const bool isGiven = file.content == CapturedFile::Content::kGiven;
    const uint64_t size = isGiven ? file.bytes.size() : file.size;
    uint64_t place = 0;
    if (file.content != CapturedFile::Content::kZeros) {
      place = isGiven ? next : roundedUp(next, kPage);
      next = place + size;
    }
    layout.places.push_back(place);
    layout.text += fmt::format("{} {} {}\n", file.name, size, place);
  }
  layout.bytes = roundedUp(next, kPage);
  return layout;
}

Error damaged() {
  return Error("a capture in the memory is damaged: the application has written over it");
}

std::string textOf(std::span<const std::byte> archive) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, archive.data(), sizeof bytes);
  if (bytes > archive.size() - sizeof bytes)
    throw damaged();
  return {reinterpret_cast<const char *>(archive.data()) + sizeof bytes, bytes};
}

/// Writes `bytes` of zeros where `content` is null. Throws Error.
void writeFile(const fs::path &path, const std::byte *content, uint64_t bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  int reason = file.number() < 0 ? errno : 0;
  if (reason == 0 && content)
    reason = writeAll(file.number(), {reinterpret_cast<const char *>(content), bytes});
  else if (reason == 0 && ftruncate(file.number(), static_cast<off_t>(bytes)) != 0)
    reason = errno;
  if (reason != 0)
    throw Error(withReason(path.string() + ": cannot be written", reason));
}

} // namespace

std::string budgetText(const Budget &budget) {
  return fmt::format("{} {} {}", budget.share, budget.bytes, budget.memory.string());
}

Budget budgetOfEnvironment() {
  Budget budget;
  const char *const text = std::getenv(kBudgetVariable);
  std::istringstream words(text ? text : "");
  std::string memory;
  if (!(words >> budget.share >> budget.bytes) || !std::getline(words >> std::ws, memory))
    return {};
  budget.memory = memory;
  return budget;
}

/// The captures, at the begin of the memory.
struct CaptureMemory::Table {
  enum class State : uint32_t { kReserved, kComplete, kTaken };
  struct Slot {
    std::atomic<State> state;
    uint64_t process, number, offset, bytes;
  };

  uint64_t magic;
  uint64_t bytes;             ///< of the memory
  std::atomic<uint64_t> used; ///< bytes from the begin
  std::atomic<uint32_t> count;
  std::array<Slot, kMostCaptures> slots;

  static constexpr uint64_t size();
};

constexpr uint64_t CaptureMemory::Table::size() {
  return roundedUp(sizeof(Table), kPage);
}

CaptureMemory::CaptureMemory(uint64_t bytes)
    : file_(memoryFile("aiwc-captures", Table::size() + bytes)) {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  table_ = new (mapped(file_.number(), 0, Table::size()).data()) Table;
  table_->bytes = Table::size() + bytes;
  table_->used = Table::size();
  table_->magic = kMagic;
}

CaptureMemory::CaptureMemory(fs::path path) : path_(std::move(path)) {
  auto *const begin = mappedAt(path_, 0, Table::size()).data();
  table_ = std::launder(reinterpret_cast<Table *>(begin));
  if (table_->magic != kMagic) {
    munmap(begin, Table::size());
    throw Error("the memory of captures is another launcher's");
  }
}

CaptureMemory::~CaptureMemory() {
  munmap(table_, Table::size());
}

fs::path CaptureMemory::path() const {
  return file_ ? pathOf(file_) : path_;
}

uint64_t CaptureMemory::bytes() const {
  return table_->bytes - Table::size();
}

std::optional<CaptureRoom> CaptureMemory::reserve(const std::vector<CapturedFile> &files) {
  const Layout layout = layoutOf(files);
  uint64_t offset = table_->used;
  do
    if (layout.bytes > table_->bytes - offset)
      return std::nullopt;
  while (!table_->used.compare_exchange_weak(offset, offset + layout.bytes));
  CaptureRoom room(mappedAt(path(), offset, layout.bytes), 0);
  room.slot_ = table_->count++;
  if (room.slot_ >= kMostCaptures) {
    table_->count = kMostCaptures;
    return std::nullopt;
  }
  std::byte *const begin = room.mapped_.data();
#ifdef MADV_POPULATE_WRITE
  madvise(begin, layout.bytes, MADV_POPULATE_WRITE); // quicker than a fault for each page
#endif
  const uint64_t textBytes = layout.text.size();
  std::memcpy(begin, &textBytes, sizeof textBytes);
  std::memcpy(begin + sizeof textBytes, layout.text.data(), textBytes);
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].content == CapturedFile::Content::kGiven)
      std::memcpy(begin + layout.places[i], files[i].bytes.data(), files[i].bytes.size());
    else if (files[i].content == CapturedFile::Content::kLater)
      room.later.push_back(begin + layout.places[i]);
  Table::Slot &slot = table_->slots[room.slot_];
  slot.process = programNumber();
  slot.offset = offset;
  slot.bytes = layout.bytes;
  return room;
}

void CaptureMemory::complete(const CaptureRoom &room, uint64_t number) {
  Table::Slot &slot = table_->slots[room.slot_];
  slot.number = number;
  slot.state = Table::State::kComplete;
}

std::vector<CaptureMemory::Captured> CaptureMemory::takeComplete() {
  std::vector<Captured> taken;
  const uint32_t count = std::min<uint32_t>(table_->count, kMostCaptures);
  for (uint32_t i = 0; i < count; ++i) {
    Table::Slot &slot = table_->slots[i];
    if (slot.state != Table::State::kComplete)
      continue;
    slot.state = Table::State::kTaken;
    taken.push_back({slot.process, slot.number, i});
  }
  return taken;
}

void CaptureMemory::unpack(const Captured &captured, const fs::path &folder) {
  const Table::Slot &slot = table_->slots[captured.slot];
  const CaptureRoom room(mapped(file_.number(), slot.offset, slot.bytes), captured.slot);
  const std::byte *const begin = room.mapped_.data();
  std::istringstream text(textOf(room.mapped_));
  // The name makes it a capture: a folder without it is incomplete.
  const fs::path made = folder.parent_path() / ("." + folder.filename().string());
  try {
    std::string name;
    for (uint64_t size = 0, place = 0; text >> name >> size >> place;) {
      if (place > slot.bytes || (place > 0 && size > slot.bytes - place))
        throw damaged();
      fs::create_directories((made / name).parent_path());
      writeFile(made / name, place > 0 ? begin + place : nullptr, size);
    }
    fs::rename(made, folder);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(made, ignored);
    throw;
  }
  fallocate(file_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
            static_cast<off_t>(slot.offset), static_cast<off_t>(slot.bytes));
}

CaptureRoom::CaptureRoom(CaptureRoom &&other) noexcept
    : later(std::move(other.later)), mapped_(std::exchange(other.mapped_, {})), slot_(other.slot_) {
}

CaptureRoom::~CaptureRoom() {
  if (!mapped_.empty())
    munmap(mapped_.data(), mapped_.size());
}

} // namespace aiwc::attach
