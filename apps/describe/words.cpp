#include "words.h"

#include "session/option_table.h"
#include "text/text.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace aiwc::describe {
namespace {

/// Prints the ids of the devices.
constexpr std::string_view kDeviceIds = "aiwc devices list --ids";

bool isWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::islower(c) || std::isdigit(c) || c == '_' || c == '-';
  });
}

/// The offer for a type "DIR", "IDS" or "a|b|FILE", and for the words that are allowed.
Offer offerOf(std::string_view type, const std::vector<std::string> &words = {}) {
  Offer offer;
  offer.words = words;
  for (const std::string &part : text::split(type, '|')) {
    if (part == "DIR")
      offer.folders = true;
    else if (part == "ID" || part == "IDS")
      offer.command = kDeviceIds;
    else if (isWord(part))
      offer.words.push_back(part);
  }
  return offer;
}

OptionWords wordsOf(const command_line::OptionDescription &option) {
  return {option.names, !option.type.empty(), offerOf(option.type, option.words)};
}

} // namespace

CommandWords launcherWords() {
  CommandWords words{"oclgrind"};
  words.options.push_back({.flags = {std::string(kCharacteriseFlag)}});
  for (const Option &option : kOptions) {
    OptionWords one{{std::string(option.flag)}, !option.argument.empty()};
    one.offer.folders = option.offered == kFolders;
    if (!one.offer.folders && !option.offered.empty())
      one.offer.words = text::split(option.offered, ' ');
    words.options.push_back(std::move(one));
  }
  return words;
}

CommandWords wordsOf(const command_line::Command &program) {
  CommandWords words{program.name()};
  for (const command_line::OptionDescription &option : program.options()) {
    if (!option.argument) {
      words.options.push_back(wordsOf(option));
      continue;
    }
    const std::string &name = option.names.front();
    if (name == "COMMAND")
      words.offer.commands = true;
    else if (name == "ID")
      words.offer = offerOf(name);
    else if (Offer offer = offerOf(option.type, option.words); !offer.words.empty())
      words.offer = std::move(offer);
  }
  for (const command_line::Command &command : program.subcommands())
    words.commands.push_back(wordsOf(command));
  return words;
}

} // namespace aiwc::describe
