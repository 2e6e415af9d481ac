#include "manual.h"

#include "cli/command_line.h"
#include "command_pages.h"
#include "common/error.h"
#include "session/option_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string_view>

namespace aiwc::describe {
namespace {

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

/// The roff text of an option or a variable, whose dashes must not become hyphens.
std::string literal(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '-' ? "\\-" : c == '^' ? "\\(ha" : c == '\\' ? "\\e" : std::string(1, c);
  return result;
}

/// The name of an argument as manual pages write it: in lower case, unless it is a pattern such as
/// A-B.
std::string argumentName(const Option &option) {
  std::string name(option.argument);
  const auto isLetter = [](unsigned char c) { return std::isalpha(c); };
  if (std::ranges::all_of(name, isLetter))
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

/// Converts sentences to roff: one per line, as roff requires, with the argument's name in italics
/// and text between ` in bold.
std::string sentences(std::string_view text, const Option &option) {
  std::string result;
  bool bold = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const bool wordBegins = i == 0 || !isWord(text[i - 1]);
    if (text[i] == '`') {
      bold = !bold;
      result += bold ? "\\fB" : "\\fR";
    } else if (bold) {
      result += literal(rest.substr(0, 1));
    } else if (rest.starts_with(". ")) {
      result += ".\n";
      ++i;
    } else if (option.takesArgument() && wordBegins && rest.starts_with(option.argument) &&
               (rest.size() == option.argument.size() || !isWord(rest[option.argument.size()]))) {
      result += "\\fI" + argumentName(option) + "\\fR";
      i += option.argument.size() - 1;
    } else {
      result += text[i];
    }
  }
  return result + "\n";
}

std::string helpSentence(const Option &option) {
  return sentences(std::string(option.help) + ".", option);
}

std::string options() {
  std::string text =
      ".TP\n.B " + literal(kCharacteriseFlag) + "\n" + std::string(kCharacteriseHelp) + ".\n";
  for (const Option &option : kOptions) {
    text += ".TP\n";
    if (option.takesArgument())
      text += ".BI " + literal(option.flag) + " \" " + literal(argumentName(option)) + "\"\n";
    else
      text += ".B " + literal(option.flag) + "\n";
    text += option.manual.empty() ? helpSentence(option) : sentences(option.manual, option);
  }
  return text;
}

std::string variables() {
  std::string text = ".BR";
  for (const Option &option : kOptions)
    text += (&option == kOptions.begin() ? " \\%" : " \", \" \\%") + std::string(option.variable);
  return text + "\n";
}

struct Part {
  std::string_view line;
  std::string (*text)();
};

constexpr std::array<Part, 6> kParts = {
    {{"@options@", options},
     {"@variables@", variables},
     {"@synopsis@", [] { return synopsisOf(cli::commandLine().root()); }},
     {"@commands@", [] { return sectionsOf(cli::commandLine().root()); }},
     {"@model_synopsis@", [] { return synopsisOf(cli::modelCommandLine().root()); }},
     {"@model_commands@", [] { return sectionsOf(cli::modelCommandLine().root()); }}}};

} // namespace

std::string manualPage(const std::string &source) {
  std::string page;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    const auto *const part = std::ranges::find(kParts, line, &Part::line);
    if (part != kParts.end())
      page += part->text();
    else if (line.starts_with('@'))
      throw Error(line + " is unknown: expected @options@, @variables@, or @synopsis@ or "
                         "@commands@, which begin with model_ for aiwc-model");
    else
      page += line + "\n";
  }
  return page;
}

} // namespace aiwc::describe
