#include "embed/llvm_text_annotations.h"

#include "embed/bytes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace aiwc::embed {

namespace {

/// The nodes of `found` that the rest of the text refers to, sorted.
std::vector<uint32_t> othersReferences(std::string_view text, const IrAnnotations &found) {
  std::set<size_t> own; // begins of lines
  std::set<uint32_t> wanted;
  for (const auto &list : found.lists)
    own.insert(list.line.begin);
  for (const auto &node : found.nodes) {
    own.insert(node.line.begin);
    wanted.insert(node.content.number);
  }
  std::vector<uint32_t> others;
  IrLineReader lines(text);
  for (size_t at = text.find('!'); at != std::string_view::npos; at = text.find('!', at)) {
    ++at;
    const auto number = referenceAt(text, at);
    if (!number || *number < *wanted.begin() || *number > *wanted.rbegin() ||
        !wanted.contains(*number))
      continue;
    lines.skipTo(at);
    const auto line = lines.next();
    if (!line)
      break;
    if (!own.contains(line->begin))
      collectReferences(text, *line, others);
    at = line->end;
  }
  std::ranges::sort(others);
  return others;
}

/// The lines that make up the annotations, in order.
std::vector<IrLine> removableLines(std::string_view text, const IrAnnotations &found) {
  std::vector<IrLine> removable = found.comments;
  for (const auto &list : found.lists)
    removable.push_back(list.line);
  if (!found.nodes.empty()) {
    const std::vector<uint32_t> others = othersReferences(text, found);
    for (const auto &node : found.nodes)
      if (!std::ranges::binary_search(others, node.content.number))
        removable.push_back(node.line);
  }
  std::ranges::sort(removable, {}, &IrLine::begin);
  return removable;
}

} // namespace

IrAnnotations findIrAnnotations(std::string_view text) {
  constexpr std::string_view kName = "aiwc"; // in all of them
  IrAnnotations found;
  IrLineReader lines(text);
  for (size_t at = findFour(text, kName, 0); at != std::string_view::npos;) {
    lines.skipTo(at);
    const auto line = lines.next();
    if (!line)
      break;
    const std::string_view content = contentOf(text, *line);
    if (content.starts_with(kIrMarker))
      found.comments.push_back(*line);
    else if (auto list = parseMetricsList(content))
      found.lists.push_back({*line, *std::move(list)});
    else if (const auto node = parseMetricsNode(content))
      found.nodes.push_back({*line, *node});
    at = findFour(text, kName, line->end);
  }
  return found;
}

std::vector<std::string_view> betweenIrAnnotations(std::string_view text,
                                                   const IrAnnotations &found) {
  std::vector<std::string_view> pieces = {""};
  size_t at = 0; // the end of the last of the lines that go
  for (const IrLine &line : removableLines(text, found)) {
    if (line.begin > at)
      pieces.push_back(text.substr(at, line.begin - at));
    at = line.end;
    // If a text ended without a newline, embedding added one before the first line of metadata.
    if (line.end == line.newline)
      dropNewline(pieces.back());
  }
  pieces.push_back(text.substr(at));
  return pieces;
}

} // namespace aiwc::embed
