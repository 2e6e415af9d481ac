/// Reading the suite's own JSON files, and aiwc's profiles.
#pragma once

#include "eod/common/error.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace aiwc::eod {

using Json = nlohmann::ordered_json;

/// The file's JSON. Throws Error, `file: what is wrong: what was expected`, if the file is missing,
/// cut off, or not JSON.
Json readJson(const std::filesystem::path &file);

/// Indented, with a newline at the end; bytes that are not UTF-8 are replaced.
std::string dump(const Json &json);

/// Applies `convert` to the file's JSON. If a key is missing or has another type, throws Error,
/// naming the file and what was `expected`.
template <typename Convert>
auto read(const std::filesystem::path &file, Convert convert,
          const char *expected = "what an application of the suite writes") {
  const Json json = readJson(file);
  try {
    return convert(json);
  } catch (const Json::exception &error) {
    throw Error(file.string() + ": " + error.what() + ": expected " + expected);
  }
}

} // namespace aiwc::eod
