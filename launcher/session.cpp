#include "launcher/session.h"

#include "common/error.h"

#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <tuple>

namespace aiwc {
namespace {

constexpr const char *kOutput = "AIWC_OUTPUT";
constexpr const char *kKernels = "AIWC_KERNELS";
constexpr const char *kInvocations = "AIWC_INVOCATIONS";
constexpr const char *kLineSize = "AIWC_LINE_SIZE";
constexpr const char *kSampleGroups = "AIWC_SAMPLE_GROUPS";
constexpr const char *kEngine = "AIWC_ENGINE";
constexpr const char *kThreads = "AIWC_THREADS";
constexpr const char *kVerbose = "AIWC_VERBOSE";
constexpr const char *kQuiet = "AIWC_QUIET";
constexpr const char *kEmbed = "AIWC_EMBED";
constexpr const char *kStatusFile = "AIWC_STATUS_FILE";
constexpr const char *kPlugin = "AIWC_PLUGIN";

// std::regex compiles by recursion: an expression as long as the command line allows would
// overflow the stack instead of throwing.
constexpr std::size_t kLongestExpression = 1000;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

Error wrong(std::string_view what, std::string_view text, std::string_view expected) {
  return Error(std::string(what) + " is '" + escapeLine(text) + "': expected " +
               std::string(expected));
}

bool flag(const char *name) {
  const std::string value = variable(name);
  if (value != "" && value != "0" && value != "1")
    throw wrong(name, value, "0 or 1");
  return value == "1";
}

/// As the user writes it.
constexpr std::pair<std::string_view, EngineChoice> kEngines[] = {
    {"interpreter", EngineChoice::kInterpreter},
    {"compiled", EngineChoice::kCompiled},
    {"auto", EngineChoice::kAuto}};

std::string engineText(EngineChoice choice) {
  for (const auto &[text, engine] : kEngines)
    if (engine == choice && choice != SessionOptions().engine)
      return std::string(text);
  return "";
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::string invocationsText(const SessionOptions &options) {
  if (options.firstInvocation == 0 && options.lastInvocation == UINT64_MAX)
    return "";
  std::string text = std::to_string(options.firstInvocation) + "-";
  if (options.lastInvocation != UINT64_MAX)
    text += std::to_string(options.lastInvocation);
  return text;
}

void setVariable(const char *name, const std::string &value) {
  const int failed = value.empty() ? ::unsetenv(name) : ::setenv(name, value.c_str(), 1);
  if (failed)
    throw Error(withReason(std::string("cannot set ") + name, errno));
}

} // namespace

std::filesystem::path absolutePath(const std::filesystem::path &path) {
  std::error_code error;
  const std::filesystem::path result = std::filesystem::absolute(path, error).lexically_normal();
  if (error)
    throw Error("cannot tell the current folder: " + error.message() +
                ": expected an absolute path instead of '" + escapeLine(path.string()) + "'");
  return result.has_filename() || !result.has_relative_path() ? result : result.parent_path();
}

SessionOptions optionsFromEnvironment() {
  SessionOptions options;
  if (const std::string output = variable(kOutput); !output.empty())
    options.output = output;
  // As seen from where the user is now: the application may change its folder later.
  options.output = absolutePath(options.output);
  options.kernels = variable(kKernels);
  if (!options.kernels.empty())
    parseKernels(options.kernels, kKernels);
  if (const std::string range = variable(kInvocations); !range.empty())
    std::tie(options.firstInvocation, options.lastInvocation) =
        parseInvocations(range, kInvocations);
  if (const std::string size = variable(kLineSize); !size.empty())
    options.lineSize = parseLineSize(size, kLineSize);
  if (const std::string groups = variable(kSampleGroups); !groups.empty())
    options.sampleGroups = parseSampleGroups(groups, kSampleGroups);
  if (const std::string engine = variable(kEngine); !engine.empty())
    options.engine = parseEngine(engine, kEngine);
  if (const std::string threads = variable(kThreads); !threads.empty())
    options.threads = parseThreads(threads, kThreads);
  options.verbose = flag(kVerbose);
  options.quiet = flag(kQuiet);
  options.embed = flag(kEmbed);
  options.statusFile = variable(kStatusFile);
  options.plugin = variable(kPlugin);
  return options;
}

void setEnvironment(const SessionOptions &options) {
  setVariable(kOutput, absolutePath(options.output).string());
  setVariable(kKernels, options.kernels);
  setVariable(kInvocations, invocationsText(options));
  setVariable(kLineSize, options.lineSize == 64 ? "" : std::to_string(options.lineSize));
  setVariable(kSampleGroups, options.sampleGroups == 0 ? "" : std::to_string(options.sampleGroups));
  setVariable(kEngine, engineText(options.engine));
  setVariable(kThreads, options.threads == 0 ? "" : std::to_string(options.threads));
  setVariable(kVerbose, options.verbose ? "1" : "");
  setVariable(kQuiet, options.quiet ? "1" : "");
  setVariable(kEmbed, options.embed ? "1" : "");
  setVariable(kStatusFile, options.statusFile.string());
  setVariable(kPlugin, options.plugin.string());
}

std::pair<std::uint64_t, std::uint64_t> parseInvocations(std::string_view text,
                                                         std::string_view what) {
  constexpr std::string_view kExpected =
      "A, A-, -B or A-B with whole numbers 0 <= A <= B, counted from 0";
  const std::size_t dash = text.find('-');
  const std::string_view left = text.substr(0, dash);
  const std::string_view right = dash == std::string_view::npos ? left : text.substr(dash + 1);
  if (left.empty() && right.empty())
    throw wrong(what, text, kExpected);
  const auto first = left.empty() ? 0 : number(left);
  const auto last = right.empty() ? UINT64_MAX : number(right);
  if (!first || !last || *first > *last)
    throw wrong(what, text, kExpected);
  return {*first, *last};
}

std::uint32_t parseLineSize(std::string_view text, std::string_view what) {
  const auto size = number(text);
  if (!size || !std::has_single_bit(*size) || *size < 32 || *size > 256)
    throw wrong(what, text, "32, 64, 128 or 256 (bytes)");
  return static_cast<std::uint32_t>(*size);
}

std::uint64_t parseSampleGroups(std::string_view text, std::string_view what) {
  const auto groups = number(text);
  if (!groups || *groups == 0)
    throw wrong(what, text, "a whole number above 0");
  return *groups;
}

EngineChoice parseEngine(std::string_view text, std::string_view what) {
  for (const auto &[name, engine] : kEngines)
    if (text == name)
      return engine;
  throw wrong(what, text, "compiled, interpreter or auto");
}

std::uint32_t parseThreads(std::string_view text, std::string_view what) {
  const auto threads = number(text);
  if (!threads || *threads < 1 || *threads > 256)
    throw wrong(what, text, "a whole number from 1 to 256");
  return static_cast<std::uint32_t>(*threads);
}

std::regex parseKernels(const std::string &text, std::string_view what) {
  if (text.size() > kLongestExpression)
    throw wrong(what, text.substr(0, 40) + "...",
                "at most " + std::to_string(kLongestExpression) + " characters");
  try {
    return std::regex(text, std::regex::ECMAScript);
  } catch (const std::regex_error &error) {
    throw wrong(what, text, std::string("an ECMAScript regular expression (") + error.what() + ")");
  }
}

InvocationFilter::InvocationFilter(const SessionOptions &options)
    : everyKernel_(options.kernels.empty()), first_(options.firstInvocation),
      last_(options.lastInvocation) {
  if (!everyKernel_)
    kernels_ = parseKernels(options.kernels, kKernels);
}

bool InvocationFilter::selects(std::string_view kernel, std::uint64_t invocation) const {
  if (invocation < first_ || invocation > last_)
    return false;
  return everyKernel_ || std::regex_search(kernel.begin(), kernel.end(), kernels_);
}

} // namespace aiwc
