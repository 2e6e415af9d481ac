#include "launcher/target_traffic.h"

#include "common/error.h"
#include "common/file.h"
#include "launcher/locate.h"
#include "launcher/report.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "session/code_cache.h"
#include "session/status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

constexpr uint64_t kMostBytes = uint64_t{64} << 20; // of a request or an answer

/// A function and a block, by number.
using Place = std::pair<unsigned, unsigned>;

/// As plugin/target_request.h has it.
struct Request {
  std::string module, workItems, kernel;
  std::map<Place, double> executions;
};

/// What aiwc-target-code prints.
struct Traffic {
  uint64_t stackBytes = 0;
  std::map<Place, double> bytes; ///< of one execution of a block
};

Request requestIn(const fs::path &file) {
  std::istringstream text(readFile(file, "a request", kMostBytes));
  Request request;
  std::getline(text, request.module);
  std::getline(text, request.workItems);
  std::getline(text, request.kernel);
  Place place;
  for (double executions = 0; text >> place.first >> place.second >> executions;)
    request.executions[place] = executions;
  return request;
}

/// What aiwc-target-code prints for families of devices, or kFailed and why it has failed.
class TargetCode {
public:
  explicit TargetCode(const Recording &recording) : recording_(recording) {
    const fs::path &given = recording.options.cache;
    const fs::path folder = given.empty() ? CodeCache::usersFolder() : given;
    const auto build = readFileIfAny(findTool("aiwc-target-code"));
    if (!build || folder.empty() || given == kNoCache)
      return;
    build_ = profile::sourceHash(*build);
    cache_.emplace(folder);
  }

  std::string of(const Request &request, std::string_view family) {
    // The module's file name is a hash of its content.
    const std::string key =
        CodeCache::keyOf({build_, family, request.module, request.kernel, request.workItems});
    if (cache_)
      if (auto known = cache_->find(key))
        return *std::move(known);
    int ended = 0;
    std::string output = run(request, family, ended);
    // 1 says that the kernel cannot be compiled. What fails otherwise may succeed the next time.
    if (cache_ && (WIFEXITED(ended) ? WEXITSTATUS(ended) <= 1 : WTERMSIG(ended) == SIGXCPU))
      cache_->store(key, output);
    return output;
  }

  static constexpr char kFailed = '!';

private:
  std::string run(const Request &request, std::string_view family, int &ended) const {
    const fs::path &folder = recording_.scratch.path();
    const fs::path output = folder / "target_code", errors = folder / "target_errors";
    const std::vector<std::string> command = {
        findTool("aiwc-target-code").string(), std::string(family), request.kernel,
        request.workItems, (folder / request.module).string()};
    ended = recording_.children.run(command, Children::Role::kOwn, [&] {
      ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
      for (const auto &[file, standard] :
           {std::pair(&output, STDOUT_FILENO), std::pair(&errors, STDERR_FILENO)})
        ::dup2(::open(file->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), standard);
    });
    if (ended == 0)
      return readFile(output, "blocks", kMostBytes);
    if (WIFSIGNALED(ended))
      return kFailed + (WTERMSIG(ended) == SIGXCPU
                            ? "it takes more than ten seconds"
                            : "the compiler died of signal " + std::to_string(WTERMSIG(ended)));
    const std::string said = readFile(errors, "an error", kMostBytes);
    return kFailed + said.substr(0, said.find('\n'));
  }

  const Recording &recording_;
  std::string build_; ///< that prints
  std::optional<CodeCache> cache_;
};

Traffic trafficIn(const std::string &output) {
  if (output.starts_with(TargetCode::kFailed))
    throw Error(output.substr(1));
  std::istringstream text(output);
  Traffic traffic;
  text >> traffic.stackBytes;
  Place place;
  for (double bytes = 0; text >> place.first >> place.second >> bytes;)
    traffic.bytes[place] = bytes;
  return traffic;
}

profile::PrivateTraffic sumOf(const Traffic &traffic, const std::map<Place, double> &executions) {
  double scratch = 0;
  for (const auto &[place, bytes] : traffic.bytes)
    if (const auto found = executions.find(place); found != executions.end())
      scratch += found->second * bytes;
  return {traffic.stackBytes, static_cast<uint64_t>(std::llround(scratch))};
}

/// The names of the files, in the same order in each run; none if the folder is gone.
std::vector<std::string> requestsIn(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folder, ignored))
    if (std::string name = entry.path().filename(); name.starts_with(kTargetRequestPrefix))
      names.push_back(std::move(name));
  std::ranges::sort(names);
  return names;
}

class Failures {
public:
  /// A failure leaves `what` without targets, and the rest of the run as it is.
  void attempt(const std::string &what, const std::function<void()> &action) {
    try {
      action();
    } catch (const std::exception &error) { // an Error, or no memory
      if (count_++ == 0)
        first_ = what + ": " + error.what();
    }
  }
  void say(bool quiet) const {
    if (count_ > 0 && !quiet)
      complain(fmt::format("targets are missing: {}{}", first_,
                           count_ > 1 ? fmt::format(" (and {} more)", count_ - 1) : ""));
  }

private:
  size_t count_ = 0;
  std::string first_;
};

} // namespace

void addTargetTraffic(const Recording &recording) {
  TargetCode code(recording);
  // By module, kernel, work-items and family. None: it cannot be compiled.
  std::map<std::tuple<std::string, std::string, std::string, std::string_view>,
           std::optional<Traffic>>
      known;
  Failures failures;
  for (const std::string &name : requestsIn(recording.scratch.path())) {
    const fs::path file = recording.options.output / name.substr(kTargetRequestPrefix.size());
    failures.attempt(file.filename(), [&] {
      const Request request = requestIn(recording.scratch.path() / name);
      profile::KernelProfile profile = profile::readProfile(file);
      for (size_t i = 0; i < profile.targets.size(); ++i) {
        const std::string_view family = profile::kTargetFamilies[i];
        const auto place =
            known.try_emplace({request.module, request.kernel, request.workItems, family});
        std::optional<Traffic> &traffic = place.first->second;
        if (place.second)
          failures.attempt(fmt::format("{} on {}", request.kernel, family),
                           [&] { traffic = trafficIn(code.of(request, family)); });
        if (traffic)
          profile.targets[i] = sumOf(*traffic, request.executions);
      }
      replaceFile(file, profile::toJson(profile));
    });
  }
  failures.say(recording.options.quiet);
}

} // namespace aiwc::launcher
