#include "command_line.h"

#include "command.h"
#include "common/close_words.h"
#include "output.h"
#include "profile/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::cli {

namespace {

std::vector<std::string> commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

/// The options of a command, and those of its parents that may stand behind it.
std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *from = &app; from;
       from = from->get_fallthrough() ? from->get_parent() : nullptr)
    for (const CLI::Option *option : from->get_options())
      for (const std::string &name : option->get_lnames())
        names.push_back("--" + name);
  return names;
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &words) {
  const std::string meant = closestWord(word, words);
  return meant.empty() ? "" : fmt::format("; did you mean {}?", meant);
}

std::string noCommand(const std::string &word, const CLI::App &app) {
  const std::vector<std::string> names = commandNames(app);
  return fmt::format("{}: expected a command: {}{}", profile::printable(word, 200),
                     fmt::join(names, ", "), didYouMean(word, names));
}

/// The command that was given the word that nobody expected, and its name with its parents'.
struct Place {
  const CLI::App *app;
  std::string name;
  std::string word;
};

Place placeOfExtra(const CLI::App &app) {
  Place place{&app, app.get_name(), ""};
  for (;;) {
    if (const std::vector<std::string> extra = place.app->remaining(); !extra.empty()) {
      place.word = extra.front();
      return place;
    }
    const std::vector<CLI::App *> chosen = place.app->get_subcommands();
    if (chosen.empty())
      return place;
    place.app = chosen.front();
    place.name += " " + place.app->get_name();
  }
}

} // namespace

void addExamples(CLI::App &command, const std::vector<Example> &examples,
                 const std::string &before) {
  size_t width = 0;
  for (const Example &example : examples)
    width = std::max(width, example.command.size());
  std::string text = before + "Examples:\n";
  for (const Example &example : examples)
    text += example.about.empty()
                ? fmt::format("  {}\n", example.command)
                : fmt::format("  {:<{}}  # {}\n", example.command, width, example.about);
  text.pop_back();
  command.footer(text);
}

void addHelp(CLI::App &app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App *command = app.add_subcommand("help", "Print the help of a command");
  command->add_option("COMMAND", *words, "The command, and that behind it");
  addExamples(*command, {{"aiwc help show", ""}, {"aiwc help devices measure", ""}});
  command->callback([words, &app] {
    CLI::App *about = &app;
    std::string parents;
    for (const std::string &word : *words) {
      const std::vector<CLI::App *> children = about->get_subcommands({});
      const auto child = std::ranges::find_if(
          children, [&](const CLI::App *command) { return command->get_name() == word; });
      if (child == children.end())
        throw Error(fmt::format("aiwc help: {}", commandNames(*about).empty()
                                                     ? fmt::format("{}: expected no command here",
                                                                   profile::printable(word, 200))
                                                     : noCommand(word, *about)));
      parents += (parents.empty() ? "" : " ") + about->get_name();
      about = *child;
    }
    // The parser would print the help of the command that was given, which is this one.
    print(about == &app ? app.get_formatter()->make_help(&app, "aiwc", CLI::AppFormatMode::Normal)
                        : about->help(parents));
  });
}

std::unique_ptr<CLI::App> commandLine() {
  auto app = std::make_unique<CLI::App>(
      "Architecture-independent workload characterisation of OpenCL kernels", "aiwc");
  app->set_version_flag("-V,--version", "", "Print the version and exit");
  app->require_subcommand(0, 1);
  addRun(*app);
  addShow(*app);
  addAdvise(*app);
  addReport(*app);
  addDiff(*app);
  addMetrics(*app);
  addPredict(*app);
  addDevices(*app);
  addSplit(*app);
  addSchedule(*app);
  addGenerate(*app);
  addSample(*app);
  addData(*app);
  addExtrapolate(*app);
  addEmbed(*app);
  addLookup(*app);
  addStrip(*app);
  addTrain(*app);
  addEvaluate(*app);
  addHelp(*app);
  addExamples(*app, {{"aiwc run --output profiles -- ./blur", "characterise the kernels of blur"},
                     {"aiwc show profiles", "what they do"},
                     {"aiwc advise profiles", "what costs them time, and what to do about it"},
                     {"aiwc predict profiles", "how long they take on which device"}});
  return app;
}

std::string wrongWord(const CLI::App &app) {
  const auto [command, name, word] = placeOfExtra(app);
  const std::string shown = profile::printable(word, 200);
  if (word.size() > 1 && word.starts_with("-")) {
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("{}: {}: expected an option that it has{}", name, shown,
                       didYouMean(option, optionNames(*command)));
  }
  if (!commandNames(*command).empty())
    return fmt::format("{}: {}", name, noCommand(word, *command));
  return fmt::format("{}: {}: expected no further argument", name, shown);
}

std::string chosenCommand(const CLI::App &app) {
  std::string name = app.get_name();
  for (const CLI::App *chosen = &app; !chosen->get_subcommands().empty();) {
    chosen = chosen->get_subcommands().front();
    name += " " + chosen->get_name();
  }
  return name;
}

} // namespace aiwc::cli
