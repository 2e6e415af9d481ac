/// Files as a whole: read at once, and written so that nobody ever sees half of one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc {

/// All bytes of `file`. `expected` says in messages what the file should have been, "a JSON
/// profile". Throws Error where it cannot be read, is no regular file, or has more than
/// `maximumBytes`: then somebody named the wrong file.
std::string readFile(const std::filesystem::path &file, std::string_view expected,
                     std::uintmax_t maximumBytes = std::uintmax_t{256} << 20U);

/// The same for a file that may be missing: none where `readFile` would throw.
std::optional<std::string> readFileIfAny(const std::filesystem::path &file);

/// A complete file under a name that nobody looks for, `.aiwc_<pid>_<count>`, until `claim` or
/// `replace` give it its own. Without them it goes away at the end of its scope.
class NewFile {
public:
  /// Writes `content` into a file in `folder`. The permissions are `mode`, or what the umask
  /// leaves. All members throw Error, `FAILURE: the operating system's reason`; `failure` names the
  /// file or the folder.
  NewFile(const std::filesystem::path &folder, std::string_view content, std::string failure,
          std::optional<mode_t> mode = std::nullopt);
  ~NewFile();
  NewFile(const NewFile &) = delete;
  NewFile &operator=(const NewFile &) = delete;

  /// Makes the content appear as `target`; false, and nothing is done, where that exists.
  bool claim(const std::filesystem::path &target);
  /// Makes the content appear as `target` in place of what is there.
  void replace(const std::filesystem::path &target);

private:
  int create(const std::filesystem::path &folder, std::optional<mode_t> mode);
  [[noreturn]] void fail(int errorNumber) const;

  std::string failure_;
  std::string path_; ///< empty once the file has a name of its own alone
};

/// Makes `content` what is in `file`, at once, with the permissions that `file` had. A symbolic
/// link stays, and the file that it leads to is replaced. Throws Error with the operating system's
/// reason, and then `file` is as it was.
void replaceFile(const std::filesystem::path &file, std::string_view content);

} // namespace aiwc
