#include "completions.h"

#include "session/option_table.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace aiwc::describe {
namespace {

/// Words, which have no quotes, in those of a shell.
std::string quoted(const std::string &words) {
  return "'" + words + "'";
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> namesOf(const std::vector<CommandWords> &commands) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CommandWords &command : commands)
    names.push_back(command.name);
  return names;
}

/// The words of an offer, as the list that a shell expands.
std::string listOf(const Offer &offer, const CommandWords &program) {
  std::string list = joined(offer.words);
  if (offer.commands)
    list += (list.empty() ? "" : " ") + joined(namesOf(program.commands));
  if (!offer.command.empty())
    list += (list.empty() ? "" : " ") + std::string("$(") + offer.command + " 2>/dev/null)";
  return list;
}

/// The name of a command's shell function: the names of its parent commands, then its own.
std::string functionOf(const std::string &parent, const CommandWords &command) {
  return parent + "_" + command.name;
}

/// The command of bash that sets COMPREPLY to what is offered for $word; empty if nothing is. Files
/// are bash's default where there is no reply.
std::string bashReply(const Offer &offer, const CommandWords &program) {
  std::string commands;
  if (const std::string list = listOf(offer, program); !list.empty())
    // Behind the last comma of a list.
    commands += "compgen -P \"${word%\"${word##*,}\"}\" -W \"" + list + "\" -- \"${word##*,}\"; ";
  if (offer.folders)
    commands += "compgen -d -- \"$word\"; ";
  return commands.empty() ? "" : "mapfile -t COMPREPLY < <(" + commands + ")";
}

/// The options with an argument that stand before the command: "--a|--b"; of a command nothing.
std::string beforeCommand(const CommandWords &program) {
  std::vector<std::string> flags;
  for (const OptionWords &option : program.options)
    if (!program.commands.empty() && option.takesArgument)
      flags.push_back(option.flags.back());
  return fmt::format("{}", fmt::join(flags, "|"));
}

std::string bashFunction(const CommandWords &command, const CommandWords &program,
                         const std::string &parent, int depth) {
  std::string others; // the functions of its subcommands
  std::string choice;
  for (const CommandWords &child : command.commands) {
    others += bashFunction(child, program, functionOf(parent, command), depth + 1);
    choice += "    " + child.name + ") " + functionOf(functionOf(parent, command), child) +
              "; return ;;\n";
  }
  std::string arguments;
  std::vector<std::string> flags;
  for (const OptionWords &option : command.options) {
    std::string names;
    for (const std::string &flag : option.flags) {
      flags.push_back(flag);
      names += (names.empty() ? "" : "|") + flag;
    }
    if (!option.takesArgument)
      continue;
    const std::string reply = bashReply(option.offer, program);
    arguments += "    " + names + ") " + (reply.empty() ? "" : reply + "; ") + "return ;;\n";
  }

  std::string text = others + functionOf(parent, command) + "() {\n";
  if (const std::string flags = beforeCommand(command); !flags.empty())
    text += "  while [[ ${COMP_WORDS[1]} == @(" + flags +
            ") && $COMP_CWORD -gt 2 ]]; do\n"
            "    COMP_WORDS=(\"${COMP_WORDS[0]}\" \"${COMP_WORDS[@]:3}\") COMP_CWORD=$((COMP_CWORD "
            "- 2))\n"
            "  done\n";
  // Bash splits `--option=argument` into three words.
  text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  if [ \"$word\" = = ]; then\n"
          "    word=\n"
          "  elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
          "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  fi\n";
  const std::string level = std::to_string(depth);
  if (!choice.empty())
    text += "  if [ \"$COMP_CWORD\" -gt " + level + " ]; then\n  case ${COMP_WORDS[" + level +
            "]} in\n" + choice + "  esac\n  fi\n";
  text += "  case $before in\n" + arguments + "  esac\n";
  const std::string positional = bashReply(command.offer, program);
  text += "  case $word in\n    -*) mapfile -t COMPREPLY < <(compgen -W " + quoted(joined(flags)) +
          " -- \"$word\") ;;\n";
  if (!command.commands.empty())
    text += "    *) [ \"$COMP_CWORD\" -ne " + level + " ] || mapfile -t COMPREPLY < <(compgen -W " +
            quoted(joined(namesOf(command.commands))) + " -- \"$word\") ;;\n";
  else if (!positional.empty())
    text += "    *) " + positional + " ;;\n";
  return text + "  esac\n}\n";
}

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

std::string bashCompletion(const CommandWords &program) {
  return bashFunction(program, program, "", 1) + "complete -o default -o nosort -F " +
         functionOf("", program) + " " + program.name + "\n";
}

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
