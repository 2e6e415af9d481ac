#include "launcher/arguments.h"

#include "command_line/command.h"
#include "common/close_words.h"
#include "common/error.h"
#include "session/escape.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace aiwc::launcher {
namespace {

// The options of Oclgrind 21.10, except --plugins: those that take the next word, and the others.
constexpr std::array<std::string_view, 10> kStockWithArgument = {
    "--build-options",  "--compute-units", "--constant-mem-size", "--global-mem-size",
    "--local-mem-size", "--log",           "--max-errors",        "--max-wgsize",
    "--num-threads",    "--pch-dir"};

constexpr std::array<std::string_view, 15> kStockSwitches = {
    "--check-api", "--data-races",     "--disable-pch",   "--dump-spir", "--help",
    "-h",          "--inst-counts",    "--interactive",   "-i",          "--quick",
    "-q",          "--uniform-writes", "--uninitialized", "--version",   "-v"};

class Parser {
public:
  Parser(const std::vector<std::string> &words, const Syntax &syntax, Task task)
      : words_(words), syntax_(syntax), task_(std::move(task)) {}

  Task parse() {
    bool isHelp = false;
    while (!isHelp && next_ < words_.size()) {
      const std::string &word = words_[next_];
      if (!word.starts_with('-'))
        break;
      ++next_;
      if (syntax_.hasSeparator && word == "--")
        break;
      if (!parseOurs(word))
        isHelp = parseStock(word);
    }
    const std::vector<std::string> rest(words_.begin() + static_cast<std::ptrdiff_t>(next_),
                                        words_.end());
    if (syntax_.hasSeparator)
      checkApplication(rest);
    if (isHelp)
      return Describe{std::move(stockOptions_), isVersion_};
    std::visit([&](auto &task) { complete(task, rest); }, task_);
    return std::move(task_);
  }

private:
  void complete(auto &task, const std::vector<std::string> &rest) {
    if constexpr (requires { task.options; })
      task.options = std::move(options_);
    if constexpr (requires { task.plugins; })
      task.plugins = std::move(plugins_);
    if constexpr (requires { task.stockOptions; })
      task.stockOptions = std::move(stockOptions_);
    if constexpr (requires { task.application; })
      task.application = rest;
    if constexpr (requires { task.words; })
      task.words = words_;
  }

  void checkApplication(const std::vector<std::string> &application) const {
    const auto *const resume = std::get_if<Resume>(&task_);
    if (resume && !application.empty())
      throw command_line::UsageError(
          fmt::format("{}: --resume {} is given with an application: expected one of the two",
                      syntax_.command, resume->folder));
    if (!resume && application.empty())
      throw misuse("no application");
  }

  command_line::UsageError misuse(const std::string &what) const {
    return command_line::UsageError(fmt::format(
        "{0}: {1}: expected {0} [OPTION...] -- APPLICATION [ARGUMENT...]: see {0} --help",
        syntax_.command, what));
  }

  std::string unknownOption(const std::string &word) const {
    std::vector<std::string> flags;
    for (const Option &option : kOptions)
      if (syntax_.takes(option))
        flags.push_back(syntax_.flagOf(option));
    for (const CommandOption &option : syntax_.others)
      flags.emplace_back(option.flag);
    const std::string meant = closestWord(word.substr(0, word.find('=')), flags);
    return fmt::format("unknown option '{}'{}", text::printable(word),
                       meant.empty() ? fmt::format(": see {} --help", syntax_.command)
                                     : fmt::format("; did you mean {}?", meant));
  }

  // The option of the session's table that `flag` is. Commands that pass options on to Oclgrind
  // also take the launcher's names.
  const Option *optionOf(const std::string &flag) const {
    for (const Option &option : kOptions)
      if (syntax_.takes(option) && flag == syntax_.flagOf(option))
        return &option;
    return syntax_.takesStockOptions ? findOption(flag) : nullptr;
  }

  // Returns whether `word` is an option of ours.
  bool parseOurs(const std::string &word) {
    const std::size_t equals = word.find('=');
    const std::string flag = word.substr(0, equals);
    for (const CommandOption &other : syntax_.others)
      if (other.argument.empty() ? word == other.flag : flag == other.flag) {
        other.take(other.argument.empty() ? "" : argument(word, ""), task_);
        return true;
      }
    const Option *const option = optionOf(flag);
    const bool isLaunchers = syntax_.takesStockOptions && word.starts_with(kCharacteriseFlag);
    if (!option && !isLaunchers)
      return false;
    if (!option && flag != kCharacteriseFlag)
      throw Error(unknownOption(word));
    if (std::holds_alternative<RunStock>(task_))
      task_ = Characterise();
    if (option && option->takesArgument()) {
      give(*option, argument(word, option->expected));
      return true;
    }
    if (equals != std::string::npos && syntax_.hasSeparator)
      throw misuse(flag + " takes no argument");
    if (equals != std::string::npos)
      throw Error(flag + " takes no argument: expected '" + flag + "', not '" + escapeLine(word) +
                  "'");
    if (option)
      give(*option, "1");
    return true;
  }

  void give(const Option &option, const std::string &text) {
    SessionOptions tried; // so that a wrong value is refused first
    readOption(option, text, option.flag, tried);
    options_.push_back({&option, text});
  }

  // The argument of an option of ours, from `--option=argument` or from the next word. `expected`:
  // what it cannot be empty for; empty: it can be.
  std::string argument(const std::string &word, std::string_view expected) {
    const std::size_t equals = word.find('=');
    std::string value;
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (const std::optional<std::string> next = nextWord())
      value = *next;
    else if (syntax_.hasSeparator)
      throw misuse(word + " has no argument");
    if (value.empty() && !expected.empty())
      throw Error("missing argument to " + word.substr(0, equals) + ": expected " +
                  std::string(expected));
    return value;
  }

  std::optional<std::string> nextWord() {
    if (next_ == words_.size() || (syntax_.hasSeparator && words_[next_] == "--"))
      return std::nullopt;
    return words_[next_++];
  }

  // Returns true if stock Oclgrind stops reading its command line at `word`.
  bool parseStock(const std::string &word) {
    const auto isIn = [&](const auto &flags) {
      return std::ranges::find(flags, word) != flags.end();
    };
    const bool isPlugins = word == "--plugins";
    const bool takesArgument = isPlugins || isIn(kStockWithArgument);
    if (!syntax_.takesStockOptions ||
        (syntax_.hasSeparator && !takesArgument && !isIn(kStockSwitches)))
      throw command_line::UsageError(fmt::format("{}: {}", syntax_.command, unknownOption(word)));
    const std::optional<std::string> argument = takesArgument ? nextWord() : std::nullopt;
    if (takesArgument && !argument && next_ < words_.size())
      throw misuse(word + " has no argument");
    if (isPlugins && argument) {
      plugins_.push_back(*argument);
      return false;
    }
    stockOptions_.push_back(word);
    if (argument)
      stockOptions_.push_back(*argument);
    isVersion_ = word == "--version" || word == "-v";
    return isVersion_ || word == "--help" || word == "-h";
  }

  const std::vector<std::string> &words_;
  const Syntax &syntax_;
  std::size_t next_ = 0;
  Task task_;
  GivenOptions options_;
  std::vector<std::string> plugins_, stockOptions_;
  bool isVersion_ = false;
};

} // namespace

Task taskOf(const std::vector<std::string> &words, const Syntax &syntax, Task task) {
  return Parser(words, syntax, std::move(task)).parse();
}

} // namespace aiwc::launcher
