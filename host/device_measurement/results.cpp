#include "device_measurement/results.h"

#include "common/file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace aiwc::device_measurement {

using Json = nlohmann::ordered_json;

ResultFile::ResultFile(const std::filesystem::path &output, std::string fingerprint)
    : path_(output.string() + ".partial"), fingerprint_(std::move(fingerprint)) {}

Results ResultFile::read() const {
  const auto text = readFileIfAny(path_);
  if (!text)
    return {};
  try {
    const Json json = Json::parse(*text);
    if (json.at("fingerprint").get<std::string>() != fingerprint_)
      return {};
    Results results;
    for (const auto &[id, item] : json.at("items").items()) {
      Outcome outcome;
      for (const Json &point : item.at("points"))
        outcome.points.push_back(
            {point.at(0).get<double>(), point.at(1).get<double>(), point.at(2).get<double>()});
      outcome.missing = item.at("missing").get<std::vector<std::string>>();
      results.emplace(id, std::move(outcome));
    }
    return results;
  } catch (const Json::exception &) {
    return {};
  }
}

void ResultFile::write(const Results &results) const {
  Json items = Json::object();
  for (const auto &[id, outcome] : results) {
    Json points = Json::array();
    for (const predict::CurvePoint &point : outcome.points)
      points.push_back({point.bytes, point.value, point.spread});
    items[id] = {{"points", std::move(points)}, {"missing", outcome.missing}};
  }
  const Json json = {{"fingerprint", fingerprint_}, {"items", std::move(items)}};
  const std::filesystem::path folder = path_.parent_path();
  NewFile file(folder.empty() ? "." : folder,
               json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
               fmt::format("{}: cannot be written", path_.string()));
  file.replace(path_);
}

void ResultFile::remove() const {
  std::error_code error; // if it stays, it is replaced next time
  std::filesystem::remove(path_, error);
}

} // namespace aiwc::device_measurement
