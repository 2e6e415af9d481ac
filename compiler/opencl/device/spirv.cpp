#include "spirv.h"

#include "common/error.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
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

std::string textOf(int descriptor) {
  std::string result;
  std::array<char, 1 << 16> part;
  ssize_t bytes = 0;
  while ((bytes = pread(descriptor, part.data(), part.size(), static_cast<off_t>(result.size()))) >
         0)
    result.append(part.data(), static_cast<size_t>(bytes));
  return result;
}

class MemoryFile {
public:
  explicit MemoryFile(const char *name) : descriptor_(memfd_create(name, 0)) {
    if (descriptor_ < 0)
      throw Error("SPIR-V cannot be translated: there is no memory for a file");
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int descriptor() const { return descriptor_; }
  std::string text() const { return textOf(descriptor_); }

private:
  int descriptor_;
};

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
  const MemoryFile output("bitcode"), messages("messages");
  std::vector<std::string> words = {kTranslator,
                                    "-r",
                                    "/dev/stdin",
                                    "-o",
                                    "-",
                                    "--spirv-target-env=CL2.0",
                                    "--spirv-gen-kernel-arg-name-md"};
  if (!constants.empty())
    words.push_back("--spec-const=" + constants);
  std::vector<char *> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, messages.descriptor(), STDERR_FILENO);
  pid_t process = 0;
  const int failure =
      posix_spawnp(&process, kTranslator, &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0)
    throw Error(std::string("SPIR-V needs the program ") + kTranslator +
                (failure == ENOENT
                     ? ", which is not installed (Debian's package of this name)"
                     : std::string(", which cannot be started: ") + std::strerror(failure)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {status, output.text(), messages.text()};
}

} // namespace

std::string bitcodeOfSpirv(const std::string &constants) {
  checkVersion();
  Translation translation = translate(STDIN_FILENO, constants);
  if (WIFSIGNALED(translation.status))
    if (const std::string module = withoutLifetimes(textOf(STDIN_FILENO)); !module.empty()) {
      const MemoryFile input("module");
      if (pwrite(input.descriptor(), module.data(), module.size(), 0) ==
          static_cast<ssize_t>(module.size()))
        translation = translate(input.descriptor(), constants);
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
