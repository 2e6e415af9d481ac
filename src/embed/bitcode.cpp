#include "embed/bitcode.h"

#include "common/descriptor.h"
#include "common/error.h"
#include "common/write.h"
#include "embed/bitcode_module.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::embed {

namespace {

namespace fs = std::filesystem;

constexpr const char *kModuleFile = "aiwc_bitcode.so";

/// The folder of the library or program that contains this code; empty if it is not known.
fs::path ownFolder() {
  static const char inside = 0;
  Dl_info info{};
  link_map *map = nullptr;
  std::error_code error;
  // The program itself has an empty name in the list of loaded objects.
  const bool library =
      dladdr1(&inside, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) != 0 && map &&
      map->l_name && *map->l_name;
  const fs::path file =
      library ? fs::canonical(map->l_name, error) : fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : file.parent_path();
}

/// The module's file. It may not exist.
fs::path findModule() {
  if (const char *chosen = secure_getenv("AIWC_BITCODE"); chosen && *chosen)
    return chosen;
  std::error_code error;
  if (const fs::path own = ownFolder(); !own.empty())
    // From bin and lib as installed, from bin and lib of the build tree, and from beside the
    // plugin.
    for (const char *folder :
         {AIWC_BITCODE_BESIDE_PROGRAM, "aiwc", "../lib/aiwc", "../aiwc", "."}) {
      fs::path file = (own / folder / kModuleFile).lexically_normal();
      if (fs::exists(file, error))
        return file;
    }
  return fs::path(AIWC_BITCODE_INSTALLED) / kModuleFile; // for a program that was copied elsewhere
}

/// The functions of the module, or why there are none.
struct BitcodeModule {
  aiwc_bitcode_query identify = nullptr;
  aiwc_bitcode_writer write = nullptr;
  std::string reason;
};

BitcodeModule openModule() {
  BitcodeModule module;
  const fs::path file = findModule();
  // The module is never unloaded, because LLVM does not survive being unloaded.
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const auto symbol = [&](const char *name) { return handle ? dlsym(handle, name) : nullptr; };
  module.identify = reinterpret_cast<aiwc_bitcode_query>(symbol(kBitcodeIdentify));
  module.write = reinterpret_cast<aiwc_bitcode_writer>(symbol(kBitcodeWrite));
  if (!module.identify || !module.write) {
    const char *why = dlerror();
    module.reason = fmt::format("{}: cannot be opened: {}: expected the module that writes LLVM "
                                "bitcode, or its path in AIWC_BITCODE",
                                file.string(), why ? why : "it lacks the expected functions");
  }
  return module;
}

const BitcodeModule &bitcodeModule() {
  static const BitcodeModule module = openModule();
  return module;
}

/// The results of one call of the module.
struct Answer {
  std::vector<std::string> functions;
  std::string hash;
  std::string module;
  std::string error;
  std::exception_ptr thrown;
};

void take(void *context, aiwc_bitcode_kind kind, const char *bytes, size_t length) {
  Answer &answer = *static_cast<Answer *>(context);
  try {
    std::string text(bytes, length);
    switch (kind) {
    case AIWC_BITCODE_FUNCTION:
      answer.functions.push_back(std::move(text));
      break;
    case AIWC_BITCODE_HASH:
      answer.hash = std::move(text);
      break;
    case AIWC_BITCODE_MODULE:
      answer.module = std::move(text);
      break;
    case AIWC_BITCODE_ERROR:
      answer.error = std::move(text);
      break;
    }
  } catch (...) { // not through the module
    answer.thrown = std::current_exception();
  }
}

/// What precedes the bytes of each result that the child process writes.
struct ResultHead {
  uint32_t kind = 0;
  uint64_t length = 0;
};
constexpr uint32_t kLastResult = UINT32_MAX;

/// As take; `context` is a descriptor. A result that cannot be written ends the child.
void pass(void *context, aiwc_bitcode_kind kind, const char *bytes, size_t length) {
  const int file = *static_cast<int *>(context);
  std::array<char, sizeof(ResultHead)> head{};
  const ResultHead fields{kind, length};
  std::memcpy(head.data(), &fields, sizeof fields);
  if (writeAll(file, {head.data(), head.size()}) != 0 || writeAll(file, {bytes, length}) != 0)
    _exit(EXIT_FAILURE);
}

/// Gives the results to `answer`. Returns whether they are all there.
bool takeAll(std::string_view results, Answer &answer) {
  for (ResultHead head; results.size() >= sizeof head;) {
    std::memcpy(&head, results.data(), sizeof head);
    results.remove_prefix(sizeof head);
    if (head.kind == kLastResult)
      return true;
    if (head.length > results.size())
      return false;
    take(&answer, static_cast<aiwc_bitcode_kind>(head.kind), results.data(), head.length);
    results.remove_prefix(head.length);
  }
  return false;
}

/// What the child process may take, of processor time and of time. Usual bitcode takes less than a
/// second.
constexpr unsigned kMostSeconds = 120;

/// How the child ended that was to read bitcode; `printed` is what it said.
std::string howItFailed(int status, std::string_view printed) {
  const bool late =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU);
  std::string how = late ? fmt::format("LLVM takes more than {} s for it", kMostSeconds)
                    : WIFSIGNALED(status)
                        ? fmt::format("LLVM crashes on it ({})", strsignal(WTERMSIG(status)))
                        : fmt::format("LLVM ends with status {} on it", WEXITSTATUS(status));
  constexpr std::string_view kPrefix = "LLVM ERROR: ";
  if (printed.starts_with(kPrefix))
    how +=
        ": " + text::printable(printed.substr(0, printed.find('\n')).substr(kPrefix.size()), 200);
  return how + ": expected bitcode that LLVM accepts";
}

/// Runs `call` in a child process, since LLVM may crash on bitcode that nobody has checked. The
/// child is a copy of this thread only: `call` needs no lock that another thread may hold.
template <typename Call> void askApart(const Call &call, Answer &answer) {
  const Descriptor results = memoryFile(), messages = memoryFile();
  if (!results || !messages)
    throw Error(withReason("a file in memory cannot be made", errno));
  const pid_t child = fork();
  if (child < 0)
    throw Error(withReason("no process can be started to read it", errno));
  if (child == 0) {
    const rlimit noCore{0, 0}, limit{kMostSeconds, kMostSeconds + 1};
    setrlimit(RLIMIT_CORE, &noCore);
    setrlimit(RLIMIT_CPU, &limit);
    dup2(messages.number(), STDERR_FILENO);
    for (const int end : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGALRM})
      signal(end, SIG_DFL);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarms, nullptr);
    alarm(kMostSeconds); // also ends a child that waits for a lock
    int file = results.number();
    call(pass, &file);
    pass(&file, static_cast<aiwc_bitcode_kind>(kLastResult), "", 0);
    _exit(EXIT_SUCCESS);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (!takeAll(readWhole(results.number()), answer))
    throw Error(howItFailed(status, readWhole(messages.number())));
}

/// Calls a function of the module. Throws Error if the module is missing, if the function reports
/// an error, or if LLVM crashes.
template <typename Call> Answer ask(Call call) {
  const BitcodeModule &module = bitcodeModule();
  if (!module.reason.empty())
    throw Error(module.reason);
  Answer answer;
  askApart([&](aiwc_bitcode_take to, void *context) { call(module, to, context); }, answer);
  if (answer.thrown)
    std::rethrow_exception(answer.thrown);
  if (!answer.error.empty())
    throw Error(answer.error);
  return answer;
}

std::string writeStrings(std::string_view module, const std::vector<std::string> &texts) {
  std::vector<aiwc_bitcode_string> strings;
  strings.reserve(texts.size());
  for (const std::string &text : texts)
    strings.push_back({text.data(), text.size()});
  return ask([&](const BitcodeModule &functions, aiwc_bitcode_take to, void *context) {
           functions.write(module.data(), module.size(), strings.data(), strings.size(), to,
                           context);
         })
      .module;
}

/// The length of the compact form at the start of `bytes`: up to its checksum, since the next
/// string follows directly. 0 if there is none.
size_t compactLength(std::string_view bytes) {
  constexpr std::string_view kCheck = "check=";
  constexpr size_t kDigits = 16;
  const std::string_view most = bytes.substr(0, kMaximumBytes);
  // Matches only whole words, because a build option may contain the same text.
  for (size_t at = most.find(kCheck); at != std::string_view::npos; at = most.find(kCheck, at + 1))
    if (at > 0 && (most[at - 1] == ' ' || most[at - 1] == '\n'))
      return bytes.size() - at >= kCheck.size() + kDigits ? at + kCheck.size() + kDigits : 0;
  return 0;
}

bool isBitcode(const fs::path & /*file*/, std::string_view bytes) {
  return bytes.starts_with("BC\xc0\xde") || bytes.starts_with("\xde\xc0\x17\x0b");
}

} // namespace

Annotations readBitcode(std::string_view module) {
  Annotations result;
  result.sourceHash = profile::sourceHash(module);
  for (size_t at = module.find(kMarkerName); at != std::string_view::npos;) {
    const size_t next = module.find(kMarkerName, at + kMarkerName.size());
    const std::string place = fmt::format("byte {}", at);
    std::string_view text = module.substr(0, next).substr(at + kMarkerName.size());
    at = next;
    if (text.starts_with("= !{")) // the list of the nodes, in LLVM's text
      continue;
    text = text.substr(0, 2 * kMaximumBytes); // or a marker in each byte would take forever
    const Marker marker = takeMarker(text);
    if (const std::string mismatch = versionMismatch(marker); !mismatch.empty())
      result.reject(place, mismatch);
    else if (const size_t length = compactLength(text))
      result.addMarked(marker, std::string(text.substr(0, length)), place);
    else
      result.reject(place, "an annotation is not complete: expected its checksum");
  }
  result.dropEqual();
  return result;
}

std::string stripBitcode(std::string_view module) {
  if (module.find(kMarkerName) == std::string_view::npos)
    return std::string(module);
  return writeStrings(module, {});
}

std::string embedIntoBitcode(std::string_view module, std::span<const Annotation> annotations) {
  std::vector<std::string> texts;
  for (const Annotation &annotation : annotations)
    texts.push_back(markedLine(annotation.text));
  return writeStrings(module, texts);
}

Identity identityOfBitcode(std::string_view module) {
  Answer answer = ask([&](const BitcodeModule &functions, aiwc_bitcode_take to, void *context) {
    functions.identify(module.data(), module.size(), to, context);
  });
  std::ranges::sort(answer.functions);
  return {std::move(answer.hash), std::move(answer.functions)};
}

const Container kBitcode = {
    .name = "LLVM bitcode",
    .sourceKind = "bitcode",
    .recognises = isBitcode,
    .read = readBitcode,
    .strip = stripBitcode,
    .embed = embedIntoBitcode,
    .identity = identityOfBitcode,
};

} // namespace aiwc::embed
