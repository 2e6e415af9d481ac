#include "embed/llvm_text.h"

#include "common/error.h"
#include "embed/comment_blocks.h"
#include "embed/compact_text.h"
#include "embed/llvm_text_annotations.h"
#include "embed/llvm_text_lines.h"
#include "embed/marker.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace aiwc::embed {

namespace {

constexpr std::string_view kIrBegin = "begin ";
constexpr std::string_view kIrEnd = "end";

/// Reads blocks of comments, line by line.
class IrBlockReader {
public:
  IrBlockReader(std::string_view text, Annotations &result) : text_(text), result_(result) {}

  void add(const IrLine &line) {
    if (line.begin != follows_)
      close();
    follows_ = line.end;
    const std::string_view content = contentOf(text_, line).substr(kIrMarker.size());
    if (content.starts_with(kIrBegin)) {
      close();
      open_ = true;
      std::string_view marker = content.substr(kIrBegin.size());
      marker_ = takeMarker(marker);
      place_ = fmt::format("line {}", line.number);
    } else if (!open_) {
      result_.reject(fmt::format("line {}", line.number),
                     "a line of an annotation has no first line: expected its begin");
    } else if (content == kIrEnd) {
      finish();
    } else if (compact_.size() <= kMaximumBytes) { // or it is refused all the same
      compact_ += compact_.empty() ? "" : "\n";
      compact_ += content;
    }
  }

  /// No more lines follow.
  void close() {
    if (open_)
      result_.reject(place_, "an annotation is not complete: expected its end");
    reset();
  }

private:
  void finish() {
    result_.addMarked(marker_, std::move(compact_), place_);
    reset();
  }

  void reset() {
    open_ = false;
    compact_.clear();
  }

  std::string_view text_;
  Annotations &result_;
  size_t follows_ = 0;
  bool open_ = false;
  Marker marker_;
  std::string place_;
  std::string compact_;
};

void readNodes(const IrAnnotations &found, Annotations &result) {
  std::map<uint32_t, const IrAnnotations::Node *> nodes;
  for (const auto &node : found.nodes)
    nodes.emplace(node.content.number, &node);
  std::set<uint32_t> read; // a list that is linked with itself names a node twice
  for (const auto &list : found.lists)
    for (const uint32_t number : list.nodes) {
      if (!read.insert(number).second)
        continue;
      const auto node = nodes.find(number);
      if (node == nodes.end()) {
        result.reject(
            fmt::format("line {}", list.line.number),
            fmt::format("!{} is not an annotation: expected a string that begins with '{}'", number,
                        kMarkerName));
        continue;
      }
      std::string_view content = node->second->content.text;
      const Marker marker = takeMarker(content);
      result.addMarked(marker, std::string(content),
                       fmt::format("line {}", node->second->line.number));
    }
}

/// Removes one line from the compact form. Text from metadata has no lines, so it is split between
/// words into lines of readable length.
std::string_view takeLine(std::string_view &text) {
  constexpr size_t kWidth = 100;
  if (text.find('\n') != std::string_view::npos || text.size() <= kWidth)
    return takeUntil(text, '\n');
  size_t end = text.rfind(' ', kWidth);
  if (end == std::string_view::npos)
    end = std::min(text.find(' '), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string commentBlock(const Annotation &annotation, std::string_view containerHash,
                         std::string_view newline) {
  std::string block =
      fmt::format("{}{}{}{}", kIrMarker, kIrBegin, writeMarker(containerHash), newline);
  for (std::string_view rest = annotation.text; !rest.empty();)
    block += fmt::format("{}{}{}", kIrMarker, takeLine(rest), newline);
  return block + fmt::format("{}{}{}", kIrMarker, kIrEnd, newline);
}

std::string metadataOf(std::span<const Annotation> annotations, uint32_t firstNumber,
                       std::string_view newline) {
  std::string numbers;
  std::string nodes;
  uint32_t number = firstNumber;
  for (const Annotation &annotation : annotations) {
    numbers += fmt::format("{}!{}", numbers.empty() ? "" : ", ", number);
    nodes += fmt::format("!{} = !{{!\"{}\"}}{}", number, markedLine(annotation.text), newline);
    ++number;
  }
  return fmt::format("!{}= !{{{}}}{}{}", kMarkerName, numbers, newline, nodes);
}

/// The facts about a text without annotations that are needed to insert some.
struct IrPlaces {
  std::map<std::string, size_t, std::less<>> definitions; ///< function -> begin of its line
  uint64_t freeNumber = 0;                                ///< above those of all nodes
};

IrPlaces findPlaces(std::string_view text) {
  IrPlaces places;
  std::vector<uint32_t> numbers;
  IrLineReader lines(text);
  while (const auto line = lines.next()) {
    if (!line->closed)
      throw Error(
          fmt::format("line {}: the text ends inside a string: expected LLVM IR", line->number));
    if (auto function = parseDefinition(text.substr(line->begin, line->comment - line->begin)))
      places.definitions.emplace(*std::move(function), line->begin);
    collectReferences(text, *line, numbers);
    for (const uint32_t number : numbers)
      places.freeNumber = std::max(places.freeNumber, uint64_t{number} + 1);
    numbers.clear();
  }
  return places;
}

/// Whether `text`, apart from comments, begins in a way that LLVM IR can and OpenCL C cannot.
bool beginsAsLlvmText(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  for (;;) {
    const size_t begin = text.find_first_not_of(kSpace);
    if (begin == std::string_view::npos)
      return false;
    text.remove_prefix(begin);
    if (!text.starts_with(';'))
      break;
    const size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos)
      return text.starts_with("; ModuleID = ");
    text.remove_prefix(end);
  }
  // %: is a digraph of C.
  return (text.starts_with('%') && !text.starts_with("%:")) || text.starts_with('@') ||
         text.starts_with('!') || text.starts_with("source_filename = ") ||
         text.starts_with("target datalayout = ") || text.starts_with("target triple = ") ||
         text.starts_with("module asm ") || text.starts_with("attributes #") ||
         ((text.starts_with("define ") || text.starts_with("declare ")) &&
          text.substr(0, text.find_first_of("\r\n")).find('@') != std::string_view::npos);
}

bool isLlvmText(const std::filesystem::path &file, std::string_view content) {
  return file.extension() == ".ll" || (file.extension() != ".cl" && beginsAsLlvmText(content));
}

} // namespace

Annotations readLlvmText(std::string_view text) {
  const IrAnnotations found = findIrAnnotations(text);
  Annotations result;
  profile::SourceHasher hasher;
  for (const std::string_view piece : betweenIrAnnotations(text, found))
    hasher.add(piece);
  result.sourceHash = hasher.hash();
  IrBlockReader blocks(text, result);
  for (const IrLine &comment : found.comments)
    blocks.add(comment);
  blocks.close();
  readNodes(found, result);
  result.dropEqual();
  result.markStale();
  return result;
}

std::string stripLlvmText(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const std::string_view piece : betweenIrAnnotations(text, findIrAnnotations(text)))
    result += piece;
  return result;
}

std::string embedIntoLlvmText(std::string_view text, std::span<const Annotation> annotations) {
  std::string bare = stripLlvmText(text);
  const IrPlaces places = findPlaces(bare);
  if (annotations.empty())
    return bare;
  if (places.freeNumber + annotations.size() > std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("node !{}: expected metadata that leaves numbers for {} more nodes",
                            places.freeNumber - 1, annotations.size()));
  const std::string hash = profile::sourceHash(bare);
  const std::string_view newline = newlineOf(bare);
  std::vector<std::pair<size_t, const Annotation *>> placed;
  for (const Annotation &annotation : annotations) {
    const auto definition = places.definitions.find(annotation.launch.kernel);
    placed.emplace_back(definition == places.definitions.end() ? 0 : definition->second,
                        &annotation);
  }
  std::ranges::stable_sort(placed, {}, &std::pair<size_t, const Annotation *>::first);
  std::string result;
  size_t at = 0;
  for (const auto &[offset, annotation] : placed) {
    result.append(bare, at, offset - at);
    at = offset;
    result += commentBlock(*annotation, hash, newline);
  }
  result.append(bare, at);
  std::string metadata = metadataOf(annotations, static_cast<uint32_t>(places.freeNumber), newline);
  if (!bare.empty() && !bare.ends_with('\n') && !bare.ends_with('\r')) {
    dropNewline(metadata);
    result += newline;
  }
  return result + metadata;
}

std::vector<std::string> definedInLlvmText(std::string_view text) {
  std::vector<std::string> functions;
  IrLineReader lines(text);
  while (const auto line = lines.next())
    if (auto function = parseDefinition(text.substr(line->begin, line->comment - line->begin)))
      functions.push_back(*std::move(function));
  std::ranges::sort(functions);
  return functions;
}

const Container kLlvmText = {
    .name = "LLVM IR",
    .sourceKind = "",
    .recognises = isLlvmText,
    .read = readLlvmText,
    .strip = stripLlvmText,
    .embed = embedIntoLlvmText,
    .identity =
        [](std::string_view text) {
          return Identity{"", definedInLlvmText(text)};
        },
};

} // namespace aiwc::embed
