#include "processes/program.h"

#include "common/argument_pointers.h"
#include "common/error.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace aiwc::processes {

pid_t start(const ChildProgram &program) {
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!program.input.empty())
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, program.input.c_str(), O_RDONLY, 0);
  if (!program.output.empty())
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, program.output.c_str(), kWrite, 0666);
  if (!program.errors.empty() && program.errors == program.output)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  else if (!program.errors.empty())
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, program.errors.c_str(), kWrite, 0666);
  if (!program.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, program.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (program.startsGroup)
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int error = posix_spawnp(
      &child, program.words.front().c_str(), &actions, &attributes,
      argumentPointers(program.words).data(),
      program.environment.empty() ? environ : argumentPointers(program.environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw Error(withReason(program.failure, error));
  return child;
}

int run(const ChildProgram &program) {
  const pid_t child = start(program);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string shellWord(const std::string &word) {
  constexpr const char *kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,=@%:";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos)
    return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

} // namespace aiwc::processes
