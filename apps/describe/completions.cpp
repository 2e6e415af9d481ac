#include "completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string_view>

namespace aiwc::describe {
namespace {

/// `text` for use in single quotes of a shell: with a backslash before each character of `escaped`.
std::string inQuotes(std::string_view text, std::string_view escaped = "") {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\'";
    else if (escaped.find(c) != std::string_view::npos)
      result += '\\';
    result += c;
  }
  return result + "'";
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
std::string beforeCommand(const CommandWords &program, std::string_view separator = "|") {
  std::vector<std::string> flags;
  for (const OptionWords &option : program.options)
    if (!program.commands.empty() && !option.argument.empty())
      flags.push_back(option.flags.back());
  return fmt::format("{}", fmt::join(flags, separator));
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
    if (option.argument.empty())
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
  text += "  case $word in\n    -*) mapfile -t COMPREPLY < <(compgen -W " +
          inQuotes(joined(flags)) + " -- \"$word\") ;;\n";
  if (!command.commands.empty())
    text += "    *) [ \"$COMP_CWORD\" -ne " + level + " ] || mapfile -t COMPREPLY < <(compgen -W " +
            inQuotes(joined(namesOf(command.commands))) + " -- \"$word\") ;;\n";
  else if (!positional.empty())
    text += "    *) " + positional + " ;;\n";
  return text + "  esac\n}\n";
}

/// What completes an argument, for _arguments of zsh.
std::string zshAction(const Offer &offer, const CommandWords &program) {
  const std::string list = listOf(offer, program);
  if (list.empty())
    return offer.files ? "_files" : offer.folders ? "_files -/" : "";
  if (!offer.command.empty())
    return "_sequence compadd - " + list;
  return offer.files ? "{compadd - " + list + "; _files}" : "(" + list + ")";
}

/// The options and arguments of one command, as arguments of zsh's _arguments.
std::string zshArguments(const CommandWords &command, const CommandWords &program,
                         const std::string &indent) {
  std::string text = indent + "_arguments -S";
  for (const OptionWords &option : command.options)
    for (const std::string &flag : option.flags) {
      const bool assigned = !option.argument.empty() && flag.starts_with("--");
      std::string spec = flag + (assigned ? "=" : "") + "[";
      for (const char c : option.help)
        spec += (c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + std::string(1, c);
      spec += "]";
      if (!option.argument.empty())
        spec += ":" + option.argument + ":" + zshAction(option.offer, program);
      text += " \\\n" + indent + "  " + inQuotes(spec);
    }
  if (command.application)
    text += " \\\n" + indent + "  '*::application:_normal'";
  else if (command.takesArguments)
    text += " \\\n" + indent + "  " + inQuotes("*:argument:" + zshAction(command.offer, program));
  return text + "\n";
}

/// The commands of zsh that complete the words behind a command.
std::string zshBody(const CommandWords &command, const CommandWords &program,
                    const std::string &indent) {
  if (command.commands.empty())
    return zshArguments(command, program, indent);
  std::string text = indent + "if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n" + indent +
                     "  local -a subcommands\n" + indent + "  subcommands=(\n";
  for (const CommandWords &child : command.commands)
    text += indent + "    " + inQuotes(child.name + ":" + child.help) + "\n";
  text += indent + "  )\n" + indent + "  _describe -V command subcommands\n" + indent + "else\n" +
          indent + "  case $words[2] in\n";
  for (const CommandWords &child : command.commands)
    text +=
        fmt::format("{0}    {1})\n{0}      shift words\n{0}      (( CURRENT-- ))\n{2}{0}      ;;\n",
                    indent, child.name, zshBody(child, program, indent + "      "));
  return text + indent + "    *)\n" + zshArguments(command, program, indent + "      ") + indent +
         "      ;;\n" + indent + "  esac\n" + indent + "fi\n";
}

/// What fish offers for an argument: the options of `complete`.
std::string fishOffer(const Offer &offer, const CommandWords &program) {
  std::string lists;
  std::string words = joined(offer.words);
  if (offer.commands)
    words += (words.empty() ? "" : " ") + joined(namesOf(program.commands));
  if (!words.empty())
    lists += "(__fish_append , " + words + ")";
  if (!offer.command.empty())
    lists += (lists.empty() ? "" : " ") + std::string("(__fish_append , (") + offer.command +
             " 2>/dev/null))";
  if (offer.folders)
    lists += (lists.empty() ? "" : " ") + std::string("(__fish_complete_directories)");
  return lists.empty() ? "" : " -a " + inQuotes(lists, "\\");
}

void addFish(const CommandWords &command, const CommandWords &program, const std::string &path,
             std::string &text) {
  const std::string inside =
      "__" + program.name + "_in" + (path.empty() ? std::string() : " " + path);
  std::string condition = inside;
  for (const CommandWords &child : command.commands)
    condition += "; and not " + inside + " " + child.name;
  const std::string begin = "complete -c " + program.name + " -n " + inQuotes(condition);
  for (const OptionWords &option : command.options) {
    text += begin;
    for (const std::string &flag : option.flags)
      text += flag.starts_with("--") ? " -l " + flag.substr(2)
                                     : (flag.size() == 2 ? " -s " : " -o ") + flag.substr(1);
    if (!option.argument.empty())
      text += (option.offer.files ? " -r" : " -x") + fishOffer(option.offer, program);
    text += " -d " + inQuotes(option.help, "\\") + "\n";
  }
  // In their order; of several with -k, fish shows the last one first.
  for (auto child = command.commands.rbegin(); child != command.commands.rend(); ++child) {
    text += begin + " -f -k -a " + child->name + " -d " + inQuotes(child->help, "\\") + "\n";
    addFish(*child, program, path.empty() ? child->name : path + " " + child->name, text);
  }
  if (command.commands.empty() && !command.application && !command.offer.files)
    text += begin + " -f" + fishOffer(command.offer, program) + "\n";
}

} // namespace

std::string bashCompletion(const CommandWords &program) {
  return bashFunction(program, program, "", 1) + "complete -o default -o nosort -F " +
         functionOf("", program) + " " + program.name + "\n";
}

std::string zshCompletion(const CommandWords &program) {
  std::string text = "#compdef " + program.name + "\n";
  if (const std::string flags = beforeCommand(program); !flags.empty())
    text += "while (( CURRENT > 3 )) && [[ $words[2] == (" + flags +
            ") ]]; do\n"
            "  words[2,3]=() CURRENT=$(( CURRENT - 2 ))\ndone\n";
  return text + zshBody(program, program, "");
}

std::string fishCompletion(const CommandWords &program) {
  // Whether the words behind the program begin with these commands.
  std::string text = "function __" + program.name +
                     "_in\n"
                     "  set -l words (commandline -opc)\n"
                     "  set -l number (count $argv)\n";
  if (const std::string flags = beforeCommand(program, " "); !flags.empty())
    text += "  while contains -- \"$words[2]\" " + flags +
            "; and test (count $words) -gt 2\n"
            "    set -e words[2..3]\n  end\n";
  text += "  test $number -eq 0; and return 0\n"
          "  test (count $words) -gt $number; or return 1\n"
          "  set -l last (math 1 + $number)\n"
          "  test \"$words[2..$last]\" = \"$argv\"\n"
          "end\n";
  addFish(program, program, "", text);
  return text;
}

} // namespace aiwc::describe
