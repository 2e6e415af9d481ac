#include "launcher/locate.h"

#include "common/file.h"
#include "session/escape.h"
#include "text/text.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace aiwc::launcher {
namespace {

// Every launcher of the project contains this text and recognises other launchers by it. Otherwise
// two launchers on one PATH would call each other for ever.
constexpr const char *kLauncherMark = "aiwc launcher in front of the stock oclgrind";

/// Where commands are if PATH is not set.
constexpr const char *kUsualPath = "/usr/local/bin:/usr/bin:/bin";
constexpr const char *kScripts = "AIWC_LAUNCHER_SCRIPTS";

std::string variable(const char *name, const char *otherwise = "") {
  const char *value = std::getenv(name);
  return value ? value : otherwise;
}

fs::path self() {
  std::error_code error;
  fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error("cannot find this launcher: " + error.message() + ": expected /proc to be mounted");
  return path;
}

// The folder of the launcher and of what is installed beside it, from a program there or from
// `aiwc`.
fs::path toolsFolder() {
  const fs::path folder = self().parent_path();
  const fs::path tools = (folder / AIWC_TOOLS_FROM_COMMANDS).lexically_normal();
  std::error_code error;
  return fs::is_directory(tools, error) ? tools : folder;
}

bool sameFile(const fs::path &a, const fs::path &b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

bool isExecutable(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

bool isLauncher(const fs::path &path) {
  // The stock program has 27 KB; reading it costs far less than starting it.
  return sameFile(path, "/proc/self/exe") ||
         readFileIfAny(path).value_or("").find(kLauncherMark) != std::string::npos;
}

// Whether it is the launcher of this installation: this program, or the one beside `aiwc`.
bool isThisLauncher(const fs::path &path) {
  return sameFile(path, "/proc/self/exe") || ((sameFile(path, toolsFolder() / "oclgrind") ||
                                               sameFile(path, self().parent_path() / "oclgrind")) &&
                                              isLauncher(path));
}

bool isScript(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return !(file.get() == 0x7f && file.get() == 'E' && file.get() == 'L' && file.get() == 'F');
}

bool ledHere(const fs::path &script) {
  for (const std::string &known : text::split(variable(kScripts), ':'))
    if (!known.empty() && sameFile(known, script))
      return true;
  return false;
}

// The programs of this name in the folders of PATH.
std::vector<fs::path> onPath(const std::string &name) {
  std::vector<fs::path> found;
  for (const std::string &folder : text::split(variable("PATH", kUsualPath), ':'))
    if (fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
        isExecutable(candidate))
      found.push_back(std::move(candidate));
  return found;
}

std::vector<fs::path> candidates() {
  std::vector<fs::path> found;
  std::vector<fs::path> behind;
  bool passedSelf = false;
  for (const fs::path &candidate : onPath("oclgrind")) {
    if (isThisLauncher(candidate))
      passedSelf = true;
    else
      (passedSelf ? behind : found).push_back(candidate);
  }
  return passedSelf ? behind : found;
}

// `installed`: from the folder of the launcher; `built`: from that of all programs in the build
// tree.
fs::path installedOrBuilt(const char *installed, const char *built, const char *name) {
  std::error_code error;
  const fs::path first = (toolsFolder() / installed / name).lexically_normal();
  const fs::path second = (self().parent_path() / built / name).lexically_normal();
  return !fs::exists(first, error) && fs::exists(second, error) ? second : first;
}

} // namespace

void checkApplication(const std::string &command) {
  constexpr int kNotFound = 127;
  constexpr int kNotExecutable = 126;
  std::error_code error;
  const auto refuse = [&](const std::string &what, int status) {
    throw ApplicationError("'" + escapeLine(command) + "' " + what, status);
  };
  const bool isPath = command.find('/') != std::string::npos;
  const bool isHere = fs::exists(command, error);
  if (isPath ? isExecutable(command) : !onPath(command).empty())
    return;
  if (const fs::path kind = fs::path(command).extension();
      isHere && (kind == ".cl" || kind == ".cu"))
    refuse("is no application but a file with kernels: expected aiwc kernel " + escapeLine(command),
           kNotExecutable);
  if (!isPath)
    refuse(std::string("was not found on PATH: expected an application") +
               (isHere ? ", such as ./" + escapeLine(command) : ""),
           kNotFound);
  if (!isHere)
    refuse("was not found: expected the path of an application", kNotFound);
  refuse(fs::is_directory(command, error) ? "is a folder: expected an application"
                                          : "is not executable: expected an application",
         kNotExecutable);
}

fs::path applicationPath(const std::string &command) {
  return command.find('/') == std::string::npos ? onPath(command).at(0) : fs::path(command);
}

Stock findStock() {
  if (const std::string chosen = variable("AIWC_OCLGRIND"); !chosen.empty()) {
    const std::string what = "AIWC_OCLGRIND is '" + escapeLine(chosen) + "'";
    if (!isExecutable(chosen))
      throw Error(what +
                  ", which is not an executable file: expected the path of the stock oclgrind");
    if (isLauncher(chosen))
      throw Error(what + ", which is an aiwc launcher: expected the path of the stock oclgrind");
    if (ledHere(chosen))
      throw Error(what + ", which leads back to this launcher: expected the stock oclgrind");
    return {chosen, isScript(chosen)};
  }
  for (const fs::path &candidate : candidates()) {
    const bool script = isScript(candidate);
    if (isLauncher(candidate) || (script && ledHere(candidate)))
      continue;
    return {candidate, script};
  }
  throw Error(
      "no oclgrind on PATH after this launcher: expected the Debian package 'oclgrind', or the "
      "path of an oclgrind in AIWC_OCLGRIND");
}

void markScript(const Stock &stock) {
  if (!stock.script) {
    ::unsetenv(kScripts);
    return;
  }
  const std::string known = variable(kScripts);
  const std::string script = fs::absolute(stock.program).string();
  ::setenv(kScripts, (known.empty() ? script : known + ":" + script).c_str(), 1);
}

bool calledBack() {
  return !variable(kScripts).empty();
}

fs::path findPlugin() {
  if (const std::string chosen = variable("AIWC_PLUGIN"); !chosen.empty())
    return fs::absolute(chosen).lexically_normal();
  return installedOrBuilt(AIWC_PLUGIN_FOLDER, "../lib/aiwc", "aiwc_oclgrind_plugin.so");
}

fs::path findPreload(const fs::path &plugin) {
  return plugin.parent_path() / "aiwc_preload.so";
}

fs::path findLayer() {
  return installedOrBuilt(AIWC_PLUGIN_FOLDER, "../lib/aiwc", "aiwc_layer.so");
}

fs::path findCommand() {
  return installedOrBuilt(AIWC_COMMANDS_FROM_LAUNCHER, ".", "aiwc");
}

fs::path findTool(const char *name) {
  return installedOrBuilt(".", "../libexec/aiwc", name);
}

} // namespace aiwc::launcher
