#include "kernel_launch/variants.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace aiwc::kernel_launch {

namespace {

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isWholeNumber(const std::string &text) {
  const size_t begin = text.starts_with('-') ? 1 : 0;
  return text.size() > begin && text.find_first_not_of("0123456789", begin) == std::string::npos;
}

/// "TILE,16" of "TILExTILE": sizes with x between names of parameters and numbers. None if the text
/// is anything else.
std::optional<std::string> withCommas(std::string_view text,
                                      const std::vector<TuneParameter> &parameters) {
  for (size_t end = text.find('x'); true; end = text.find('x', end + 1)) {
    const std::string_view size = text.substr(0, end);
    const bool isSize =
        std::ranges::find(parameters, size, &TuneParameter::name) != parameters.end() ||
        (!size.empty() &&
         std::ranges::all_of(size, [](unsigned char c) { return std::isdigit(c) != 0; }));
    if (end == std::string_view::npos)
      return isSize ? std::optional(std::string(size)) : std::nullopt;
    if (const auto rest = isSize ? withCommas(text.substr(end + 1), parameters) : std::nullopt)
      return fmt::format("{},{}", size, *rest);
  }
}

/// The text with values in place of the names of parameters. Numbers stand in parentheses, so that
/// they stay whole in expressions.
std::string substituted(std::string_view text, const std::vector<TuneParameter> &parameters,
                        const Configuration &configuration) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isOfName(text[end]))
      ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const std::string_view word = text.substr(i, end - i);
    const auto parameter = std::ranges::find(parameters, word, &TuneParameter::name);
    if (parameter == parameters.end()) {
      result += word;
    } else {
      const std::string &value = configuration[static_cast<size_t>(parameter - parameters.begin())];
      result += isWholeNumber(value) ? fmt::format("({})", value) : value;
    }
    i = end;
  }
  return result;
}

/// As a shell splits them: at blanks outside of quotes, which it removes. Throws Error for a quote
/// without an end.
std::vector<std::string> shellWordsOf(const std::string &text) {
  std::vector<std::string> words;
  bool isInWord = false;
  char quote = 0;
  for (const char c : text) {
    const bool ends = quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!ends && !isInWord)
      words.emplace_back();
    isInWord = !ends;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (!ends)
      words.back() += c;
  }
  if (quote != 0)
    throw Error(fmt::format("has no second {}: expected one", quote));
  return words;
}

std::string parameterOf(const std::string &argument) {
  return argument.substr(0, argument.find('='));
}

} // namespace

TuneParameter tuneParameterOf(const std::string &text) {
  const size_t equals = text.find('=');
  TuneParameter parameter;
  if (equals != std::string::npos) {
    parameter.name = text.substr(0, equals);
    parameter.values = splitAtCommas(std::string_view(text).substr(equals + 1));
  }
  const bool isName = !parameter.name.empty() && std::ranges::all_of(parameter.name, isOfName) &&
                      std::isdigit(static_cast<unsigned char>(parameter.name[0])) == 0;
  const auto isValue = [](const std::string &value) {
    return !value.empty() && value.find_first_of(" /") == std::string::npos;
  };
  if (!isName || !std::ranges::all_of(parameter.values, isValue))
    throw Error(fmt::format("--parameter {}: expected the name of a macro and its values, such as "
                            "TILE=8,16,32",
                            text));
  std::vector<std::string> sorted = parameter.values;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw Error(
        fmt::format("--parameter {}: has {} twice: expected each value once", text, *twice));
  return parameter;
}

std::vector<Configuration> configurationsOf(const std::vector<TuneParameter> &parameters,
                                            const std::vector<std::string> &restrictions) {
  size_t count = 1;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (std::ranges::find(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(i),
                          parameters[i].name, &TuneParameter::name) !=
        parameters.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(
          fmt::format("--parameter {} is given twice: expected it once", parameters[i].name));
    count *= parameters[i].values.size();
    if (count > kMostConfigurations)
      throw Error(
          fmt::format("more than {} combinations of values: expected fewer", kMostConfigurations));
  }
  std::vector<Configuration> configurations;
  for (size_t number = 0; number < count; ++number) {
    Configuration configuration(parameters.size());
    size_t rest = number;
    for (size_t i = parameters.size(); i-- > 0;) {
      const auto &values = parameters[i].values;
      configuration[i] = values[rest % values.size()];
      rest /= values.size();
    }
    const auto isMet = [&](const std::string &restriction) {
      try {
        return holds(substituted(restriction, parameters, configuration));
      } catch (const Error &error) {
        throw Error(fmt::format("--restriction {}: {}", restriction, error.what()));
      }
    };
    if (std::ranges::all_of(restrictions, isMet))
      configurations.push_back(std::move(configuration));
  }
  if (configurations.empty())
    throw Error("the restrictions leave no combination of values: expected one at least");
  return configurations;
}

std::string nameOf(const std::vector<TuneParameter> &parameters,
                   const Configuration &configuration) {
  std::string name;
  for (size_t i = 0; i < parameters.size(); ++i)
    name += fmt::format("{}{}={}", i > 0 ? "," : "", parameters[i].name, configuration[i]);
  return name;
}

Command commandFor(const Command &command, const std::vector<TuneParameter> &parameters,
                   const Configuration &configuration) {
  const auto with = [&](std::string_view text) {
    return substituted(text, parameters, configuration);
  };
  Command made = command;
  const auto sizes = [&](const std::string &text) {
    return with(withCommas(text, parameters).value_or(text));
  };
  for (std::string &text : made.global)
    text = sizes(text);
  made.local = sizes(command.local);
  made.offset = sizes(command.offset);
  made.sharedMemory = with(command.sharedMemory);
  for (std::string &text : made.arguments)
    if (const size_t equals = text.find('='); equals != std::string::npos)
      text = text.substr(0, equals + 1) + with(std::string_view(text).substr(equals + 1));
  for (size_t i = 0; i < parameters.size(); ++i)
    made.buildOptions += fmt::format("{}-D {}={}", made.buildOptions.empty() ? "" : " ",
                                     parameters[i].name, configuration[i]);
  return made;
}

Command variantOf(const Command &common, const std::string &text) {
  try {
    Command own = commandOf(shellWordsOf(text));
    if (own.files.size() != 1)
      throw Error(fmt::format("has {} programs: expected one, then options of its launch",
                              own.files.size()));
    if (!own.writtenResults.empty() || !own.expectedResults.empty())
      throw Error("has options of the host program: expected those of aiwc kernel");
    for (std::string Command::*const one : {&Command::kernel, &Command::local, &Command::offset,
                                            &Command::buildOptions, &Command::sharedMemory})
      if ((own.*one).empty())
        own.*one = common.*one;
    if (own.global.empty())
      own.global = common.global;
    std::vector<std::string> arguments = common.arguments;
    std::erase_if(arguments, [&](const std::string &argument) {
      return std::ranges::find(own.arguments, parameterOf(argument), parameterOf) !=
             own.arguments.end();
    });
    own.arguments.insert(own.arguments.begin(), arguments.begin(), arguments.end());
    return own;
  } catch (const Error &error) {
    throw Error(fmt::format("--variant {}: {}", text, error.what()));
  }
}

} // namespace aiwc::kernel_launch
