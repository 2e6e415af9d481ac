#include "launcher/target_traffic.h"

#include "common/error.h"
#include "common/file.h"
#include "launcher/locate.h"
#include "profile/json.h"
#include "session/target_request.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

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
  std::istringstream text(readFile(file, "a request", uint64_t{64} << 20));
  Request request;
  std::getline(text, request.module);
  std::getline(text, request.workItems);
  std::getline(text, request.kernel);
  Place place;
  for (double executions = 0; text >> place.first >> place.second >> executions;)
    request.executions[place] = executions;
  return request;
}

/// Runs aiwc-target-code. None if it fails.
std::optional<Traffic> trafficOf(const Request &request, std::string_view family,
                                 const Recording &recording) {
  const fs::path output = recording.scratch.path() / "target_code";
  const std::vector<std::string> command = {findTargetCode().string(), std::string(family),
                                            request.kernel, request.workItems,
                                            (recording.scratch.path() / request.module).string()};
  const int ended = recording.children.run(command, Children::Role::kOwn, [&] {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  });
  if (ended != 0)
    return std::nullopt;
  std::istringstream text(readFile(output, "blocks", uint64_t{64} << 20));
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

} // namespace

void addTargetTraffic(const Recording &recording) {
  std::map<std::tuple<std::string, std::string, std::string, size_t>, std::optional<Traffic>> known;
  for (const auto &entry : fs::directory_iterator(recording.scratch.path())) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kTargetRequestPrefix))
      continue;
    try {
      const Request request = requestIn(entry.path());
      const fs::path file = recording.options.output / name.substr(kTargetRequestPrefix.size());
      profile::KernelProfile profile = profile::readProfile(file);
      for (size_t family = 0; family < profile.targets.size(); ++family) {
        const auto [place, isNew] =
            known.try_emplace({request.module, request.kernel, request.workItems, family});
        if (isNew)
          place->second = trafficOf(request, profile::kTargetFamilies[family], recording);
        if (place->second)
          profile.targets[family] = sumOf(*place->second, request.executions);
      }
      replaceFile(file, profile::toJson(profile));
    } catch (const Error &) { // the profile stays as it is
    }
  }
}

} // namespace aiwc::launcher
