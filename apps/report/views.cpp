#include "report/views.h"

#include "common/error.h"
#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::report {

nlohmann::ordered_json textsJson(const std::vector<Text> &texts) {
  auto object = nlohmann::ordered_json::object();
  for (const Text &text : texts)
    object[std::string(text.key)] = text.text;
  return object;
}

nlohmann::ordered_json viewsJson(const std::vector<View> &views) {
  auto rows = nlohmann::ordered_json::array();
  for (const View &view : views) {
    rows.push_back({{"name", view.name}, {"title", view.title}, {"texts", textsJson(view.texts)}});
  }
  return rows;
}

std::string pictureList(const std::vector<View> &views) {
  std::vector<std::vector<std::string>> rows;
  for (const View &view : views)
    if (!view.picture.empty())
      rows.push_back({std::string(view.name), std::string(view.picture)});
  return text::textTable(rows, {true, true});
}

void requirePicture(const std::vector<View> &views, std::string_view name) {
  std::string names;
  for (const View &view : views) {
    if (view.picture.empty())
      continue;
    if (view.name == name)
      return;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", view.name);
  }
  throw Error(fmt::format("--chart {}: expected one of {}", text::printable(name, 100), names));
}

} // namespace aiwc::report
