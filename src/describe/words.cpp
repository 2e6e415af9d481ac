#include "words.h"

#include "session/option_table.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

namespace aiwc::describe {
namespace {

/// Prints the ids of the devices.
constexpr std::string_view kDeviceIds = "aiwc devices --ids";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool isWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '_' || c == '-';
  });
}

/// The words of CLI::IsMember, whose description is "{a,b}"; none for other validators.
std::vector<std::string> membersOf(std::string_view description) {
  if (!description.starts_with("{") || !description.ends_with("}"))
    return {};
  return split(description.substr(1, description.size() - 2), ',');
}

/// The offer for a type "DIR", "IDS", "a|b|FILE", or "TEXT:{a,b}", which has the description of a
/// validator behind it.
Offer offerOf(std::string_view type) {
  Offer offer;
  const size_t colon = std::min(type.find(':'), type.size());
  if (colon < type.size())
    offer.words = membersOf(type.substr(colon + 1));
  for (const std::string &part : split(type.substr(0, colon), '|')) {
    if (part == "DIR")
      offer.folders = true;
    else if (part == "FILE")
      offer.files = true;
    else if (part == "ID" || part == "IDS")
      offer.command = kDeviceIds;
    else if (isWord(part))
      offer.words.push_back(part);
  }
  return offer;
}

/// What the argument of a type "DIR" or "a|b|FILE" is called: what is not a word itself.
std::string nameOf(std::string_view type) {
  for (std::string &part : split(type, '|'))
    if (!isWord(part))
      return part;
  return "WORD";
}

OptionWords wordsOf(const CLI::Option &option) {
  OptionWords words;
  for (const std::string &name : option.get_snames())
    words.flags.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    words.flags.push_back("--" + name);
  words.help = option.get_description();
  if (option.get_items_expected_max() > 0) {
    const std::string type = option.get_type_name();
    words.argument = nameOf(type.substr(0, type.find(':')));
    words.offer = offerOf(type);
  }
  return words;
}

} // namespace

CommandWords launcherWords() {
  CommandWords words{"oclgrind", ""};
  words.application = true;
  words.options.push_back(
      {{std::string(kCharacteriseFlag)}, std::string(kCharacteriseHelp), "", {}});
  for (const Option &option : kOptions) {
    OptionWords one{
        {std::string(option.flag)}, std::string(option.help), std::string(option.argument), {}};
    one.offer.folders = option.offered == kFolders;
    if (!one.offer.folders && !option.offered.empty())
      one.offer.words = split(option.offered, ' ');
    words.options.push_back(std::move(one));
  }
  return words;
}

CommandWords wordsOf(const CLI::App &program) {
  CommandWords words{program.get_name(), program.get_description()};
  words.application = words.name == "run";
  for (const CLI::Option *option : program.get_options()) {
    if (!option->get_positional()) {
      words.options.push_back(wordsOf(*option));
      continue;
    }
    words.takesArguments = true;
    const std::string name = option->get_name();
    if (name == "COMMAND")
      words.offer.commands = true;
    else if (name == "ID")
      words.offer = offerOf(name);
    else if (Offer offer = offerOf(option->get_type_name()); !offer.words.empty())
      words.offer = std::move(offer);
    else
      words.offer.files = true;
  }
  for (const CLI::App *command : program.get_subcommands({}))
    words.commands.push_back(wordsOf(*command));
  return words;
}

} // namespace aiwc::describe
