#include "bench.h"

#include <sstream>

namespace aiwc::test {

Bench::Bench() {
  for (const char *name : {"stock", "tmp", "out"})
    fs::create_directory(folder_ / name);
  fs::copy_file(AIWC_FAKE_OCLGRIND, folder_ / "stock/oclgrind");
  environment = {{"PATH", (folder_ / "stock").string() + ":/usr/bin:/bin"},
                 {"TMPDIR", folder_ / "tmp"},
                 {"AIWC_PLUGIN", AIWC_FAKE_PLUGIN},
                 {"FAKE_LOG", folder_ / "log"}};
}

Command Bench::launcher(const std::vector<std::string> &arguments) const {
  Command command{{AIWC_LAUNCHER}, environment, folder_ / "out"};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  return command;
}

std::string Bench::lastCall() const {
  const std::string log = contents(folder_ / "log");
  const std::size_t begin = log.rfind("call\n");
  return begin == std::string::npos ? "" : log.substr(begin);
}

std::string Bench::variable(const std::string &name) const {
  std::istringstream log(lastCall());
  const std::string start = "variable " + name + "=";
  for (std::string line; std::getline(log, line);)
    if (line.starts_with(start))
      return line.substr(start.size());
  return "(unset)";
}

std::vector<std::string> Bench::arguments() const {
  std::vector<std::string> found;
  std::istringstream log(lastCall());
  for (std::string line; std::getline(log, line);)
    if (line.starts_with("argument "))
      found.push_back(line.substr(9));
  return found;
}

} // namespace aiwc::test
