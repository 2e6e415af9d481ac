// Stands for the stock Oclgrind: writes down how it was called and starts the application, without
// a simulator. FAKE_* variables tell it what to do differently.
//
//   FAKE_LOG          file that gets a line per argument and per variable that matters, and one
//                     with the standard descriptors that are open
//   FAKE_VERSION      what --version answers
//   FAKE_CHECK        what the loader says instead of loading the plugin into the check program
//   FAKE_CHECK_LINES  lines of the status file instead of that of a plugin that loads
//   FAKE_CHECK_HANGS  a file to create, to wait for ever then
//   FAKE_LINES        lines of the status file that the application's plugin would write

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern char **environ;

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

void append(const std::string &path, const std::string &text) {
  if (std::FILE *file = std::fopen(path.c_str(), "a")) {
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
}

int check(const std::string &statusFile) {
  if (const std::string flag = variable("FAKE_CHECK_HANGS"); !flag.empty()) {
    append(flag, "hangs\n");
    for (;;)
      pause();
  }
  if (const std::string reason = variable("FAKE_CHECK"); !reason.empty())
    std::fprintf(stderr, "%s\n", reason.c_str());
  else if (const std::string lines = variable("FAKE_CHECK_LINES"); !lines.empty())
    append(statusFile, lines);
  else
    append(statusFile, "loaded\t" AIWC_VERSION "\n");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::string log = "call\n";
  for (int i = 1; i < argc; ++i)
    log += std::string("argument ") + argv[i] + "\n";
  for (char **entry = environ; *entry; ++entry)
    if (!std::strncmp(*entry, "OCLGRIND_", 9) || !std::strncmp(*entry, "AIWC_", 5))
      log += std::string("variable ") + *entry + "\n";
  log += "open";
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) >= 0)
      log += " " + std::to_string(descriptor);
  append(variable("FAKE_LOG"), log + "\n");

  if (argc > 1 && !std::strcmp(argv[1], "--version")) {
    const std::string version = variable("FAKE_VERSION");
    std::printf("\n%s\n", version.empty() ? "Oclgrind " AIWC_OCLGRIND_VERSION : version.c_str());
    return 0;
  }
  if (argc > 1 && !std::strcmp(argv[1], "--help")) {
    std::puts("stock help");
    return 0;
  }
  int first = 1;
  while (first < argc && argv[first][0] != '/')
    ++first;
  if (first == argc)
    return 1;
  if (std::strstr(argv[first], "aiwc-plugin-check"))
    return check(variable("AIWC_STATUS_FILE"));
  append(variable("AIWC_STATUS_FILE"), variable("FAKE_LINES"));
  execv(argv[first], argv + first);
  std::fprintf(stderr, "[Oclgrind] Failed to launch target application\n");
  return 1;
}
