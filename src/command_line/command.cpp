#include "command_line/command.h"

#include "common/as_number.h"
#include "common/close_words.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <type_traits>
#include <utility>

namespace aiwc::command_line {

namespace {

/// A parser that keeps what is known of its command and the parser does not use.
class Node : public CLI::App {
public:
  Node(const std::string &about, const std::string &name) : CLI::App(about, name) {}
  std::string details;                 ///< of the manual page
  std::string heading = "Subcommands"; ///< of the next subcommand
};

Node &nodeOf(CLI::App *app) {
  return static_cast<Node &>(*app);
}

std::vector<std::string> commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &words) {
  const std::string meant = closestWord(word, words);
  return meant.empty() ? "" : fmt::format("; did you mean {}?", meant);
}

/// A command of this name further down: "annotate embed" for "embed"; empty if there is none.
std::string deeperCommand(const std::string &word, const CLI::App &app,
                          const std::string &parents = "") {
  for (const CLI::App *command : app.get_subcommands({})) {
    std::string name = parents + command->get_name();
    if (!parents.empty() && command->get_name() == word)
      return name;
    if (std::string found = deeperCommand(word, *command, name + " "); !found.empty())
      return found;
  }
  return {};
}

std::string noCommand(const std::string &word, const CLI::App &app) {
  const std::vector<std::string> names = commandNames(app);
  const std::string deeper = deeperCommand(word, app);
  return fmt::format(
      "{}: expected a command: {}{}", text::printable(word, 200), fmt::join(names, ", "),
      deeper.empty() ? didYouMean(word, names) : fmt::format("; did you mean {}?", deeper));
}

/// The names of the chosen command and its parents: "aiwc devices show".
std::string chosenCommand(const CLI::App &app) {
  std::string name = app.get_name();
  for (const CLI::App *chosen = &app; !chosen->get_subcommands().empty();) {
    chosen = chosen->get_subcommands().front();
    name += " " + chosen->get_name();
  }
  return name;
}

/// What the first word that the parser did not expect should have been: "aiwc: shwo: expected a
/// command: run, show, ...; did you mean show?".
std::string wrongWord(const CLI::App &app) {
  const CLI::App *command = &app;
  std::string name = app.get_name();
  std::string word;
  for (;;) {
    if (const std::vector<std::string> extra = command->remaining(); !extra.empty()) {
      word = extra.front();
      break;
    }
    const std::vector<CLI::App *> chosen = command->get_subcommands();
    if (chosen.empty())
      break;
    command = chosen.front();
    name += " " + command->get_name();
  }
  const std::string shown = text::printable(word, 200);
  if (word.size() > 1 && word.starts_with("-")) {
    const std::string option = word.substr(0, word.find('='));
    return fmt::format("{}: {}: expected an option that it has{}", name, shown,
                       didYouMean(option, optionNames(*command)));
  }
  if (!commandNames(*command).empty())
    return fmt::format("{}: {}", name, noCommand(word, *command));
  return fmt::format("{}: {}: expected no further argument", name, shown);
}

/// Throws CLI::RequiredError where a command that has subcommands was given none of them. The
/// parser would also report this for a misspelt one.
void requireSubcommands(const CLI::App &app) {
  const std::vector<CLI::App *> chosen = app.get_subcommands();
  if (!chosen.empty())
    requireSubcommands(*chosen.front());
  else if (!commandNames(app).empty())
    throw CLI::RequiredError("A subcommand");
}

UsageError usageError(const CLI::App &app, const std::string &message) {
  return UsageError(fmt::format("{}: see {} --help", message, chosenCommand(app)));
}

/// The words of CLI::IsMember, whose description is "{a,b}"; none for other validators.
std::vector<std::string> membersOf(std::string_view description) {
  std::vector<std::string> words;
  if (!description.starts_with("{") || !description.ends_with("}"))
    return words;
  description = description.substr(1, description.size() - 2);
  for (size_t begin = 0; begin <= description.size();) {
    const size_t end = std::min(description.find(',', begin), description.size());
    words.emplace_back(description.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

} // namespace

Option Option::type(const std::string &name) {
  option_->type_name(name);
  return *this;
}

Option Option::showDefault() {
  option_->capture_default_str();
  return *this;
}

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::repeatable() {
  // Without the second setting it would take the arguments that follow.
  option_->expected(1)->allow_extra_args(false)->take_all();
  return *this;
}

Option Option::commaSeparated() {
  option_->allow_extra_args(false)->delimiter(',');
  return *this;
}

Option Option::values(int number) {
  option_->expected(number);
  return *this;
}

Option Option::oneOf(const std::vector<std::string> &words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option Option::oneOf(const std::vector<int> &numbers) {
  option_->check(CLI::IsMember(numbers));
  return *this;
}

Option Option::between(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Option Option::positive() {
  return check([](const std::string &text) {
    const auto number = asNumber<double>(text); // the parser says that a word is none
    return number && !(*number > 0) ? text + ": expected a number above 0" : "";
  });
}

Option Option::check(const std::function<std::string(const std::string &)> &problem) {
  option_->check(problem);
  return *this;
}

Option Option::excludes(const std::vector<Option> &others) {
  for (const Option &other : others)
    option_->excludes(other.option_);
  return *this;
}

Option Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::needs(Option other) {
  option_->needs(other.option_);
  return *this;
}

bool Option::given() const {
  return option_->count() > 0;
}

std::string Option::name() const {
  return option_->get_name();
}

Command Command::subcommand(const std::string &name, const std::string &about) {
  app_->add_subcommand(std::make_shared<Node>(about, name))->group(nodeOf(app_).heading);
  app_->require_subcommand(0, 1);
  return Command(app_->get_subcommand(name));
}

void Command::heading(const std::string &text) {
  nodeOf(app_).heading = text;
}

Option Command::option(const std::string &names, Target target, const std::string &about) {
  return Option(std::visit(
      [&](auto &to) -> CLI::Option * {
        using To = std::remove_cvref_t<decltype(to)>;
        if constexpr (std::is_pointer_v<To>)
          return app_->add_option(names, *to, about);
        else
          return app_->add_option_function<std::string>(
              names,
              [to, names](const std::string &value) {
                try {
                  to(value);
                } catch (const Misuse &error) {
                  throw CLI::ValidationError(names, error.what());
                }
              },
              about);
      },
      target));
}

Option Command::flag(const std::string &name, bool &target, const std::string &about) {
  return Option(app_->add_flag(name, target, about));
}

Option Command::described(const std::string &name, const std::string &about,
                          const std::string &type) {
  CLI::Option *option = type.empty() ? app_->add_flag(name) : app_->add_option(name);
  option->description(about);
  if (!type.empty())
    option->type_name(type);
  return Option(option);
}

Option Command::declared(const std::string &name) const {
  return Option(app_->get_option(name));
}

void Command::action(const std::function<void()> &function) {
  app_->callback(function);
}

void Command::examples(const std::vector<Example> &examples, const std::string &before) {
  size_t width = 0;
  for (const Example &example : examples)
    width = std::max(width, example.command.size());
  std::string text = before + "Examples:\n";
  for (const Example &example : examples)
    text += example.about.empty()
                ? fmt::format("  {}\n", example.command)
                : fmt::format("  {:<{}}  # {}\n", example.command, width, example.about);
  text.pop_back();
  app_->footer(text);
}

void Command::details(const std::string &text) {
  nodeOf(app_).details = text;
}

std::string Command::name() const {
  return app_->get_name();
}

std::string Command::about() const {
  return app_->get_description();
}

std::string Command::detailsText() const {
  return nodeOf(app_).details;
}

std::string Command::footer() const {
  return app_->get_footer();
}

std::vector<OptionDescription> Command::options() const {
  std::vector<OptionDescription> descriptions;
  for (const CLI::Option *option : std::as_const(*app_).get_options()) {
    OptionDescription description;
    description.argument = option->get_positional();
    if (description.argument)
      description.names.push_back(option->get_name());
    for (const std::string &name : option->get_snames())
      description.names.push_back("-" + name);
    for (const std::string &name : option->get_lnames())
      description.names.push_back("--" + name);
    description.about = option->get_description();
    if (option->get_items_expected_max() > 0) {
      const std::string type = option->get_type_name();
      const size_t colon = std::min(type.find(':'), type.size());
      description.type = type.substr(0, colon);
      if (colon < type.size())
        description.words = membersOf(std::string_view(type).substr(colon + 1));
    }
    description.defaultValue = option->get_default_str();
    description.required = option->get_required();
    description.repeatable = option->get_items_expected_max() > 1;
    descriptions.push_back(std::move(description));
  }
  return descriptions;
}

std::vector<Command> Command::subcommands() const {
  std::vector<Command> commands;
  for (CLI::App *command : app_->get_subcommands({}))
    commands.emplace_back(command);
  return commands;
}

std::string Command::help(const std::string &parents) const {
  // For a command without parents, the parser would print the help of the one that was given.
  return parents.empty()
             ? app_->get_formatter()->make_help(app_, app_->get_name(), CLI::AppFormatMode::Normal)
             : app_->help(parents);
}

ProgramCommands::ProgramCommands(const std::string &name, const std::string &about,
                                 const std::string &version)
    : app_(std::make_unique<Node>(about, name)), version_(version),
      helpText_(std::make_shared<std::string>()) {
  app_->set_version_flag("-V,--version", "", "Print the version and exit");
  app_->require_subcommand(0, 1);
}

ProgramCommands::~ProgramCommands() = default;
ProgramCommands::ProgramCommands(ProgramCommands &&) noexcept = default;
ProgramCommands &ProgramCommands::operator=(ProgramCommands &&) noexcept = default;

Command ProgramCommands::root() const {
  return Command(app_.get());
}

void ProgramCommands::addHelp() {
  auto words = std::make_shared<std::vector<std::string>>();
  Command command = root().subcommand("help", "Print the help of a command");
  command.option("COMMAND", words.get(), "The command, and that behind it");
  command.examples(
      {{app_->get_name() + " help " + app_->get_subcommands({}).front()->get_name(), ""}});
  command.app_->callback([words, app = app_.get(), text = helpText_] {
    CLI::App *about = app;
    std::string parents;
    for (const std::string &word : *words) {
      const std::vector<CLI::App *> children = about->get_subcommands({});
      const auto child = std::ranges::find_if(
          children, [&](const CLI::App *command) { return command->get_name() == word; });
      if (child == children.end())
        throw Error(fmt::format(
            "{} help: {}", app->get_name(),
            commandNames(*about).empty()
                ? fmt::format("{}: expected no command here", text::printable(word, 200))
                : noCommand(word, *about)));
      parents += (parents.empty() ? "" : " ") + about->get_name();
      about = *child;
    }
    *text = Command(about).help(parents);
  });
}

std::string ProgramCommands::run(int argc, const char *const *argv) {
  try {
    app_->parse(argc, argv);
    requireSubcommands(*app_);
    return *helpText_;
  } catch (const CLI::CallForHelp &) {
    return app_->help();
  } catch (const CLI::CallForVersion &) {
    return fmt::format("{} {}\n", app_->get_name(), version_);
  } catch (const CLI::ExtrasError &) {
    throw usageError(*app_, wrongWord(*app_));
  } catch (const Misuse &error) {
    throw usageError(*app_, fmt::format("{}: {}", chosenCommand(*app_), error.what()));
  } catch (const CLI::ParseError &error) {
    std::string message = error.what();
    while (!message.empty() && (message.back() == '\n' || message.back() == '.'))
      message.pop_back();
    throw usageError(*app_,
                     fmt::format("{}: {}", chosenCommand(*app_), text::printable(message, 1000)));
  }
}

void ProgramCommands::check(std::vector<std::string> words) {
  app_->parse_complete_callback([] { throw CLI::Success(); }); // before the command runs
  std::ranges::reverse(words);
  try {
    app_->parse(words);
  } catch (const CLI::Success &) {
    return;
  } catch (const CLI::ExtrasError &) {
    throw usageError(*app_, wrongWord(*app_));
  } catch (const CLI::ParseError &error) {
    throw usageError(*app_, fmt::format("{}: {}", chosenCommand(*app_), error.what()));
  }
}

} // namespace aiwc::command_line
