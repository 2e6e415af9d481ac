#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// Running the launcher from a test, in an environment that the test alone decides.
namespace aiwc::test {

namespace fs = std::filesystem;

/// An empty folder that goes away with the object.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  fs::path operator/(const fs::path &name) const { return path_ / name; }
  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

struct Outcome {
  int status = -1; ///< the exit status, or -1
  int signal = 0;  ///< the signal that ended the process, or 0
  std::string out;
  std::string err;
};

/// A command to run. It sees of this process's environment what `environment` holds and no more.
struct Command {
  std::vector<std::string> words;
  std::map<std::string, std::string> environment;
  fs::path folder; ///< where it runs; empty: here
};

/// A command that runs. It leads a session of its own; with a terminal it has one to itself.
class Process {
public:
  enum class Terminal { kNone, kOwn };
  explicit Process(const Command &command, Terminal terminal = Terminal::kNone);
  ~Process();
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;
  pid_t id() const { return child_; }
  /// What a user at the keyboard does.
  void type(const std::string &keys) const;
  Outcome wait();

private:
  Folder captured_;
  pid_t child_ = -1;
  int keyboard_ = -1;
  bool ended_ = false;
};

Outcome run(const Command &command);

std::string contents(const fs::path &path);
void write(const fs::path &path, const std::string &text);
void writeScript(const fs::path &path, const std::string &text);

/// Waits until `path` holds `text`; gives up, and says so to the test, after a minute.
void awaitText(const fs::path &path, const std::string &text);

} // namespace aiwc::test
