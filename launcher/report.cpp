#include "launcher/report.h"

#include "common/write.h"
#include "run/summary.h"
#include "session/escape.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace aiwc::launcher {
namespace {

constexpr std::size_t kMostErrors = 5;
constexpr std::size_t kMostKernels = 5;

// The options that exclude kernels or invocations; empty if there are none.
std::string selection(const SessionOptions &options) {
  std::string text;
  if (!options.kernels.empty())
    text = "--aiwc-kernel '" + options.kernels + "'";
  if (options.invocations != InvocationSelection())
    text += (text.empty() ? "" : " with ") + std::string("--aiwc-invocations");
  return text;
}

std::string list(const std::vector<std::string> &kernels) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i)
    text += (i ? ", " : "") + kernels[i];
  if (kernels.size() > kMostKernels)
    text += " and " + std::to_string(kernels.size() - kMostKernels) + " more";
  return text;
}

std::string whyNothing(const SessionStatus &status, const SessionOptions &options) {
  if (!status.loaded)
    return "the application created no OpenCL context under Oclgrind (does it use OpenCL? a "
           "static or setuid program, or one that clears its environment, does not load Oclgrind)";
  if (status.kernels.empty())
    return "the application created an OpenCL context, but no kernel ran in it";
  const std::string wanted = selection(options);
  if (wanted.empty())
    return "no invocation of " + list(status.kernels) + " was finished";
  return wanted + " selects no finished invocation of " + list(status.kernels);
}

/// The folder as a user in the current folder would name it, quoted for a shell if necessary.
std::string asNamed(const std::filesystem::path &folder) {
  std::error_code failed;
  const auto current = std::filesystem::current_path(failed);
  const auto relative = failed ? folder : folder.lexically_relative(current);
  const std::string name =
      relative.empty() || relative.native().starts_with("..") ? folder.string() : relative.string();
  constexpr std::string_view kPlain = "/._-+,=@%:";
  const bool plain = std::ranges::all_of(name, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain)
    return name;
  std::string quoted = "'";
  for (const char c : name)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

bool namesOptionsAsAiwc = false;

/// The options of the launcher in a message, as the user types them.
std::string asTyped(std::string message) {
  constexpr std::string_view kOurs = "--aiwc-", kOfAiwc = "--";
  for (std::size_t at = 0; namesOptionsAsAiwc && (at = message.find(kOurs, at)) != message.npos;
       at += kOfAiwc.size())
    message.replace(at, kOurs.size(), kOfAiwc);
  return message;
}

} // namespace

void nameOptionsAsAiwc() {
  namesOptionsAsAiwc = true;
}

void complain(const std::string &message) {
  writeAll(STDERR_FILENO, "aiwc: " + escapeLine(asTyped(message)) + "\n");
}

void report(const SessionStatus &status, const run::Run &run, const SessionOptions &options) {
  for (std::size_t i = 0; i < std::min(status.errors.size(), kMostErrors); ++i)
    complain(status.errors[i]);
  if (status.errors.size() > kMostErrors)
    complain("and " + std::to_string(status.errors.size() - kMostErrors) + " more errors");
  if (options.quiet)
    return;
  const bool hasSaidWhy = run::isKernelHost(run.command) && run.status != 0;
  if (status.profiles == 0 && status.errors.empty() && !hasSaidWhy)
    complain("nothing was characterised: " + whyNothing(status, options));
  for (const std::string &line : summaryOf(run, asNamed(options.output)))
    complain(line);
  if (options.onlySampled && std::ranges::any_of(run.launches, [](const run::Launch &launch) {
        return launch.sampledGroups > 0;
      }))
    complain("--aiwc-only-sampled left work-groups out: the application's results are wrong");
  if (const std::string line = engineLine(run);
      options.engine != EngineChoice::kInterpreter && !line.empty())
    complain(line);
}

} // namespace aiwc::launcher
