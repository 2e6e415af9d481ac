#include "completions.h"

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

/// The name of a command's shell function: the names of its parent commands, then its own.
std::string functionOf(const std::string &parent, const CommandWords &command) {
  return parent + "_" + command.name;
}

std::string bashFunction(const CommandWords &command, const std::string &parent, int depth) {
  std::string others; // the functions of its subcommands
  std::string choice;
  std::vector<std::string> names;
  for (const CommandWords &child : command.commands) {
    names.push_back(child.name);
    if (child.options.empty() && child.commands.empty())
      continue;
    others += bashFunction(child, functionOf(parent, command), depth + 1);
    choice += "    " + child.name + ") " + functionOf(functionOf(parent, command), child) +
              "; return ;;\n";
  }
  std::string arguments;
  std::vector<std::string> flags;
  for (const OptionWords &option : command.options) {
    flags.push_back(option.flag);
    if (option.argument.empty())
      continue;
    const std::string words =
        option.folders ? "compgen -d -- \"$word\""
        : option.offered.empty()
            ? ""
            : "compgen -W " + inQuotes(joined(option.offered)) + " -- \"$word\"";
    arguments += "    " + option.flag + ") " +
                 (words.empty() ? "" : "mapfile -t COMPREPLY < <(" + words + "); ") + "return ;;\n";
  }

  std::string text = others + functionOf(parent, command) + "() {\n";
  const std::string level = std::to_string(depth);
  if (!names.empty())
    text += "  if [ \"$COMP_CWORD\" -eq " + level + " ]; then\n" +
            "    mapfile -t COMPREPLY < <(compgen -W " + inQuotes(joined(names)) +
            " -- \"${COMP_WORDS[COMP_CWORD]}\")\n    return\n  fi\n";
  if (!choice.empty())
    text += "  case ${COMP_WORDS[" + level + "]} in\n" + choice + "  esac\n";
  if (!flags.empty()) {
    // Bash splits `--option=argument` into three words.
    text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
            "  if [ \"$word\" = = ]; then\n"
            "    word=\n"
            "  elif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
            "    before=${COMP_WORDS[COMP_CWORD-2]}\n"
            "  fi\n";
    text += "  case $before in\n" + arguments + "  esac\n";
    text += "  case $word in\n    -*) mapfile -t COMPREPLY < <(compgen -W " +
            inQuotes(joined(flags)) + " -- \"$word\") ;;\n  esac\n";
  }
  return text + "}\n";
}

/// The options and commands of one command, as arguments of zsh's _arguments.
std::string zshArguments(const CommandWords &command, const std::string &indent) {
  std::string text = indent + "_arguments -S";
  for (const OptionWords &option : command.options) {
    std::string spec = option.flag + (option.argument.empty() ? "" : "=") + "[";
    for (const char c : option.help)
      spec += (c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + std::string(1, c);
    spec += "]";
    if (!option.argument.empty())
      spec += ":" + option.argument + ":" +
              (option.folders           ? "_files -/"
               : option.offered.empty() ? ""
                                        : "(" + joined(option.offered) + ")");
    text += " \\\n" + indent + "  " + inQuotes(spec);
  }
  return text + " \\\n" + indent + "  '*::application:_normal'\n";
}

void addFish(const CommandWords &command, const std::string &program, const std::string &condition,
             std::string &text) {
  const std::string begin =
      "complete -c " + program + (condition.empty() ? "" : " -n " + inQuotes(condition));
  for (const OptionWords &option : command.options) {
    text += begin + " -l " + option.flag.substr(option.flag.find_first_not_of('-'));
    if (option.folders)
      text += " -x -a '(__fish_complete_directories)'";
    else if (!option.offered.empty())
      text += " -x -a " + inQuotes(joined(option.offered), "\\");
    else if (!option.argument.empty())
      text += " -x";
    text += " -d " + inQuotes(option.help, "\\") + "\n";
  }
  for (const CommandWords &child : command.commands) {
    text += "complete -c " + program + " -n __fish_use_subcommand -a " + child.name + " -d " +
            inQuotes(child.help, "\\") + "\n";
    addFish(child, program, "__fish_seen_subcommand_from " + child.name, text);
  }
}

} // namespace

std::string bashCompletion(const CommandWords &program) {
  return bashFunction(program, "", 1) + "complete -o default -F " + functionOf("", program) + " " +
         program.name + "\n";
}

std::string zshCompletion(const CommandWords &program) {
  std::string text = "#compdef " + program.name + "\n";
  if (program.commands.empty())
    return text + zshArguments(program, "");
  text += "if (( CURRENT == 2 )); then\n  local -a subcommands\n  subcommands=(\n";
  std::string choice;
  for (const CommandWords &command : program.commands) {
    text += "    " + inQuotes(command.name + ":" + command.help) + "\n";
    if (!command.options.empty())
      choice += "    " + command.name + ")\n      shift words\n      (( CURRENT-- ))\n" +
                zshArguments(command, "      ") + "      ;;\n";
  }
  return text + "  )\n  _describe command subcommands\nelse\n  case $words[2] in\n" + choice +
         "    *) _files ;;\n  esac\nfi\n";
}

std::string fishCompletion(const CommandWords &program) {
  std::string text;
  addFish(program, program.name, "", text);
  return text;
}

} // namespace aiwc::describe
