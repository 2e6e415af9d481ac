/// Reads whole files, and writes files so that no other process ever sees a partly written one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc {

/// Returns all bytes of `file`. `expected` is used in error messages and describes the file that
/// the caller wants, for example "a JSON profile". Throws Error if the file cannot be read, is not
/// a regular file, or has more than `maximumBytes` bytes (then it is probably the wrong file).
std::string readFile(const std::filesystem::path &file, std::string_view expected,
                     std::uintmax_t maximumBytes = std::uintmax_t{256} << 20U);

/// Like `readFile`, but also reads a pipe to its end, such as one of the shell's `<(...)`, and
/// waits for its writer. Use it for files that the user names, and not for those found in a folder.
std::string readFileOrPipe(const std::filesystem::path &file, std::string_view expected,
                           std::uintmax_t maximumBytes);

/// All bytes that standard input still has, whatever it is; `name` stands for it in messages.
/// Throws Error as `readFile` does.
std::string readStandardInput(const std::string &name, std::string_view expected,
                              std::uintmax_t maximumBytes);

/// Like `readFile`, but returns no value if `readFile` would throw.
std::optional<std::string> readFileIfAny(const std::filesystem::path &file);

/// A file of no more use under a temporary name of `NewFile`, to be overwritten by the next one:
/// freeing a file for each new one takes some file systems (ext4) milliseconds. Deletes it in the
/// end; a forked child leaves it to its parent.
class SpareFile {
public:
  SpareFile() = default;
  ~SpareFile() { drop(); }
  SpareFile(const SpareFile &) = delete;
  SpareFile &operator=(const SpareFile &) = delete;

  void drop() noexcept;

private:
  friend class NewFile;

  std::string path_; ///< empty: none
  pid_t owner_ = 0;
};

/// A complete file with a temporary name, `.aiwc_<pid>_<count>`. `claim` or `replace` gives it its
/// final name; if neither does, the destructor deletes it.
class NewFile {
public:
  /// Writes `content` into a new file in `folder`. Its permissions are `mode`; without `mode`, they
  /// are 0666 minus the umask. On failure, the constructor, `claim` and `replace` throw Error with
  /// the message `<failure>: <the operating system's reason>`; `failure` should name the file or
  /// the folder. If `spare` has a file of this folder, it becomes the new one, unless somebody may
  /// still read it; it is then as empty as after `drop`.
  NewFile(const std::filesystem::path &folder, std::string_view content, std::string failure,
          std::optional<mode_t> mode = std::nullopt, SpareFile *spare = nullptr);
  ~NewFile();
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  /// Gives the file the name `target`. If `target` exists, changes nothing and returns false.
  bool claim(const std::filesystem::path &target);
  /// Gives the file the name `target`; a file that has this name is replaced. `replaced` takes it
  /// instead of what it had, if the file system can exchange names.
  void replace(const std::filesystem::path &target, SpareFile *replaced = nullptr);

private:
  /// Makes the file under a temporary name. Returns 0, or the errno by which it failed; then no
  /// file remains.
  int make(const std::filesystem::path &folder, std::string_view content,
           std::optional<mode_t> mode, SpareFile *spare);
  /// Opens the spare file and sets `path_`. Returns -1 if there is none to overwrite.
  int reopen(SpareFile &spare);
  /// Opens a new file and sets `path_`. Returns the descriptor, or -1 and sets errno.
  int create(const std::filesystem::path &folder, std::optional<mode_t> mode);
  [[noreturn]] void fail(int errorNumber) const;

  std::string failure_;
  std::string path_; ///< the temporary name; empty when the file no longer has it
};

/// How temporary names begin, and those of a process.
inline constexpr std::string_view kTemporaryPrefix = ".aiwc_";
std::string temporaryPrefix(pid_t writer);

/// Whether a process of this machine has this number and has not ended.
bool isRunning(pid_t process);

/// Deletes the files in `folder` with temporary names that no running process has, and that nobody
/// has touched for ten seconds.
void removeOldTemporaryFiles(const std::filesystem::path &folder);

/// Deletes the files in `folder` with a temporary name of process `writer`, which was killed while
/// it wrote them. Leaves them alone if the process still exists.
void removeTemporaryFiles(const std::filesystem::path &folder, pid_t writer);

/// Replaces the content of `file` by `content` in one step and keeps its permissions. If `file` is
/// a symbolic link, the file that it points to is replaced. Throws Error with the operating
/// system's reason; then `file` is unchanged.
void replaceFile(const std::filesystem::path &file, std::string_view content);

} // namespace aiwc
