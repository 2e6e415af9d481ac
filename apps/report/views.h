/// The views of the pages: their names, titles and all sentences. apps/report/page/<page>/<name>.js
/// draws each. This is the only place for captions, titles of axes and explanations.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::report {

/// A sentence or a label. "{name}" stands for a value that the page fills in, and
/// "{name:noun|nouns}" for a count with its noun in the singular or plural.
struct Text {
  std::string_view key, text;
};

struct View {
  std::string_view name;  ///< that of its file, and of `--chart`
  std::string_view title; ///< heading in the page
  /// What its picture shows, in one line, for `--chart list`; empty for a view without a picture.
  std::string_view picture;
  std::vector<Text> texts;
};

/// In the order of the page.
const std::vector<View> &runViews();
const std::vector<View> &suiteViews();

/// What a page says besides its views: a verdict, doubts, and the names of what can be chosen.
const std::vector<Text> &runTexts();
const std::vector<Text> &suiteTexts();

/// The views, and texts, as the page reads them.
nlohmann::ordered_json viewsJson(const std::vector<View> &views);
nlohmann::ordered_json textsJson(const std::vector<Text> &texts);

/// The names of the pictures with what they show, one a line.
std::string pictureList(const std::vector<View> &views);

/// Throws Error, which names the pictures, if none of them has this name.
void requirePicture(const std::vector<View> &views, std::string_view name);

} // namespace aiwc::report
