/// aiwc-describe: a program that generates files from the table of options and from the command
/// line of aiwc when the project is built.
#include "catalogue/definitions.h"
#include "cli/command_line.h"
#include "command_line/command.h"
#include "common/error.h"
#include "profile/metric.h"
#include "session/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace aiwc;

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

/// The synopsis: a usage for each command that has no subcommands.
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

/// A section for each of these commands: what it does, its options with their values and defaults,
/// and its examples.
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

/// Makes a manual page from its source in docs/man/: replaces each source line that names a part of
/// the command line by the text of that part. The names are `@options@` and `@variables@` of the
/// launcher, for a page with the macros of man(7), and `@synopsis@` and `@commands@` of aiwc,
/// `@model_synopsis@` and `@model_commands@` of aiwc-model, for
/// one with the macros of mdoc(7). Throws Error for any other name between @.
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

/// The key and the parameters of a description: `coalescing_{16,32,64}`, `..._{1..10}`.
std::string keyOf(const profile::MetricInfo &first) {
  if (first.parameters.empty())
    return std::string(first.key);
  const std::string_view key = first.key.substr(0, first.key.rfind('_'));
  const auto last = first.parameters.back();
  const bool consecutive = last - first.parameters.front() + 1 == first.parameters.size();
  return consecutive ? fmt::format("{}_{{{}..{}}}", key, first.parameters.front(), last)
                     : fmt::format("{}_{{{}}}", key, fmt::join(first.parameters, ","));
}

/// Of the literature; with k for the parameter.
std::string nameOf(const profile::MetricInfo &first) {
  if (first.name == first.key)
    return {};
  if (first.parameters.empty())
    return fmt::format("**{}**", first.name);
  const std::string number = fmt::format(" {} ", first.parameter);
  std::string name(first.name);
  return fmt::format("**{}**", name.replace(name.find(number), number.size(), " k "));
}

/// The tables in Markdown, one per category, which scripts/metric-tables writes into the document.
std::string metricTables() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); i += std::max<size_t>(1, rows[i].parameters.size())) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}<!-- {}: scripts/metric-tables -->\n"
                          "| key | name | unit | definition |\n|---|---|---|---|\n",
                          i ? "<!-- end -->\n" : "", profile::toString(metric.category));
    const bool count = metric.type == profile::MetricType::kCount; // every count has a unit
    text += fmt::format("| `{}` | {} | {}{} | {} |\n", keyOf(metric), nameOf(metric),
                        count ? "" : (metric.unit.empty() ? "real" : "real, "), metric.unit,
                        metrics::definitionOf(metric.metric));
  }
  return text + "<!-- end -->\n";
}

constexpr const char *kUsage = "expected aiwc-describe FILE manual SOURCE, or FILE metrics";

std::string described(const std::vector<std::string> &arguments) {
  if (arguments == std::vector<std::string>{"metrics"})
    return metricTables();
  if (arguments.size() != 2 || arguments[0] != "manual")
    throw Error(kUsage);
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file)
    throw Error(arguments[1] + ": cannot be read");
  return manualPage({std::istreambuf_iterator<char>(file), {}});
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    if (arguments.empty())
      throw Error(kUsage);
    const std::string text = described({arguments.begin() + 1, arguments.end()});
    std::ofstream file(arguments[0], std::ios::binary);
    file << text << std::flush;
    if (!file)
      throw Error(arguments[0] + ": cannot be written");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc-describe: %s\n", error.what());
    return 1;
  }
}
