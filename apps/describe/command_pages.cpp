#include "command_pages.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <sstream>
#include <string_view>
#include <vector>

namespace aiwc::describe {
namespace {

using command_line::Command;
using command_line::OptionDescription;

/// Text of mdoc: no macro at the begin of a line, no escape, and dashes stay dashes.
std::string plain(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\''))
    result = "\\&";
  for (const char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

/// Sentences, one per line, as mdoc requires.
std::string sentences(const std::string &text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find(". ", begin);
    end = end == std::string::npos ? text.size() : end + 1;
    result += plain(std::string_view(text).substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return result;
}

/// Paragraphs that are separated by empty lines.
std::string paragraphs(const std::string &text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("\n\n", begin), text.size());
    std::string paragraph = text.substr(begin, end - begin);
    std::ranges::replace(paragraph, '\n', ' ');
    result += (result.empty() ? "" : ".Pp\n") + sentences(paragraph);
    begin = end + 2;
  }
  return result;
}

/// What the value of an option is called: in small letters, or the few words that it may be.
std::string valueOf(const OptionDescription &option) {
  constexpr size_t kShort = 30;
  std::string words;
  for (const std::string &word : option.words)
    words += (words.empty() ? "" : "|") + word;
  if (!words.empty() && words.size() <= kShort)
    return words;
  std::string name = option.type == "TEXT" ? "word" : option.type;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// ".Fl -output Ar file" without the macro's dot; an option with two names has the long one.
std::string macrosOf(const OptionDescription &option, const std::string &name) {
  return "Fl " + name.substr(1) + (option.type.empty() ? "" : " Ar " + valueOf(option));
}

bool isHelp(const OptionDescription &option) {
  return option.names.back() == "--help";
}

/// Calls `visit` for each command without subcommands, with its name behind that of the program.
void forEachCommand(const Command &command, const std::string &name,
                    const std::function<void(const Command &, const std::string &)> &visit) {
  const std::vector<Command> children = command.subcommands();
  if (children.empty())
    visit(command, name);
  for (const Command &child : children)
    forEachCommand(child, name.empty() ? child.name() : name + " " + child.name(), visit);
}

std::string argumentsOf(const Command &command) {
  std::string text;
  for (const OptionDescription &option : command.options())
    if (option.argument) {
      std::string name = option.names.front();
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      text += std::string(option.required ? ".Ar " : ".Op Ar ") + name +
              (option.repeatable ? " ...\n" : "\n");
    }
  return text;
}

std::string examplesOf(const Command &command) {
  const std::string footer = command.footer();
  const size_t begin = footer.find("Examples:\n");
  if (begin == std::string::npos)
    return {};
  std::string text = ".Pp\nExamples:\n.Bd -literal -offset indent\n";
  std::istringstream lines(footer.substr(begin));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line))
    text += plain(std::string_view(line).substr(std::min<size_t>(2, line.size()))) + "\n";
  return text + ".Ed\n";
}

} // namespace

std::string synopsisOf(const Command &program) {
  std::string text;
  forEachCommand(program, "", [&](const Command &command, const std::string &name) {
    text += ".Nm\n.Cm " + name + "\n";
    for (const OptionDescription &option : command.options())
      if (!option.argument && !isHelp(option))
        text += std::string(option.required ? "." : ".Op ") +
                macrosOf(option, option.names.back()) + "\n";
    text += argumentsOf(command);
    if (name == "run")
      text += ".Op Ar oclgrind-option ...\n.Fl -\n.Ar application\n.Op Ar argument ...\n";
  });
  for (const OptionDescription &option : program.options())
    if (!option.type.empty()) // it stands before the command
      text += ".Nm\n." + macrosOf(option, option.names.back()) + "\n.Ar command ...\n";
  return text + ".Nm\n.Fl -help | -version\n";
}

std::string sectionsOf(const Command &program) {
  std::string text = ".Bl -tag -width Ds\n";
  for (const OptionDescription &option : program.options())
    if (!option.type.empty())
      text += ".It " + macrosOf(option, option.names.back()) + "\n" + sentences(option.about + ".");
  text += ".El\n";
  forEachCommand(program, "", [&](const Command &command, const std::string &name) {
    text += ".Ss " + program.name() + " " + name + "\n" + sentences(command.about() + ".");
    if (!command.detailsText().empty())
      text += ".Pp\n" + paragraphs(command.detailsText());
    text += ".Bl -tag -width Ds\n";
    for (const OptionDescription &option : command.options()) {
      if (isHelp(option))
        continue;
      if (option.argument) {
        std::string argument = option.names.front();
        std::ranges::transform(argument, argument.begin(),
                               [](unsigned char c) { return std::tolower(c); });
        text += ".It Ar " + argument + "\n";
      } else {
        text += ".It ";
        for (const std::string &each : option.names)
          text += (each == option.names.front() ? "" : " , ") + macrosOf(option, each);
        text += "\n";
      }
      text += sentences(option.about + ".");
      if (option.words.size() > 0 && !option.argument) {
        text += "One of";
        for (const std::string &word : option.words)
          text += (word == option.words.front() ? " " : ", ") + plain(word);
        text += ".\n";
      }
      if (!option.defaultValue.empty())
        text += "Default: " + plain(option.defaultValue) + ".\n";
    }
    text += ".El\n" + examplesOf(command);
  });
  return text;
}

} // namespace aiwc::describe
