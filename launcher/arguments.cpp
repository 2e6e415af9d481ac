#include "launcher/arguments.h"

#include "common/error.h"
#include "session/escape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <system_error>

namespace aiwc::launcher {
namespace {

// The options of Oclgrind 21.10, except --plugins, that take the next word as their argument.
constexpr std::array<std::string_view, 10> kStockWithArgument = {
    "--build-options",  "--compute-units", "--constant-mem-size", "--global-mem-size",
    "--local-mem-size", "--log",           "--max-errors",        "--max-wgsize",
    "--num-threads",    "--pch-dir"};

bool takesArgument(std::string_view option) {
  return std::find(kStockWithArgument.begin(), kStockWithArgument.end(), option) !=
         kStockWithArgument.end();
}

/// The share that a percentage is.
double shareOf(const std::string &percentage) {
  constexpr double kPercent = 100;
  double number = 0;
  const auto [end, error] =
      std::from_chars(percentage.data(), percentage.data() + percentage.size(), number);
  if (error != std::errc() || end != percentage.data() + percentage.size() || !(number > 0) ||
      number > kPercent)
    throw Error("--budget is '" + escapeLine(percentage) +
                "': expected a percentage above 0, at most 100");
  return number / kPercent;
}

std::string ourFlags() {
  std::string text(kCharacteriseFlag);
  for (const Option &option : kOptions)
    text += (&option == &kOptions.back() ? " or " : ", ") + std::string(option.flag);
  return text;
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
      if (word.starts_with(kCharacteriseFlag))
        parseOurs(word);
      else if (parseStock(word))
        break;
    }
    return std::move(result_);
  }

private:
  void parseOurs(const std::string &word) {
    const std::size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    if (word == kTimeFlag || flag == kAttachFlag) {
      result_.characterise = result_.time = true;
      if (flag == kAttachFlag)
        result_.captureShare = shareOf(word.substr(std::min(word.size(), flag.size() + 1)));
      return;
    }
    if (word == kNoWaitFlag) {
      result_.noWait = true;
      return;
    }
    if (word == kPreloadFlag) {
      result_.preload = true;
      return;
    }
    if (flag == kResumeFlag) {
      result_.resumed = word.substr(std::min(word.size(), flag.size() + 1));
      return;
    }
    const Option *option = findOption(flag);
    if (!option && flag != kCharacteriseFlag)
      throw Error("unknown option '" + escapeLine(word) + "': expected " + ourFlags());
    result_.characterise = true;
    if (option && option->takesArgument()) {
      give(*option, argument(word, *option));
      return;
    }
    if (equals != std::string::npos)
      throw Error(flag + " takes no argument: expected '" + flag + "', not '" + escapeLine(word) +
                  "'");
    if (option)
      give(*option, "1");
  }

  void give(const Option &option, const std::string &text) {
    SessionOptions tried; // so that a wrong value is refused first
    readOption(option, text, option.flag, tried);
    result_.ours.push_back({&option, text});
  }

  // The argument of one of our options, from `--option=argument` or from the next word.
  std::string argument(const std::string &word, const Option &option) {
    const std::size_t equals = word.find('=');
    std::string value;
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (next_ < words_.size())
      value = words_[next_++];
    if (value.empty())
      throw Error("missing argument to " + std::string(option.flag) + ": expected " +
                  std::string(option.expected));
    return value;
  }

  // Returns true if stock Oclgrind stops reading its command line at `word`.
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

// One option, its help broken into lines, in the columns of the stock help.
std::string helpOf(std::string_view flag, std::string_view argument, std::string_view help) {
  constexpr std::size_t kArgument = 23, kHelp = 31, kWidth = 80;
  std::string line = "  " + std::string(flag);
  line.resize(kArgument, ' ');
  line += argument;
  line.resize(kHelp, ' ');
  std::string text;
  std::istringstream words{std::string(help)};
  for (std::string word; words >> word;) {
    if (line.size() > kHelp && line.size() + 1 + word.size() > kWidth) {
      text += line + "\n";
      line.assign(kHelp, ' ');
    }
    line += (line.size() > kHelp ? " " : "") + word;
  }
  return text + line + "\n";
}

} // namespace

Arguments parseArguments(const std::vector<std::string> &arguments) {
  return Parser(arguments).parse();
}

std::string helpText() {
  std::string text = "Options of aiwc:\n" + helpOf(kCharacteriseFlag, "", kCharacteriseHelp);
  for (const Option &option : kOptions)
    text += helpOf(option.flag, option.argument, option.help);
  return text + "\nEach of them implies --aiwc. All options must come before COMMAND.\n"
                "See oclgrind-aiwc(7).\n";
}

} // namespace aiwc::launcher
