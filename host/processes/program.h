/// Starts other programs and waits for them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace aiwc::processes {

struct ChildProgram {
  std::vector<std::string> words; ///< the first is looked up in PATH if it has no slash
  /// The message if it cannot be started, before the system's reason.
  std::string failure;
  /// Files for the standard streams, from the folder of this process; an empty name leaves a stream
  /// as this process has it. One file can take output and errors.
  std::string input = {}, output = {}, errors = {};
  std::string folder = {};                   ///< to run in; empty: that of this process
  std::vector<std::string> environment = {}; ///< complete; empty: that of this process
  bool startsGroup = false;                  ///< of processes, with its own number
};

/// Throws Error if the program cannot be started.
pid_t start(const ChildProgram &program);

/// Starts it and waits for its end. Returns its status as waitpid gives it.
int run(const ChildProgram &program);

/// `word` as a shell reads it, quoted if necessary.
std::string shellWord(const std::string &word);

} // namespace aiwc::processes
