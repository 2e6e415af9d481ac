#include "kernel_launch/simulator_errors.h"

#include "common/as_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace aiwc::kernel_launch {

namespace {

using ArgumentKind = Argument::Kind;
using Access = SimulatorError::Access;
using ArrayIndex = SimulatorError::ArrayIndex;

/// The text after `before`, up to one of `ends`; empty if there is none.
std::string_view between(std::string_view text, std::string_view before, std::string_view ends) {
  const size_t at = text.find(before);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find_first_of(ends));
}

std::optional<uint64_t> numberOfReport(std::string_view text) {
  return text.starts_with("0x") ? asNumber(text.substr(2), 16) : asNumber(text);
}

/// "Invalid read of size 4 at global memory address 0x1000000000040"
std::optional<Access> accessOf(std::string_view message) {
  Access access;
  access.isWrite = message.starts_with("Invalid write of size ");
  if (!access.isWrite && !message.starts_with("Invalid read of size "))
    return std::nullopt;
  const auto bytes = numberOfReport(between(message, " of size ", " "));
  const auto address = numberOfReport(between(message, " memory address ", " \n"));
  access.space = between(message, " at ", " ");
  if (!bytes || !address)
    return std::nullopt;
  access.bytes = *bytes;
  access.address = *address;
  return access;
}

/// "Index (4) exceeds static array size (4)"
std::optional<ArrayIndex> arrayIndexOf(std::string_view message) {
  const auto index = numberOfReport(between(message, "Index (", ")"));
  const auto size = numberOfReport(between(message, " exceeds static array size (", ")"));
  if (!index || !size)
    return std::nullopt;
  return ArrayIndex{*index, *size};
}

/// The simulator's addresses: the number of the buffer, and the offset within it.
constexpr unsigned kOffsetBits = 48;

/// An argument, and how many bytes after its begin; negative: before it.
struct Place {
  size_t argument;
  int64_t offset;
};

/// The buffer that an address outside of all buffers was computed from, which is the one whose
/// begin is closest.
std::optional<Place> placeOf(uint64_t address, const LaunchedArguments &launch) {
  constexpr uint64_t kHalf = uint64_t{1} << (kOffsetBits - 1);
  const uint64_t begin = (address + kHalf) >> kOffsetBits << kOffsetBits;
  const auto offset = static_cast<int64_t>(address - begin);
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const ArgumentKind kind = launch.arguments[i].kind;
    const bool isMemory = kind == ArgumentKind::kBuffer || kind == ArgumentKind::kImage;
    if ((isMemory && launch.addresses[i] == begin) || (kind == ArgumentKind::kNull && begin == 0))
      return Place{i, offset};
  }
  return std::nullopt;
}

/// Errors of which one line tells.
struct Group {
  const SimulatorError *first;
  std::optional<Place> place;      ///< of the first
  int64_t lowest = 0, highest = 0; ///< offsets of all, where the place is known
  uint64_t count = 1;
  bool reads = false, writes = false;

  bool takes(const SimulatorError &error, const std::optional<Place> &other) const {
    const auto keyOf = [](const SimulatorError &of, const std::optional<Place> &at) {
      return std::tuple(std::string_view(of.file), of.line, of.access.has_value(),
                        of.access       ? std::string_view(of.access->space)
                        : of.arrayIndex ? std::string_view("array")
                                        : of.message,
                        of.arrayIndex ? of.arrayIndex->size : 0, at.has_value(),
                        at ? at->argument : 0, at && at->offset < 0);
    };
    return keyOf(error, other) == keyOf(*first, place);
  }
};

/// The buffer that an access outside of all memory was computed from.
std::optional<Place> placeOf(const SimulatorError &error, const LaunchedArguments &launch) {
  const bool isInBuffer =
      error.access && (error.access->space == "global" || error.access->space == "constant");
  return isInBuffer ? placeOf(error.access->address, launch) : std::nullopt;
}

std::vector<Group> groupsOf(const std::vector<SimulatorError> &errors,
                            const LaunchedArguments &launch) {
  std::vector<Group> groups;
  for (const SimulatorError &error : errors) {
    const auto place = placeOf(error, launch);
    const int64_t offset = place ? place->offset : 0;
    auto group =
        std::ranges::find_if(groups, [&](const Group &known) { return known.takes(error, place); });
    if (group == groups.end())
      group = groups.insert(groups.end(), {&error, place, offset, offset, 0});
    ++group->count;
    group->lowest = std::min(group->lowest, offset);
    group->highest = std::max(group->highest, offset);
    if (error.access)
      (error.access->isWrite ? group->writes : group->reads) = true;
  }
  return groups;
}

/// One line, for one group.
class Line {
public:
  Line(const Group &group, const LaunchedArguments &launch)
      : group_(group), error_(*group.first), launch_(launch) {}

  std::string text() const {
    std::string line = where() + ": ";
    if (error_.arrayIndex)
      line += fmt::format("{} takes index {} of an array of {}", kernel(), error_.arrayIndex->index,
                          error_.arrayIndex->size);
    else if (!error_.access)
      line += fmt::format("{}: {}", kernel(), error_.message);
    else if (group_.place)
      line += ofArgument();
    else
      line += fmt::format("{} {} {}", kernel(), verb(), outside());
    if (!error_.item.empty())
      line += fmt::format(", in {} {}", launch_.item, error_.item);
    if (group_.count > 1)
      line += fmt::format(", and {} more such {}", group_.count - 1, noun(group_.count > 2));
    return line + expected();
  }

private:
  const std::string &kernel() const { return launch_.signature.kernel; }
  std::string_view verb() const {
    return group_.reads && group_.writes ? "reads and writes" : group_.writes ? "writes" : "reads";
  }

  std::string_view noun(bool isPlural) const {
    if (error_.access)
      return isPlural ? "accesses" : "access";
    if (error_.arrayIndex)
      return isPlural ? "indices" : "index";
    return isPlural ? "errors" : "error";
  }

  std::string where() const {
    if (error_.file.empty() || error_.line == 0)
      return launch_.file;
    return fmt::format("{}:{}", error_.file == kCompiledName ? launch_.file : error_.file,
                       error_.line);
  }

  const Parameter &parameter() const {
    return launch_.signature.parameters[group_.place->argument];
  }
  const Argument &argument() const { return launch_.arguments[group_.place->argument]; }
  std::string name() const {
    return parameter().name.empty() ? fmt::format("argument {}", group_.place->argument)
                                    : parameter().name;
  }
  bool isNull() const { return argument().kind == ArgumentKind::kNull; }
  std::optional<ValueType> type() const { return parameter().valueType(); }
  int64_t elementBytes() const { return type() ? static_cast<int64_t>(type()->valueBytes()) : 1; }
  int64_t elementAt(int64_t offset) const {
    const int64_t bytes = elementBytes();
    return offset >= 0 ? offset / bytes : -((bytes - 1 - offset) / bytes);
  }
  /// The number of elements with which all of these accesses are inside of the buffer.
  int64_t needed() const {
    return elementAt(group_.highest + static_cast<int64_t>(error_.access->bytes) - 1) + 1;
  }

  std::string ofArgument() const {
    if (argument().kind == ArgumentKind::kImage)
      return fmt::format("{} {} outside of {}, an image of {} x {} x {} points", kernel(), verb(),
                         name(), argument().imageSize[0], argument().imageSize[1],
                         argument().imageSize[2]);
    const std::string_view element = type() ? "index" : "byte";
    if (isNull())
      return fmt::format("{} {} {} {} of {}, which is null", kernel(), verb(), element,
                         elementAt(group_.place->offset), name());
    const auto count = static_cast<int64_t>(argument().bytes.size()) / elementBytes();
    return fmt::format("{} {} {} {} of {}, which has {} {}", kernel(), verb(), element,
                       elementAt(group_.place->offset), name(), count,
                       type() ? fmt::format("of type {}", parameter().type) : "bytes");
  }

  std::string outside() const {
    const std::string &space = error_.access->space;
    if (space == "private")
      return "outside of its private arrays";
    if (space != "local")
      return fmt::format("outside of all buffers, at address {:#x}", error_.access->address);
    std::string sizes;
    for (size_t i = 0; i < launch_.arguments.size(); ++i)
      if (launch_.arguments[i].kind == ArgumentKind::kLocal)
        sizes += fmt::format("{}{} has {} bytes", sizes.empty() ? "" : ", ",
                             launch_.signature.nameOf(i), launch_.arguments[i].localBytes);
    return "outside of local memory" + (sizes.empty() ? "" : fmt::format(" ({})", sizes));
  }

  /// What to give instead, where that is an argument.
  std::string expected() const {
    if (!error_.access || !group_.place || argument().contents == "capture" ||
        argument().kind == ArgumentKind::kImage)
      return "";
    if (group_.lowest < 0)
      return ": expected indices from 0 on";
    const std::string option =
        parameter().name.empty() ? fmt::format("{}", group_.place->argument) : parameter().name;
    const auto known = type();
    const std::string of = known ? known->name() : "u8";
    if (static_cast<uint64_t>(needed()) > kMostBytes / static_cast<uint64_t>(elementBytes()))
      return ": expected smaller indices";
    if (argument().contents.starts_with("file:"))
      return fmt::format(": expected a file with {} {} at least", needed(),
                         known ? "values" : "bytes");
    return fmt::format(": expected --arg '{}=buffer:{}:{}{}', or a larger one", option, of,
                       needed(),
                       isNull() || argument().contents.empty() ? "" : ":" + argument().contents);
  }

  const Group &group_;
  const SimulatorError &error_;
  const LaunchedArguments &launch_;
};

} // namespace

std::string withFileName(std::string text, const std::string &file) {
  size_t at = text.find(kCompiledName);
  while (at != std::string::npos) {
    // Not of "my_input.cl" and "folder/input.cl".
    const bool isWord = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    if (isWord)
      text.replace(at, kCompiledName.size(), file);
    at = text.find(kCompiledName, at + (isWord ? file.size() : kCompiledName.size()));
  }
  return text;
}

SimulatorError simulatorErrorOf(std::string_view text) {
  SimulatorError error;
  const std::string_view trimmed =
      text.substr(std::min(text.find_first_not_of(" \n\t"), text.size()));
  error.message = trimmed.substr(0, trimmed.find('\n'));
  if (error.message.starts_with("OCLGRIND FATAL ERROR")) { // where in Oclgrind, then why
    const std::string_view rest =
        trimmed.substr(std::min(error.message.size() + 1, trimmed.size()));
    error.message = "the simulator ended the kernel: ";
    error.message += rest.substr(0, rest.find('\n'));
  }
  if (const std::string_view item = between(trimmed, "Entity: Global(", ")"); !item.empty())
    error.item = fmt::format("({})", item);
  // "At line 4 (column 16) of input.cl:"
  if (const auto line = numberOfReport(between(trimmed, "At line ", " \n"))) {
    error.line = *line;
    std::string_view file = between(trimmed.substr(trimmed.find("At line ")), " of ", "\n");
    if (file.ends_with(':'))
      file.remove_suffix(1);
    error.file = file;
  }
  error.access = accessOf(error.message);
  error.arrayIndex = arrayIndexOf(error.message);
  return error;
}

std::vector<uint64_t> neededValues(const std::vector<SimulatorError> &errors,
                                   const LaunchedArguments &launch) {
  std::vector<uint64_t> needed(launch.arguments.size());
  for (const SimulatorError &error : errors) {
    const auto place = placeOf(error, launch);
    if (!place || place->offset < 0 ||
        launch.arguments[place->argument].kind == ArgumentKind::kImage)
      continue;
    const auto type = launch.signature.parameters[place->argument].valueType();
    const uint64_t bytes = type ? type->valueBytes() : 1;
    const uint64_t end = static_cast<uint64_t>(place->offset) + error.access->bytes;
    if (end <= launch.arguments[place->argument].bytes.size()) // misaligned
      continue;
    uint64_t &values = needed[place->argument];
    values = std::max(values, (end + bytes - 1) / bytes);
  }
  return needed;
}

std::vector<std::string> linesOf(const std::vector<SimulatorError> &errors, uint64_t untold,
                                 const LaunchedArguments &launch) {
  constexpr size_t kMostLines = 10;
  std::vector<Group> groups = groupsOf(errors, launch);
  std::set<std::pair<std::string_view, uint64_t>> wrongIndices; // by file and line
  for (const Group &group : groups)
    if (group.first->arrayIndex && group.first->line != 0)
      wrongIndices.emplace(group.first->file, group.first->line);
  std::erase_if(groups, [&](const Group &group) { // the access there is the same fault
    return group.first->access && !group.place &&
           wrongIndices.contains({group.first->file, group.first->line});
  });
  std::vector<std::string> lines;
  uint64_t others = untold;
  for (const Group &group : groups)
    if (lines.size() < kMostLines)
      lines.push_back(Line(group, launch).text());
    else
      others += group.count;
  if (others > 0)
    lines.push_back(fmt::format("{}: {} more error{} of the simulator in {}", launch.file, others,
                                others == 1 ? "" : "s", launch.signature.kernel));
  return lines;
}

} // namespace aiwc::kernel_launch
