/// What compilers make of kernels, kept on disk from one process to the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace aiwc {

/// A folder of files that any process of the user may read, add to and delete from at any time.
/// Nothing in it is trusted that another user could have written: the folder and its files have to
/// belong to this user, nobody else may have the right to write to them, and symbolic links are not
/// followed. A file that is damaged counts as missing. Thread-safe. Nothing throws; what fails (a
/// full disk, a folder that is read-only) only leaves the folder as it was. A process with more
/// rights than the user who started it uses no cache.
class CodeCache {
public:
  static constexpr uint64_t kMostBytes = uint64_t{256} << 20;

  /// The folder that the XDG Base Directory Specification gives a cache of this name:
  /// `$XDG_CACHE_HOME/aiwc`, else `$HOME/.cache/aiwc`. Empty if neither variable is an absolute
  /// path.
  static std::filesystem::path usersFolder();
  /// A key that these parts determine, in this order.
  static std::string keyOf(std::initializer_list<std::string_view> parts);

  /// `folder`: an absolute path; the folder is made when it is first needed. `mostBytes`: the sum
  /// of the sizes of its files, above which those are deleted whose last use is longest ago.
  /// Several processes that write at the same time may exceed it by a sixteenth each.
  explicit CodeCache(std::filesystem::path folder, uint64_t mostBytes = kMostBytes)
      : folder_(std::move(folder)), mostBytes_(mostBytes) {}

  /// The content that was stored under `key`, if it is there and whole. Notes that it was used.
  std::optional<std::string> find(std::string_view key) const noexcept;
  /// Stores `content` under `key`, in place of what is there. A content above a sixteenth of
  /// `mostBytes` is not stored. `key`: 32 hexadecimal digits.
  void store(std::string_view key, std::string_view content) noexcept;

private:
  void deleteOldest() const;

  std::filesystem::path folder_;
  uint64_t mostBytes_;
  /// Since the last `deleteOldest`. Other processes' files are not counted, so the first file that
  /// a process stores exceeds any limit.
  std::atomic<uint64_t> storedBytes_ = UINT64_MAX / 2;
};

} // namespace aiwc
