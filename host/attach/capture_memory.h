/// What the launcher and the layer share for captures: how much they may cost, and the memory in
/// which the layer leaves them. The application writes no file, and what was captured outlives it.
#pragma once

#include "common/descriptor.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::attach {

/// What captures may cost an application.
struct Budget {
  double share = 0;             ///< of its time
  uint64_t bytes = 0;           ///< that it may copy in all
  std::filesystem::path memory; ///< CaptureMemory::path
};

/// The variable that has the budget of captures, "<share> <bytes> <memory>". Unset: no captures.
inline constexpr const char *kBudgetVariable = "AIWC_CAPTURE_BUDGET";

std::string budgetText(const Budget &budget);
/// The budget of this process's environment.
Budget budgetOfEnvironment();

/// A file of a capture.
struct CapturedFile {
  enum class Content : uint8_t {
    kGiven, ///< `bytes`
    kLater, ///< `size` bytes, written to the place that `reserve` returns
    kZeros, ///< `size` bytes
  };

  std::string name; ///< below the capture's folder, without blanks
  Content content = Content::kGiven;
  std::string_view bytes = {};
  uint64_t size = 0;
};

/// Room for a capture, mapped into this process until the object's end.
class CaptureRoom {
public:
  CaptureRoom(std::span<std::byte> mapped, uint32_t slot) : mapped_(mapped), slot_(slot) {}
  ~CaptureRoom();
  CaptureRoom(CaptureRoom &&other) noexcept;
  CaptureRoom(const CaptureRoom &) = delete;
  CaptureRoom &operator=(const CaptureRoom &) = delete;
  CaptureRoom &operator=(CaptureRoom &&) = delete;

  std::vector<std::byte *> later; ///< places of the files that are written later, in their order

private:
  friend class CaptureMemory;
  std::span<std::byte> mapped_;
  uint32_t slot_;
};

/// Memory for captures, which several processes write and one reads. It has a size that it never
/// exceeds and takes no more than what was written; it is gone when no process has it any more.
/// Thread-safe in the processes that write.
class CaptureMemory {
public:
  /// A capture that is complete.
  struct Captured {
    uint64_t process = 0; ///< programNumber()
    uint64_t number = 0;  ///< of the launch in its process
    uint32_t slot = 0;
  };

  /// Makes memory for captures of `bytes` in all. Throws Error if the system has none.
  explicit CaptureMemory(uint64_t bytes);
  /// The memory that another process has made. Throws Error if it is gone.
  explicit CaptureMemory(std::filesystem::path path);
  ~CaptureMemory();
  CaptureMemory(const CaptureMemory &) = delete;
  CaptureMemory &operator=(const CaptureMemory &) = delete;

  /// By which other processes of the user reach it as long as this process lives, its maker or a
  /// child of it.
  std::filesystem::path path() const;
  /// Of captures that it takes in all.
  uint64_t bytes() const;

  /// Room for a capture with these files. None: it is full. Throws Error if its maker is gone.
  std::optional<CaptureRoom> reserve(const std::vector<CapturedFile> &files);
  /// Hands a capture over to the reader.
  void complete(const CaptureRoom &room, uint64_t number);

  /// In its maker: the captures that became complete since the last call.
  std::vector<Captured> takeComplete();
  /// Writes a capture's files to a new folder, all or none, and gives its memory back. Throws Error
  /// if the disk is full.
  void unpack(const Captured &captured, const std::filesystem::path &folder);

private:
  struct Table;

  std::filesystem::path path_;       ///< empty in its maker
  Descriptor file_ = Descriptor(-1); ///< in its maker
  Table *table_ = nullptr;
};

} // namespace aiwc::attach
