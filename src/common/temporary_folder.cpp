#include "common/temporary_folder.h"

#include "common/error.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace aiwc {

TemporaryFolder::TemporaryFolder(const std::string &prefix) {
  for (const char *base : {static_cast<const char *>(std::getenv("TMPDIR")), "/tmp"}) {
    if (!base || !*base)
      continue;
    std::error_code failed; // a program may run in another folder
    std::string name = (std::filesystem::absolute(base, failed) / (prefix + "-XXXXXX")).string();
    if (::mkdtemp(name.data())) {
      path_ = name;
      return;
    }
  }
  throw Error(withReason("cannot create a temporary folder in TMPDIR or /tmp", errno));
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty())
    return;
  // The last processes of a browser may still write while it ends.
  for (int i = 0; i < 20; ++i) {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    if (!error)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

} // namespace aiwc
