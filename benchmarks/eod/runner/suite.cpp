#include "eod/runner/suite.h"

#include "eod/common/opencl.h"
#include "eod/process/child.h"
#include "eod/process/temporary_folder.h"
#include "eod/runner/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace aiwc::eod {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "eod-";

Program describe(const fs::path &path) {
  const process::TemporaryFolder folder("eod");
  const fs::path answer = folder.path() / "list.json";
  process::run({.command = {path.string(), "--list", "--json", answer.string()},
                .environment = process::currentEnvironment(),
                .errors = folder.path() / "stderr"});
  return read(answer, [&](const Json &json) {
    Program program{.path = path,
                    .application = json.at("application"),
                    .dwarf = json.at("dwarf"),
                    .summary = json.at("summary"),
                    .sourceHash = json.at("source_hash"),
                    .kernels = json.at("kernels"),
                    .sizes = {}};
    for (const Json &size : json.at("sizes"))
      program.sizes.push_back({.size = size.at("size"),
                               .parameter = size.at("parameter"),
                               .settings = size.at("settings"),
                               .footprintBytes = size.at("footprint_bytes"),
                               .deviceBytes = size.at("device_bytes")});
    return program;
  });
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Throws for a name of `wanted` that `matches` finds in none of `known`.
template <typename Matches>
void checkNames(const char *option, const std::vector<std::string> &wanted,
                std::vector<std::string> known, Matches matches) {
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (const std::string &name : wanted)
    if (std::ranges::none_of(known, [&](const std::string &k) { return matches(k, name); }))
      throw UsageError(
          fmt::format("{} {}: expected one of {}", option, name, fmt::join(known, ", ")));
}

bool same(const std::string &known, const std::string &wanted) {
  return lower(known) == lower(wanted);
}

bool contains(const std::string &known, const std::string &wanted) {
  return lower(known).find(lower(wanted)) != std::string::npos;
}

template <typename Matches>
bool chosen(const std::vector<std::string> &wanted, const std::string &name, Matches matches) {
  return wanted.empty() ||
         std::ranges::any_of(wanted, [&](const std::string &w) { return matches(name, w); });
}

} // namespace

fs::path programFolder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(withReason("/proc/self/exe: cannot be read", error.value()));
  return self.parent_path();
}

fs::path findAiwc() {
  std::string folders = programFolder().string();
  if (const char *path = std::getenv("PATH"))
    folders += std::string(":") + path;
  std::istringstream stream(folders);
  for (std::string folder; std::getline(stream, folder, ':');) {
    fs::path program = fs::path(folder) / "aiwc";
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(program, ignored) &&
        access(program.c_str(), X_OK) == 0)
      return program;
  }
  throw Error("aiwc: no such program beside eod or in PATH: expected aiwc to be installed, because "
              "it characterises kernels in the simulator");
}

void createFolder(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(withReason(folder.string() + ": cannot be created", error.value()));
}

std::vector<Program> findPrograms(const fs::path &folder) {
  std::vector<fs::path> paths;
  for (const auto &entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && entry.is_regular_file() &&
        access(entry.path().c_str(), X_OK) == 0)
      paths.push_back(entry.path());
  }
  if (paths.empty())
    throw Error(folder.string() + ": no application: expected programs named eod-*");
  std::ranges::sort(paths);
  std::vector<Program> programs;
  programs.reserve(paths.size());
  for (const fs::path &path : paths)
    programs.push_back(describe(path));
  return programs;
}

std::vector<Case> select(const std::vector<Program> &programs, const Selection &selection) {
  std::vector<std::string> applications;
  std::vector<std::string> dwarfs;
  std::vector<std::string> sizes;
  for (const Program &program : programs) {
    applications.push_back(program.application);
    dwarfs.push_back(program.dwarf);
    for (const SizeEntry &size : program.sizes)
      sizes.push_back(size.size);
  }
  checkNames("--apps", selection.applications, applications, same);
  checkNames("--dwarfs", selection.dwarfs, dwarfs, contains);
  checkNames("--sizes", selection.sizes, sizes, same);
  std::vector<Case> cases;
  for (const Program &program : programs)
    if (chosen(selection.applications, program.application, same) &&
        chosen(selection.dwarfs, program.dwarf, contains))
      for (const SizeEntry &size : program.sizes)
        if (chosen(selection.sizes, size.size, same))
          cases.push_back({program, size});
  if (cases.empty())
    throw UsageError("no application matches --apps, --dwarfs and --sizes together");
  return cases;
}

std::string toText(const std::vector<Case> &cases) {
  std::string text =
      fmt::format("{:<11} {:<30} {:<6} {:>15} {:>14} {:>12}  {}\n", "application", "dwarf", "size",
                  "parameter", "footprint, KiB", "device, KiB", "settings");
  std::string last;
  for (const Case &entry : cases) {
    const bool first = entry.program.application != last;
    last = entry.program.application;
    std::string line = fmt::format(
        "{:<11} {:<30} {:<6} {:>15} {:>14.1f} {:>12.1f}  {}", first ? last : "",
        first ? entry.program.dwarf : "", entry.size.size, entry.size.parameter,
        entry.size.footprintBytes / 1024.0, entry.size.deviceBytes / 1024.0, entry.size.settings);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string toJson(const std::vector<Case> &cases) {
  Json json = Json::array();
  for (const Case &entry : cases)
    json.push_back({{"application", entry.program.application},
                    {"dwarf", entry.program.dwarf},
                    {"summary", entry.program.summary},
                    {"kernels", entry.program.kernels},
                    {"source_hash", entry.program.sourceHash},
                    {"size", entry.size.size},
                    {"parameter", entry.size.parameter},
                    {"settings", entry.size.settings},
                    {"footprint_bytes", entry.size.footprintBytes},
                    {"device_bytes", entry.size.deviceBytes}});
  return dump(json);
}

} // namespace aiwc::eod
