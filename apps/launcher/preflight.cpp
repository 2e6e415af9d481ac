#include "launcher/preflight.h"

#include "common/descriptor.h"
#include "common/file.h"
#include "common/version.h"
#include "common/write.h"
#include "run/folder.h"
#include "session/code_cache.h"
#include "session/escape.h"
#include "session/status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace aiwc::launcher {
namespace {

std::string quoted(const fs::path &path) {
  return "'" + escapeLine(path.string()) + "'";
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status))
    return std::string("died of signal ") + ::strsignal(WTERMSIG(status));
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

int required(int descriptor) {
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category());
  return descriptor;
}

std::string firstLine(std::string_view text) {
  return escapeLine(text.substr(0, text.find('\n')));
}

// The reason in `printed`, Oclgrind's message about the plugin, without the parts that our own
// message contains.
std::string loaderReason(const std::string &printed, const fs::path &plugin) {
  constexpr std::string_view kStart = "Loading Oclgrind plugin failed";
  const std::size_t begin = printed.find(kStart);
  if (begin == std::string::npos)
    return firstLine(printed);
  std::string line = firstLine(std::string_view(printed).substr(begin));
  if (const std::size_t colon = line.find("): "); colon != std::string::npos)
    line.erase(0, colon + 3);
  const std::string prefix = escapeLine(plugin.string()) + ": ";
  if (line.starts_with(prefix))
    line.erase(0, prefix.size());
  return line;
}

/// Removes an empty folder at its end; a folder without name is none.
class FolderRemover {
public:
  explicit FolderRemover(fs::path folder) : folder_(std::move(folder)) {}
  ~FolderRemover() {
    if (!folder_.empty())
      ::rmdir(folder_.c_str());
  }
  FolderRemover(const FolderRemover &) = delete;
  FolderRemover &operator=(const FolderRemover &) = delete;

private:
  fs::path folder_;
};

void requireNoRun(const fs::path &folder, const std::string &what) {
  const run::FolderContent content = run::contentOf(folder);
  if (!content.isRun())
    return;
  std::string held = " holds profiles";
  if (!content.runs.empty()) {
    held = " holds a run";
    try {
      const run::Run run = run::readRun(content.runs.front());
      held += " of '" + escapeLine(commandLine(run)) + "' of " + escapeLine(run.started);
    } catch (const Error &) { // it is a run all the same
    }
  }
  throw Error(what + held + ": expected another folder, or --aiwc-append to add to it");
}

void checkVersion(const Stock &stock, Children &children, const PrivateFolder &scratch) {
  constexpr std::string_view kName = "Oclgrind ";
  const fs::path printed = scratch.path() / "version";
  const int status = children.run({stock.program.string(), "--version"}, Children::Role::kOwn, [&] {
    redirect(printed);
    markScript(stock);
  });
  const std::string text = readFileIfAny(printed).value_or("");
  const std::size_t begin = text.find(kName);
  if (status != 0 || begin == std::string::npos)
    throw PluginError(quoted(stock.program) + " --version " + howItEnded(status) +
                      " and prints no version: expected Oclgrind " AIWC_OCLGRIND_VERSION);
  const std::size_t from = begin + kName.size();
  const std::string version = text.substr(from, text.find_first_of(" \r\n", from) - from);
  if (version != AIWC_OCLGRIND_VERSION)
    throw PluginError("the plugin was built for Oclgrind " AIWC_OCLGRIND_VERSION ", but " +
                      quoted(stock.program) + " is Oclgrind " + escapeLine(version) +
                      ": expected the same version");
}

void checkPlugin(const Stock &stock, SessionOptions options, Children &children,
                 const PrivateFolder &scratch) {
  const std::string what = "the plugin " + quoted(options.plugin);
  if (std::error_code error; !fs::is_regular_file(options.plugin, error))
    throw PluginError(what + " does not exist: expected it where aiwc was installed or built, or "
                             "its path in AIWC_PLUGIN");
  if (options.plugin.string().find(':') != std::string::npos)
    throw PluginError(what + " has a ':' in its path, which separates plugins for Oclgrind: "
                             "expected a path without ':'");
  const fs::path program = findTool("aiwc-plugin-check");
  if (::access(program.c_str(), X_OK) != 0)
    throw PluginError(withReason(quoted(program), errno) +
                      ": expected the program that tests the plugin");
  const fs::path printed = scratch.path() / "check";
  options.statusFile = scratch.path() / "check-status";
  const int ended =
      children.run({stock.program.string(), program.string()}, Children::Role::kOwn, [&] {
        redirect(printed);
        markScript(stock);
        setEnvironment(options);
        ::setenv("OCLGRIND_PLUGINS", options.plugin.c_str(), 1);
        ::unsetenv("OCLGRIND_LOG"); // meant for the application
        ::unsetenv("OCLGRIND_INTERACTIVE");
      });
  const SessionStatus status = readStatus(options.statusFile);
  if (!status.errors.empty())
    throw PluginError(what + " does not start: " + escapeLine(status.errors.front()));
  if (!status.loaded || ended != 0) {
    std::string reason = loaderReason(readFileIfAny(printed).value_or(""), options.plugin);
    if (reason.empty() || WIFSIGNALED(ended))
      reason = "the program that tests it " + howItEnded(ended) +
               (status.loaded ? "" : " and the plugin reported nothing");
    throw PluginError(what + " does not load: " + reason);
  }
  if (status.pluginVersion != kVersion)
    throw PluginError(what + " has version " + escapeLine(status.pluginVersion) +
                      ", this launcher " + kVersion + ": expected the same version");
}

/// Another text for another file of this path, and after it was replaced or changed, also by what
/// keeps the time of its last write.
std::string identityOf(const fs::path &file) {
  struct stat of = {};
  if (::stat(file.c_str(), &of) != 0)
    return "none";
  return fmt::format("{} {} {} {} {}.{}", file.string(), of.st_dev, of.st_ino, of.st_size,
                     of.st_ctim.tv_sec, of.st_ctim.tv_nsec);
}

/// What decides whether the tools work, as the key of a cache.
std::string keyOfTools(const Stock &stock, const SessionOptions &options) {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string_view(value ? value : "");
  };
  const fs::path libraries = stock.program.parent_path().parent_path() / "lib";
  return CodeCache::keyOf({"tools", kVersion, identityOf(stock.program), identityOf(options.plugin),
                           identityOf(findTool("aiwc-plugin-check")),
                           identityOf("/etc/ld.so.cache"),
                           identityOf(libraries / "liboclgrind-rt.so"),
                           identityOf(libraries / "oclgrind" / "liboclgrind-rt.so"),
                           identityOf(libraries / "liboclgrind.so"), variable("LD_LIBRARY_PATH"),
                           variable("LD_PRELOAD")});
}

} // namespace

PrivateFolder::PrivateFolder() : path_(whole_.path()) {
  if (::geteuid() != 0)
    return;
  // Only root's application can change its user and go on to report. Users who do not own a folder
  // may pass through it without listing it: then the name inside, which cannot be guessed, is what
  // lets them in.
  std::array<unsigned char, 16> secret{};
  if (::getentropy(secret.data(), secret.size()) != 0)
    throw Error(withReason("cannot name a temporary folder", errno));
  path_ /= fmt::format("{:02x}", fmt::join(secret, ""));
  if (::mkdir(path_.c_str(), 0700) != 0)
    throw Error(withReason("cannot create the temporary folder " + quoted(path_), errno));
  for (const fs::path &folder : {path_, whole_.path()})
    ::chmod(folder.c_str(), 0711);
}

fs::path PrivateFolder::link(const std::string &name, const fs::path &target) const {
  const fs::path made = path() / (name + ".new");
  fs::create_symlink(target, made);
  fs::rename(made, path() / name);
  return path() / name;
}

void redirect(const fs::path &output) {
  const int in = required(aboveStandard(::open("/dev/null", O_RDONLY)));
  const int out =
      required(aboveStandard(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)));
  required(::dup2(in, STDIN_FILENO));
  required(::dup2(out, STDOUT_FILENO));
  required(::dup2(out, STDERR_FILENO));
  ::close(in);
  ::close(out);
}

void checkOutput(const fs::path &folder, bool append) {
  constexpr const char *kExpected = ": expected a folder that can be written to";
  const std::string what = "output folder " + quoted(folder);
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder))
    throw Error(what + " cannot be made: " + error.message() + kExpected);
  const FolderRemover remover(made ? folder : fs::path());
  // Only a write is a reliable test: access(2) ignores full disks and permits almost everything to
  // root.
  std::string name = (folder / ".aiwc-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0)
    throw Error(withReason(what + " cannot be written to", errno) + kExpected);
  const int reason = writeAll(file, std::string(4096, '\0'));
  ::close(file);
  ::unlink(name.c_str());
  if (reason != 0)
    throw Error(withReason(what + " cannot be written to", reason) + kExpected);
  if (!append && !made)
    requireNoRun(folder, what);
}

void checkTools(const Stock &stock, const SessionOptions &options, Children &children,
                const PrivateFolder &scratch) {
  const fs::path folder =
      options.cache.empty() ? CodeCache::usersFolder() : fs::path(options.cache);
  std::optional<CodeCache> cache;
  if (!stock.script && options.cache != kNoCache && !folder.empty())
    cache.emplace(folder);
  const std::string key = keyOfTools(stock, options);
  if (cache && cache->find(key))
    return;
  checkVersion(stock, children, scratch);
  checkPlugin(stock, options, children, scratch);
  if (cache)
    cache->store(key, kVersion);
}

} // namespace aiwc::launcher
