#include "programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace fs = std::filesystem;

namespace {

/// Without symbolic links, if that can be found out.
fs::path resolved(const fs::path &path) {
  std::error_code failed;
  fs::path result = fs::weakly_canonical(path, failed);
  return failed ? fs::absolute(path).lexically_normal() : result;
}

/// The last `count` components.
fs::path ending(const fs::path &path, size_t count) {
  fs::path result;
  auto part = path.end();
  for (size_t i = 0; i < count && part != path.begin(); ++i)
    result = result.empty() ? *--part : *--part / result;
  return result;
}

} // namespace

std::vector<ProfiledProgram> programsIn(const std::vector<std::string> &arguments,
                                        const LaunchFilter &filter) {
  std::vector<ProfiledProgram> programs;
  std::map<fs::path, size_t> places;
  // A profile is told by its file and its launch, or its place in an annotated kernel.
  std::set<std::pair<fs::path, std::string>> seen;
  for (NamedProfile &named : readRuns(arguments, filter)) {
    const bool embedded = !named.container.empty();
    const std::string &name = embedded ? named.container : named.file;
    fs::path file = isStandardInput(name) ? "standard input" : resolved(name);
    // Launches of a run may share a file.
    std::string launch = fmt::format("{} {}", named.launch.process, named.launch.number);
    if (!seen.emplace(file, embedded ? named.file : std::move(launch)).second)
      continue;
    fs::path path = named.fromFolder ? file.parent_path() : std::move(file);
    const auto [place, isNew] = places.emplace(path, programs.size());
    if (isNew)
      programs.push_back({std::move(path), {}});
    programs[place->second].profiles.push_back(std::move(named));
  }
  return programs;
}

std::vector<std::string> shortNames(const std::vector<fs::path> &paths) {
  std::vector<std::string> names;
  for (const fs::path &path : paths) {
    const auto length = static_cast<size_t>(std::distance(path.begin(), path.end()));
    size_t count = 1;
    while (count < length && std::ranges::any_of(paths, [&](const fs::path &other) {
             return other != path && ending(other, count) == ending(path, count);
           }))
      ++count;
    fs::path name = ending(path, count);
    if (name.extension() == ".json")
      name.replace_extension();
    names.push_back(name.string());
  }
  return names;
}

} // namespace aiwc::cli
