#include "spirv.h"

#include "common/argument_pointers.h"
#include "common/error.h"
#include "common/memory_file.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to programs

namespace aiwc::opencl {
namespace {

constexpr const char *kTranslator = "llvm-spirv-" AIWC_LLVM_MAJOR;

/// SPIR-V versions that this version of the translator reads.
constexpr uint32_t kMagic = 0x07230203, kMostMinor = 4;

Descriptor memoryFileOrError() {
  Descriptor file = memoryFile();
  if (!file)
    throw Error("SPIR-V cannot be translated: there is no memory for a file");
  return file;
}

void checkVersion() {
  std::array<uint32_t, 2> head{};
  if (pread(STDIN_FILENO, head.data(), sizeof head, 0) != sizeof head)
    throw Error("the SPIR-V module is shorter than its header");
  uint32_t version = head[1];
  if (head[0] == __builtin_bswap32(kMagic))
    version = __builtin_bswap32(version);
  else if (head[0] != kMagic)
    throw Error("the module is not SPIR-V: it does not begin with SPIR-V's number");
  const uint32_t major = version >> 16 & 0xff, minor = version >> 8 & 0xff;
  if (major != 1 || minor > kMostMinor)
    throw Error("the module is of SPIR-V " + std::to_string(major) + "." + std::to_string(minor) +
                ": " + kTranslator + " reads versions up to 1." + std::to_string(kMostMinor));
}

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The module without the instructions that say where variables begin and end to live, which mean
/// nothing to the simulator. Debian's translator ends on those that AdaptiveCpp's writes. Empty if
/// there are none, or the module is not in this machine's order of bytes.
std::string withoutLifetimes(const std::string &module) {
  constexpr size_t kHeaderWords = 5;
  constexpr uint32_t kLifetimeStart = 256, kLifetimeStop = 257;
  std::vector<uint32_t> words(module.size() / sizeof(uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(uint32_t));
  if (words.size() < kHeaderWords || words[0] != kMagic)
    return "";
  std::vector<uint32_t> kept(words.begin(), words.begin() + kHeaderWords);
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    const uint32_t operation = words[at] & 0xffff;
    if (length == 0 || length > words.size() - at)
      return "";
    const auto begin = words.begin() + static_cast<ptrdiff_t>(at);
    if (operation != kLifetimeStart && operation != kLifetimeStop)
      kept.insert(kept.end(), begin, begin + static_cast<ptrdiff_t>(length));
    at += length;
  }
  if (kept.size() == words.size())
    return "";
  return {reinterpret_cast<const char *>(kept.data()), kept.size() * sizeof(uint32_t)};
}

struct Translation {
  int status = 0; ///< as waitpid gives it
  std::string bitcode, messages;
};

/// Runs the translator on the module in the file `input`.
Translation translate(int input, const std::string &constants) {
  const Descriptor output = memoryFileOrError(), messages = memoryFileOrError();
  std::vector<std::string> words = {kTranslator,
                                    "-r",
                                    "/dev/stdin",
                                    "-o",
                                    "-",
                                    "--spirv-target-env=CL2.0",
                                    "--spirv-gen-kernel-arg-name-md"};
  if (!constants.empty())
    words.push_back("--spec-const=" + constants);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, messages.number(), STDERR_FILENO);
  pid_t process = 0;
  const int failure =
      posix_spawnp(&process, kTranslator, &files, nullptr, argumentPointers(words).data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0)
    throw Error(std::string("SPIR-V needs the program ") + kTranslator +
                (failure == ENOENT
                     ? ", which is not installed (Debian's package of this name)"
                     : std::string(", which cannot be started: ") + std::strerror(failure)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {status, readWhole(output.number()), readWhole(messages.number())};
}

} // namespace

std::string bitcodeOfSpirv(const std::string &constants) {
  checkVersion();
  Translation translation = translate(STDIN_FILENO, constants);
  if (WIFSIGNALED(translation.status))
    if (const std::string module = withoutLifetimes(readWhole(STDIN_FILENO)); !module.empty()) {
      const Descriptor input = memoryFileOrError();
      if (writeWhole(input.number(), module))
        translation = translate(input.number(), constants);
    }
  const int status = translation.status;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return translation.bitcode;
  const std::string reason = firstLine(translation.messages);
  throw Error(std::string(kTranslator) + " does not take the SPIR-V module: " +
              (WIFSIGNALED(status) ? "it fails on it"
               : reason.empty()    ? "it gives no reason"
                                   : reason));
}

} // namespace aiwc::opencl
