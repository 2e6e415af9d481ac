#include "launcher/opencl_use.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <vector>

namespace aiwc::launcher {
namespace {

/// Parts of the names of loaders and drivers.
constexpr std::array<std::string_view, 5> kLibraries = {"libOpenCL", "libpocl", "nvidia-opencl",
                                                        "amdocl", "igdrcl"};

std::string folderOf(pid_t process) {
  return "/proc/" + std::to_string(process) + "/";
}

/// Those of the process's first thread, which are all where it has no others.
std::vector<pid_t> childrenOf(pid_t process) {
  std::ifstream file(folderOf(process) + "task/" + std::to_string(process) + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;)
    children.push_back(child);
  return children;
}

std::string openClOf(pid_t process) {
  std::ifstream maps(folderOf(process) + "maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t path = line.find('/');
    if (path == std::string::npos)
      continue;
    const std::string_view name = std::string_view(line).substr(line.find_last_of('/') + 1);
    if (std::ranges::any_of(kLibraries, [&](std::string_view library) {
          return name.find(library) != std::string_view::npos;
        }))
      return line.substr(path);
  }
  return "";
}

} // namespace

std::string openClOfChildren() {
  std::string found;
  for (const pid_t child : childrenOf(::getpid())) {
    found = openClOf(child);
    for (const pid_t grandchild : childrenOf(child))
      if (found.empty())
        found = openClOf(grandchild);
    if (!found.empty())
      break;
  }
  return found;
}

} // namespace aiwc::launcher
