#include "eod/process/temporary_folder.h"

#include "eod/common/error.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace aiwc::process {

TemporaryFolder::TemporaryFolder(const std::string &prefix) {
  std::string name = (std::filesystem::temp_directory_path() / (prefix + "-XXXXXX")).string();
  if (!mkdtemp(name.data()))
    throw eod::Error(eod::withReason(name + ": cannot be created", errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace aiwc::process
