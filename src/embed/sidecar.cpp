#include "embed/sidecar.h"

#include "common/error.h"
#include "embed/compact_text.h"
#include "text/json_document.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace aiwc::embed {

using text::JsonDocument;
using text::JsonValue;

namespace {

/// Reads the members of a document; throws an error with the position of anything unexpected.
class SidecarReader {
public:
  SidecarReader(std::string_view text, const std::string &name) : document_(text, name) {}

  std::string fileHash() const {
    const JsonValue &version = member(document_.root(), "aiwc_sidecar");
    const auto *number = std::get_if<uint64_t>(&version.value);
    if (!number || *number != kSidecarVersion)
      document_.fail(version,
                     fmt::format("aiwc_sidecar is not {}: expected that version", kSidecarVersion));
    return string(member(document_.root(), "file_hash"), "file_hash");
  }

  void read(Annotations &result) const {
    for (const JsonValue &entry : array(member(document_.root(), "profiles"), "profiles")) {
      const std::string place = fmt::format("profiles[{}]", result.found.size() + result.rejected);
      std::string text;
      for (const JsonValue &line : array(member(entry, "text"), "text")) {
        text += string(line, "a line of text");
        text += '\n';
      }
      result.add(std::move(text), place);
    }
  }

private:
  const JsonValue &member(const JsonValue &parent, std::string_view key) const {
    if (const auto *members = std::get_if<JsonValue::Object>(&parent.value))
      for (const auto &candidate : *members)
        if (candidate.key == key)
          return candidate.value;
    document_.fail(parent, fmt::format("{} is missing: expected it in a sidecar", key));
  }

  const JsonValue::Array &array(const JsonValue &value, std::string_view key) const {
    if (const auto *elements = std::get_if<JsonValue::Array>(&value.value))
      return *elements;
    document_.fail(value, fmt::format("{} is {}: expected an array", key, value.kind()));
  }

  const std::string &string(const JsonValue &value, std::string_view key) const {
    if (const auto *text = std::get_if<std::string>(&value.value))
      return *text;
    document_.fail(value, fmt::format("{} is {}: expected a string", key, value.kind()));
  }

  JsonDocument document_;
};

} // namespace

std::filesystem::path sidecarOf(const std::filesystem::path &file) {
  return file.string() + ".aiwc.json";
}

std::string writeSidecar(std::span<const Annotation> annotations, std::string_view fileHash) {
  using Json = nlohmann::ordered_json;
  Json profiles = Json::array();
  for (const Annotation &annotation : annotations) {
    const LaunchKey &launch = annotation.launch;
    Json lines = Json::array();
    for (std::string_view rest = annotation.text; !rest.empty();)
      lines.push_back(takeUntil(rest, '\n'));
    profiles.push_back({{"kernel", launch.kernel},
                        {"global_size", sizeText(launch.globalSize, launch.workDim)},
                        {"local_size", sizeText(launch.localSize, launch.workDim)},
                        {"source_hash", annotation.sourceHash},
                        {"text", lines}});
  }
  const Json json{
      {"aiwc_sidecar", kSidecarVersion}, {"file_hash", fileHash}, {"profiles", profiles}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Annotations readSidecar(std::string_view text, const std::string &name, std::string_view fileHash) {
  Annotations result;
  result.sourceHash = fileHash;
  try {
    const SidecarReader reader(text, name);
    const bool stale = reader.fileHash() != fileHash;
    reader.read(result);
    for (Annotation &annotation : result.found) {
      annotation.stale = stale;
      annotation.place = fmt::format("{}: {}", name, annotation.place);
    }
  } catch (const Error &error) {
    if (++result.rejected <= Annotations::kMaximumReasons)
      result.reasons.emplace_back(error.what());
  }
  return result;
}

} // namespace aiwc::embed
