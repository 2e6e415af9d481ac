// aiwc-opencl-device: lowers a program in OpenCL C 2 or 3 or in SPIR-V to bitcode that Oclgrind
// runs.
#include "common/argument_pointers.h"
#include "common/as_number.h"
#include "common/descriptor.h"
#include "common/error.h"
#include "lowering.h"
#include "lowering/tool.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

extern char **environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to programs

namespace {

using aiwc::Descriptor;
using aiwc::Error;

constexpr const char *kTranslator = "llvm-spirv-" AIWC_LLVM_MAJOR;

/// SPIR-V versions that this version of the translator reads.
constexpr uint32_t kMagic = 0x07230203, kMostMinor = 4;

Descriptor memoryFileOrError() {
  Descriptor file = aiwc::memoryFile();
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
  const int failure = posix_spawnp(&process, kTranslator, &files, nullptr,
                                   aiwc::argumentPointers(words).data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0)
    throw Error(std::string("SPIR-V needs the program ") + kTranslator +
                (failure == ENOENT
                     ? ", which is not installed (Debian's package of this name)"
                     : std::string(", which cannot be started: ") + std::strerror(failure)));
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return {status, aiwc::readWhole(output.number()), aiwc::readWhole(messages.number())};
}

/// The bitcode that llvm-spirv makes of the SPIR-V on the standard input. `constants`: the values
/// of specialization constants as that program takes them, `id:type:value` with blanks between
/// them. Throws Error if the program is missing, or does not take the module.
std::string bitcodeOfSpirv(const std::string &constants) {
  checkVersion();
  Translation translation = translate(STDIN_FILENO, constants);
  if (WIFSIGNALED(translation.status))
    if (const std::string module = withoutLifetimes(aiwc::readWhole(STDIN_FILENO));
        !module.empty()) {
      const Descriptor input = memoryFileOrError();
      if (aiwc::writeWhole(input.number(), module))
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

constexpr const char *kHelp =
    "Usage: aiwc-opencl-device [OPTIONS] < MODULE > BITCODE\n"
    "\n"
    "Lowers a program to bitcode that Oclgrind runs. MODULE is bitcode of LLVM " AIWC_LLVM_MAJOR
    " that clang made of\n"
    "OpenCL C, or SPIR-V. Nothing is written if Oclgrind runs MODULE as it is.\n"
    "\n"
    "  --spirv              MODULE is SPIR-V, in a file\n"
    "  --from-spirv         MODULE is bitcode that --translate made\n"
    "  --constants TEXT     values of its specialization constants, as llvm-spirv takes them\n"
    "  --translate          translate SPIR-V, and do not lower it: it will be linked\n"
    "  --sub-group-size N   work-items of a sub-group, a power of two up to 128 (default: 32)\n"
    "  --work-items N       work-items of a work-group at most (default: 1024)\n"
    "  --help, --version\n";

struct CommandLine {
  aiwc::opencl::Target target;
  bool isSpirv = false;
  bool translateOnly = false;
  std::string constants;
};

unsigned number(const std::string &text, const char *option, unsigned most) {
  const auto value = aiwc::asNumber<unsigned>(text);
  if (!value || *value == 0 || *value > most)
    throw Error(std::string(option) + " is '" + text + "': expected a number up to " +
                std::to_string(most));
  return *value;
}

unsigned subGroupSize(const std::string &text) {
  const unsigned size = number(text, "--sub-group-size", 128);
  if (!std::has_single_bit(size))
    throw Error("--sub-group-size is '" + text + "': expected a power of two");
  return size;
}

CommandLine parse(const std::vector<std::string> &words) {
  CommandLine result;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--spirv")
      result.isSpirv = result.target.fromSpirv = true;
    else if (words[i] == "--from-spirv")
      result.target.fromSpirv = true;
    else if (words[i] == "--translate")
      result.translateOnly = true;
    else if (words[i] == "--constants" && i + 1 < words.size())
      result.constants = words[++i];
    else if (words[i] == "--sub-group-size" && i + 1 < words.size())
      result.target.subGroupSize = subGroupSize(words[++i]);
    else if (words[i] == "--work-items" && i + 1 < words.size())
      result.target.workItems = number(words[++i], "--work-items", 1U << 20);
    else
      throw Error("unexpected argument '" + words[i] + "': see --help");
  return result;
}

std::string standardInput() {
  std::string bytes;
  std::array<char, 1 << 16> part;
  ssize_t count = 0;
  while ((count = read(STDIN_FILENO, part.data(), part.size())) > 0)
    bytes.append(part.data(), static_cast<size_t>(count));
  return bytes;
}

std::unique_ptr<llvm::Module> readModule(llvm::LLVMContext &context, const std::string &bytes) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "input"), context);
  if (!module)
    throw Error("the bitcode cannot be read: " + llvm::toString(module.takeError()));
  std::string problem;
  llvm::raw_string_ostream text(problem);
  bool hasWrongDebugInfo = false;
  if (llvm::verifyModule(**module, &text, &hasWrongDebugInfo))
    throw Error("the bitcode is damaged: " + text.str().substr(0, text.str().find('\n')));
  if (hasWrongDebugInfo)
    llvm::StripDebugInfo(**module);
  return std::move(*module);
}

void writeModule(const llvm::Module &module) {
  std::string problem;
  llvm::raw_string_ostream text(problem);
  if (llvm::verifyModule(module, &text))
    llvm::report_fatal_error(llvm::StringRef(text.str()), false);
  llvm::WriteBitcodeToFile(module, llvm::outs());
  llvm::outs().flush();
}

void run(const std::vector<std::string> &words) {
  const CommandLine line = parse(words);
  aiwc::lowering::limitResources(120);
  llvm::LLVMContext context;
  const std::string bytes = line.isSpirv ? bitcodeOfSpirv(line.constants) : standardInput();
  const std::unique_ptr<llvm::Module> module = readModule(context, bytes);
  if (line.translateOnly || aiwc::opencl::lower(*module, line.target))
    writeModule(*module);
}

} // namespace

int main(int argc, char **argv) {
  return aiwc::lowering::runTool(argc, argv, {"aiwc-opencl-device", kHelp, "aiwc"}, run);
}
