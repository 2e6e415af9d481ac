#include "launcher/session.h"

#include "launcher/locate.h"
#include "run/folder.h"

#include <cstdlib>

namespace aiwc::launcher {

SessionOptions sessionOptions(const GivenOptions &given) {
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
