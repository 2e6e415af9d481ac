#include "common/error.h"
#include "report/views.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>

using namespace aiwc::report;
using Catch::Matchers::Contains;

namespace {

struct PageViews {
  std::string page;
  const std::vector<View> &views;
};

std::vector<PageViews> pages() {
  return {{"run", runViews()}, {"suite", suiteViews()}};
}

} // namespace

TEST_CASE("every view has a file that draws it, and a name and texts of its own") {
  for (const auto &[page, views] : pages()) {
    std::set<std::string_view> names;
    for (const View &view : views) {
      INFO(page << "/" << view.name);
      CHECK(names.insert(view.name).second);
      CHECK(std::filesystem::exists(std::filesystem::path(AIWC_PAGE_FILES) / page /
                                    (std::string(view.name) + ".js")));
      CHECK_FALSE(view.title.empty());
      std::set<std::string_view> keys;
      for (const Text &text : view.texts)
        CHECK(keys.insert(text.key).second);
      CHECK(keys.contains("caption") >= !view.picture.empty());
    }
  }
}

TEST_CASE("the list of pictures has a line for each, and other names are refused") {
  const std::vector<View> views = {{"roofline", "Roofline", "what devices reach", {}},
                                   {"idioms", "Idioms", "bandwidths", {}},
                                   {"table", "A table", "", {}}};
  CHECK(pictureList(views) == "roofline  what devices reach\nidioms    bandwidths\n");
  CHECK_NOTHROW(requirePicture(views, "idioms"));
  CHECK_THROWS_WITH(requirePicture(views, "table"),
                    Contains("--chart table: expected one of roofline, idioms"));
}
