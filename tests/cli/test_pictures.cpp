// Pictures of pages, and what keeps them from being drawn; tests/report/in_browser.py looks into
// pictures.
#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

/// `aiwc report` of a profile, into a file of its folder.
struct Reported {
  TemporaryFolder folder;
  Reported() { write(folder / "p.json", aiwc::profile::toJson(kernelOf(triad()))); }
  std::string file(const std::string &name) const { return (folder / name).string(); }
  std::vector<std::string> words(const std::string &output,
                                 const std::vector<std::string> &more = {}) const {
    std::vector<std::string> all = {"report", file("p.json"), "-o", file(output)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

} // namespace

TEST_CASE("what cannot be drawn is refused, and no file is left") {
  const Reported reported;
  CHECK_THAT(refusal(reported.words("picture.gif")),
             Contains("picture.gif: expected a name that ends in .html, .svg, .png or .pdf"));
  CHECK_THAT(refusal(reported.words("x.svg", {"--chart", "x"})),
             Contains("--chart x: expected one of ranking, "));
  std::vector<std::string> words = reported.words("x.svg");
  words.insert(words.begin(), {"PATH=/nowhere", AIWC_COMMAND});
  CHECK_THAT(refusal(words, {"/usr/bin/env"}),
             Contains("Chromium, which is not in PATH: expected it, as of the Debian package "
                      "chromium"));
  CHECK_FALSE(std::filesystem::exists(reported.file("x.svg")));
}

TEST_CASE("a browser that fails or writes nothing is told, and its folder is removed") {
  const Reported reported;
  const TemporaryFolder browsers;
  const TemporaryFolder temporary;
  const auto told = [&](const std::string &script) {
    write(browsers / "chromium", "#!/bin/sh\n" + script);
    std::filesystem::permissions(browsers / "chromium", std::filesystem::perms::owner_all);
    std::vector<std::string> words = reported.words("x.svg");
    words.insert(words.begin(), {"PATH=" + browsers.path().string(),
                                 "TMPDIR=" + temporary.path().string(), AIWC_COMMAND});
    return refusal(words, {"/usr/bin/env"});
  };
  CHECK_THAT(told("exit 3\n"), Contains("chromium has failed"));
  CHECK_THAT(told("echo '<html></html>'\n"), Contains("has drawn no picture"));
  CHECK(std::filesystem::is_empty(temporary.path()));
  CHECK_FALSE(std::filesystem::exists(reported.file("x.svg")));
}
