#include "launcher/arguments.h"

#include "common/error.h"
#include "launcher/session.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::launcher {
namespace {

// The options of Oclgrind 21.10, but for --plugins, that take the next word as their argument.
constexpr std::array<std::string_view, 10> kStockWithArgument = {
    "--build-options",  "--compute-units", "--constant-mem-size", "--global-mem-size",
    "--local-mem-size", "--log",           "--max-errors",        "--max-wgsize",
    "--num-threads",    "--pch-dir"};

bool takesArgument(std::string_view option) {
  return std::find(kStockWithArgument.begin(), kStockWithArgument.end(), option) !=
         kStockWithArgument.end();
}

class Parser {
public:
  explicit Parser(const std::vector<std::string> &words) : words_(words) {}

  Arguments parse() {
    while (next_ < words_.size()) {
      const std::string &word = words_[next_];
      if (word.empty() || word[0] != '-') {
        result_.application.assign(words_.begin() + static_cast<std::ptrdiff_t>(next_),
                                   words_.end());
        break;
      }
      ++next_;
      if (word.starts_with("--aiwc"))
        parseOurs(word);
      else if (parseStock(word))
        break;
    }
    return std::move(result_);
  }

private:
  void parseOurs(const std::string &word) {
    const std::size_t equals = word.find('=');
    const std::string option = word.substr(0, equals);
    result_.characterise = true;
    if (option == "--aiwc" || option == "--aiwc-quiet" || option == "--aiwc-verbose" ||
        option == "--aiwc-embed") {
      if (equals != std::string::npos)
        throw Error(option + " takes no argument: expected '" + option + "', not '" +
                    escapeLine(word) + "'");
      result_.quiet |= option == "--aiwc-quiet";
      result_.verbose |= option == "--aiwc-verbose";
      result_.embed |= option == "--aiwc-embed";
    } else if (option == "--aiwc-output") {
      result_.output = argument(word, "a folder");
    } else if (option == "--aiwc-kernels") {
      result_.kernels = argument(word, "a regular expression");
      parseKernels(*result_.kernels, option);
    } else if (option == "--aiwc-invocations") {
      result_.invocations = argument(word, "A, A-, -B or A-B");
      parseInvocations(*result_.invocations, option);
    } else if (option == "--aiwc-line-size") {
      result_.lineSize = argument(word, "32, 64, 128 or 256");
      parseLineSize(*result_.lineSize, option);
    } else if (option == "--aiwc-sample-groups") {
      result_.sampleGroups = argument(word, "a whole number above 0");
      parseSampleGroups(*result_.sampleGroups, option);
    } else if (option == "--aiwc-engine") {
      result_.engine = argument(word, "compiled, interpreter or auto");
      parseEngine(*result_.engine, option);
    } else if (option == "--aiwc-threads") {
      result_.threads = argument(word, "a whole number from 1 to 256");
      parseThreads(*result_.threads, option);
    } else {
      throw Error("unknown option '" + escapeLine(word) +
                  "': expected --aiwc, --aiwc-output, --aiwc-kernels, --aiwc-invocations, "
                  "--aiwc-line-size, --aiwc-sample-groups, --aiwc-engine, "
                  "--aiwc-threads, --aiwc-verbose, --aiwc-embed or --aiwc-quiet");
    }
  }

  // The argument of one of our options, from `--option=argument` or from the next word.
  std::string argument(const std::string &word, const char *expected) {
    const std::size_t equals = word.find('=');
    std::string value;
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (next_ < words_.size())
      value = words_[next_++];
    if (value.empty())
      throw Error("missing argument to " + word.substr(0, equals) + ": expected " + expected);
    return value;
  }

  // True where stock Oclgrind stops to read its command line.
  bool parseStock(const std::string &word) {
    if (word == "--plugins" && next_ < words_.size()) {
      result_.plugins.push_back(words_[next_++]);
      return false;
    }
    result_.stockOptions.push_back(word);
    if (takesArgument(word) && next_ < words_.size())
      result_.stockOptions.push_back(words_[next_++]);
    result_.help = word == "--help" || word == "-h";
    result_.version = word == "--version" || word == "-v";
    return result_.help || result_.version;
  }

  const std::vector<std::string> &words_;
  std::size_t next_ = 0;
  Arguments result_;
};

} // namespace

Arguments parseArguments(const std::vector<std::string> &arguments) {
  return Parser(arguments).parse();
}

const char *const kHelp =
    "Options of aiwc:\n"
    "  --aiwc                       Characterise every kernel invocation\n"
    "  --aiwc-output       DIR      Existing folder for the profiles (default: .)\n"
    "  --aiwc-kernels      REGEX    Characterise kernels whose name matches\n"
    "  --aiwc-invocations  A-B      Characterise invocations A to B of each kernel,\n"
    "                               counted from 0 (also A, A- and -B)\n"
    "  --aiwc-line-size    BYTES    Measure reuse of lines of 32, 64, 128 or 256 bytes\n"
    "                               (default: 64)\n"
    "  --aiwc-sample-groups N       Characterise N work-groups of each launch, spread\n"
    "                               over it, and estimate the rest (default: all)\n"
    "  --aiwc-engine       ENGINE   What runs kernels: interpreter, compiled or auto\n"
    "                               (default: auto, compiled where possible)\n"
    "  --aiwc-threads      N        Threads that analyse what compiled kernels do\n"
    "                               (default: all cores)\n"
    "  --aiwc-verbose               Tell which kernels are interpreted, and why\n"
    "  --aiwc-embed                 Write the programs, too, with their profiles inside\n"
    "  --aiwc-quiet                 No summaries and no progress\n"
    "\n"
    "Any of them implies --aiwc; they must precede COMMAND. See oclgrind-aiwc(7).\n";

} // namespace aiwc::launcher
