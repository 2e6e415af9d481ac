#include "embed/opencl_c.h"

#include "embed/bytes.h"
#include "embed/comment_blocks.h"
#include "embed/place.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace aiwc::embed {

namespace {

/// Calls `use` with each piece of `source` between its blocks.
template <typename Use>
void betweenBlocks(std::string_view source, const std::vector<Block> &blocks, Use use) {
  size_t at = 0;
  for (const Block &block : blocks) {
    use(source.substr(at, block.begin - at));
    at = block.end;
  }
  use(source.substr(at));
}

std::string hashBetween(std::string_view source, const std::vector<Block> &blocks) {
  profile::SourceHasher hasher;
  betweenBlocks(source, blocks, [&](std::string_view piece) { hasher.add(piece); });
  return hasher.hash();
}

void readBlock(std::string_view source, const Block &block, size_t line, Annotations &result) {
  const std::string place = fmt::format("line {}", line);
  // Of what made it: "1", or "1: a remark".
  const Marker marker{block.version.substr(0, block.version.find(':')), {}};
  if (block.nested)
    result.reject(place, "an annotation encloses another: expected the end of the first");
  else if (const std::string mismatch = versionMismatch(marker); !mismatch.empty())
    result.reject(place, mismatch);
  else if (block.end - block.begin > 2 * kMaximumBytes)
    result.reject(place, fmt::format("an annotation of {} bytes: expected at most {}",
                                     block.end - block.begin, kMaximumBytes));
  else
    result.add(blockText(source, block), place);
}

} // namespace

std::string strip(std::string_view source) {
  std::string result;
  result.reserve(source.size());
  betweenBlocks(source, findBlocks(source), [&](std::string_view piece) { result += piece; });
  return result;
}

std::string bareHash(std::string_view source) {
  return hashBetween(source, findBlocks(source));
}

Annotations readAnnotations(std::string_view source) {
  Annotations result;
  const std::vector<Block> blocks = findBlocks(source);
  result.sourceHash = hashBetween(source, blocks);
  size_t line = 1;
  size_t counted = 0;
  for (const Block &block : blocks) {
    line += countNewlines(source.substr(counted, block.begin - counted));
    counted = block.begin;
    readBlock(source, block, line, result);
  }
  for (Annotation &annotation : result.found)
    annotation.stale = annotation.sourceHash != result.sourceHash;
  return result;
}

std::string embed(std::string_view source, std::span<const Annotation> annotations) {
  const std::string bare = strip(source);
  const auto places = kernelPlaces(bare);
  const std::string_view newline = newlineOf(bare);
  std::vector<std::pair<Place, const Annotation *>> placed;
  for (const Annotation &annotation : annotations) {
    const auto found = places.find(annotation.launch.kernel);
    placed.emplace_back(found == places.end() ? topOf(bare) : found->second, &annotation);
  }
  std::ranges::stable_sort(placed, {}, [](const auto &entry) { return entry.first.offset; });
  std::string result;
  size_t at = 0;
  for (const auto &[place, annotation] : placed) {
    result.append(bare, at, place.offset - at);
    at = place.offset;
    result += writeBlock(annotation->text, place.line, newline);
  }
  return result.append(bare, at);
}

const Container kOpenClC = {
    .name = "OpenCL C",
    .sourceKind = "opencl-c",
    .isSource = true,
    // Accepts any text, since macros can turn any text into OpenCL C.
    .recognises = [](const std::filesystem::path &, std::string_view) { return true; },
    .read = readAnnotations,
    .strip = strip,
    .embed = embed,
    .identity =
        [](std::string_view source) {
          return Identity{bareHash(source), {}};
        },
};

} // namespace aiwc::embed
