#include "session/options.h"

#include "common/error.h"
#include "session/escape.h"
#include "session/option_table.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace aiwc {
namespace {

// Variables that only the launcher sets, for the plugin.
constexpr std::string_view kStatusFile = "AIWC_STATUS_FILE";
constexpr std::string_view kPlugin = "AIWC_PLUGIN";

std::string variable(std::string_view name) {
  const char *value = std::getenv(std::string(name).c_str());
  return value ? value : "";
}

void setVariable(std::string_view name, const std::string &value) {
  const std::string terminated(name);
  const int failed = value.empty() ? ::unsetenv(terminated.c_str())
                                   : ::setenv(terminated.c_str(), value.c_str(), 1);
  if (failed)
    throw Error(withReason("cannot set " + terminated, errno));
}

bool namesAsAiwc = false;

} // namespace

void nameOptionsAsAiwc() {
  namesAsAiwc = true;
}

std::string asTyped(std::string message) {
  constexpr std::string_view kOurs = "--aiwc-", kOfAiwc = "--";
  for (std::size_t at = 0; namesAsAiwc && (at = message.find(kOurs, at)) != message.npos;
       at += kOfAiwc.size())
    message.replace(at, kOurs.size(), kOfAiwc);
  return message;
}

std::string Option::runFlag() const {
  return "--" + std::string(flag.substr(kCharacteriseFlag.size() + 1));
}

const Option *findOption(std::string_view flag) {
  const auto *found = std::ranges::find(kOptions, flag, &Option::flag);
  return found == kOptions.end() ? nullptr : found;
}

void readOption(const Option &option, std::string_view text, std::string_view name,
                SessionOptions &options) {
  option.value.read({text, name, option.expected}, options);
}

std::filesystem::path absolutePath(const std::filesystem::path &path) {
  std::error_code error;
  const std::filesystem::path result = std::filesystem::absolute(path, error).lexically_normal();
  if (error)
    throw Error("cannot find the current folder: " + error.message() +
                ": expected an absolute path instead of '" + escapeLine(path.string()) + "'");
  return result.has_filename() || !result.has_relative_path() ? result : result.parent_path();
}

SessionOptions optionsFromEnvironment() {
  SessionOptions options;
  for (const Option &option : kOptions)
    if (const std::string text = variable(option.variable); !text.empty())
      readOption(option, text, option.variable, options);
  // Made absolute now, because the application may change its current folder later.
  options.output = absolutePath(options.output);
  options.statusFile = variable(kStatusFile);
  options.plugin = variable(kPlugin);
  return options;
}

void setEnvironment(const SessionOptions &options) {
  SessionOptions handedOn = options;
  handedOn.output = absolutePath(options.output);
  for (const Option &option : kOptions)
    setVariable(option.variable, option.value.write(handedOn));
  setVariable(kStatusFile, handedOn.statusFile.string());
  setVariable(kPlugin, handedOn.plugin.string());
  setVariable(kNamesAsAiwc, namesAsAiwc ? "1" : "");
}

InvocationFilter::InvocationFilter(const SessionOptions &options)
    : kernels_(options.kernels), invocations_(options.invocations) {}

bool InvocationFilter::selects(std::string_view kernel, std::uint64_t invocation) const {
  if (invocation < invocations_.first || invocation > invocations_.last ||
      (invocation - invocations_.first) % invocations_.step != 0)
    return false;
  return kernels_.selects(kernel);
}

} // namespace aiwc
