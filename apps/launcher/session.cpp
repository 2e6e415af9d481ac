#include "launcher/session.h"

#include "common/close_words.h"
#include "common/error.h"
#include "launcher/locate.h"
#include "run/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace aiwc::launcher {

namespace {

// Throws Error for a variable of the environment whose name is nearly that of an option.
void refuseMisspelt() {
  constexpr std::string_view kOurs = "AIWC_";
  std::vector<std::string> names;
  names.reserve(kOptions.size());
  for (const Option &option : kOptions)
    names.emplace_back(option.variable.substr(kOurs.size()));
  for (char **one = environ; *one; ++one) {
    const std::string variable(*one, std::strcspn(*one, "="));
    const std::string name = variable.starts_with(kOurs) ? variable.substr(kOurs.size()) : "";
    if (const std::string meant = closestWord(name, names);
        meant != name && !meant.empty() && meant.front() == name.front())
      throw Error(fmt::format("{} is no variable of aiwc: did you mean AIWC_{}?", variable, meant));
  }
}

} // namespace

SessionOptions sessionOptions(const GivenOptions &given) {
  refuseMisspelt();
  SessionOptions options = optionsFromEnvironment();
  for (const GivenOption &one : given)
    readOption(*one.option, one.text, one.option->flag, options);
  return options;
}

SessionOptions optionsOfRun(const GivenOptions &given,
                            const std::vector<std::string> &application) {
  const bool isOutputInEnvironment = std::getenv("AIWC_OUTPUT") != nullptr;
  SessionOptions options = sessionOptions(given);
  options.plugin = findPlugin();
  if (!isOutputInEnvironment && !givenOption(given, "--aiwc-output"))
    options.output = run::newFolderFor(absolutePath("."), application.front());
  // Within a run of ours, the output folder is that run's.
  options.append = options.append || (isOutputInEnvironment && !options.statusFile.empty());
  return options;
}

void addLibrary(const char *variable, fs::path library, const PrivateFolder &scratch) {
  // Blanks and colons separate names: if the path contains one, a link without them replaces it.
  if (library.string().find_first_of(" :") != std::string::npos)
    library = scratch.link(library.filename(), library);
  const char *inherited = std::getenv(variable);
  const std::string list = inherited && *inherited ? std::string(inherited) + ":" : "";
  ::setenv(variable, (list + library.string()).c_str(), 1);
}

} // namespace aiwc::launcher
