#include "kernel_launch/command.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, FileKind>, 7> kEndings = {
    {{".cl", FileKind::kOpenClC},
     {".bc", FileKind::kBitcode},
     {".ll", FileKind::kLlvmText},
     {".spv", FileKind::kSpirv},
     {".cu", FileKind::kCuda},
     {".hip", FileKind::kCuda},
     {".bin", FileKind::kBitcode}}}; // of a capture

constexpr std::array<std::pair<std::string_view, std::string Command::*>, 7> kTexts = {
    {{"--kernel", &Command::kernel},
     {"--local", &Command::local},
     {"--offset", &Command::offset},
     {"--build-options", &Command::buildOptions},
     {"--shared-memory", &Command::sharedMemory},
     {"--written-results", &Command::writtenResults},
     {"--expected-results", &Command::expectedResults}}};
constexpr std::array<std::pair<std::string_view, std::vector<std::string> Command::*>, 2> kLists = {
    {{"--global", &Command::global}, {"--arg", &Command::arguments}}};

Parsed parsedCaptures(const Command &command) {
  Parsed parsed;
  parsed.kind = FileKind::kCapture;
  for (const auto &[flag, member] : kTexts)
    if (!flag.ends_with("-results") && !(command.*member).empty())
      throw Error(
          fmt::format("{} is given with a capture: expected no options of the launch, which "
                      "the capture has",
                      flag));
  for (const auto &[flag, member] : kLists)
    if (!(command.*member).empty())
      throw Error(
          fmt::format("{} is given with a capture: expected no options of the launch, which "
                      "the capture has",
                      flag));
  return parsed;
}

} // namespace

FileKind fileKindOf(const std::string &file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    throw Error(fmt::format("{}: does not exist: expected a program or a capture", file));
  if (fs::is_directory(status))
    return FileKind::kCapture;
  for (const auto &[ending, kind] : kEndings)
    if (file.ends_with(ending))
      return kind;
  throw Error(fmt::format("{}: is of no known kind: expected a file .cl, .cu, .spv, .ll or .bc, or "
                          "the folder of a capture",
                          file));
}

void requireSource(const std::vector<std::string> &files) {
  constexpr std::string_view kExpected = "expected a program, .cl or .cu";
  if (files.size() != 1)
    throw Error(fmt::format("{} files: {}", files.size(), kExpected));
  std::error_code error;
  if (!fs::exists(files.front(), error))
    throw Error(fmt::format("{}: does not exist: {}", files.front(), kExpected));
  const FileKind kind = fileKindOf(files.front());
  if (kind != FileKind::kOpenClC && kind != FileKind::kCuda)
    throw Error(fmt::format("{}: has no macros: {}", files.front(), kExpected));
}

Parsed parsed(const Command &command) {
  if (command.files.empty())
    throw Error("no program: expected a file .cl, .cu, .spv, .ll or .bc, or folders of captures");
  const FileKind kind = fileKindOf(command.files.front());
  if (kind != FileKind::kCapture && command.files.size() > 1)
    throw Error(fmt::format("{} and {}: expected one program, or only folders of captures",
                            command.files[0], command.files[1]));
  for (const std::string &file : command.files)
    if (kind == FileKind::kCapture && fileKindOf(file) != FileKind::kCapture)
      throw Error(fmt::format("{} and {}: expected one program, or only folders of captures",
                              command.files.front(), file));
  if (kind == FileKind::kCapture)
    return parsedCaptures(command);
  Parsed parsed;
  parsed.kind = kind;
  if (command.global.empty())
    throw Error("no global size: expected --global, such as --global 1024x1024");
  for (const std::string &global : command.global)
    parsed.sizes.push_back(sizesOf(global, command.local, command.offset));
  if (!command.sharedMemory.empty() && kind != FileKind::kCuda)
    throw Error(
        fmt::format("--shared-memory is given with {}: expected it with CUDA programs only; "
                    "local memory of OpenCL is an argument, local:BYTES",
                    command.files.front()));
  for (const std::string &text : command.arguments)
    if (text == "auto")
      parsed.proposes = true;
    else
      parsed.arguments.push_back(argumentOf(text));
  return parsed;
}

std::vector<std::string> wordsOf(const Command &command) {
  std::vector<std::string> words = command.files;
  for (const auto &[flag, member] : kTexts)
    if (!(command.*member).empty())
      words.insert(words.end(), {std::string(flag), command.*member});
  for (const auto &[flag, member] : kLists)
    for (const std::string &text : command.*member)
      words.insert(words.end(), {std::string(flag), text});
  return words;
}

Command commandOf(const std::vector<std::string> &words) {
  Command command;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (!word.starts_with("--")) {
      command.files.push_back(word);
      continue;
    }
    if (i + 1 == words.size())
      throw Error(fmt::format("{} has no value: expected one", word));
    const auto isFlag = [&](const auto &row) { return row.first == word; };
    if (const auto *text = std::ranges::find_if(kTexts, isFlag); text != kTexts.end())
      command.*(text->second) = words[++i];
    else if (const auto *list = std::ranges::find_if(kLists, isFlag); list != kLists.end())
      (command.*(list->second)).push_back(words[++i]);
    else
      throw Error(fmt::format("unknown option {}: expected those of aiwc kernel", word));
  }
  return command;
}

} // namespace aiwc::kernel_launch
