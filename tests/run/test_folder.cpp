#include "common/error.h"
#include "run/folder.h"
#include "runs.h"
#include "support/files.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::run;
using test::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("Each run of a folder has its file, from its beginning") {
  const TemporaryFolder folder;
  const fs::path inner = folder / "a/b";
  Run run;
  run.command = {"first"};
  const RunFile first(inner, run);
  CHECK(first.path() == inner / "run.json");
  CHECK_FALSE(readRun(first.path()).finished());
  run.command = {"second"};
  const RunFile second(inner, run);
  CHECK(second.path() == inner / "run_2.json");
  run.seconds = 2;
  second.replace(run);
  CHECK(readRun(second.path()) == run);
  CHECK(readRun(first.path()).command.front() == "first");
  CHECK(contentOf(inner).runs == std::vector<fs::path>{first.path(), second.path()});
}

TEST_CASE("Where the file of a run cannot be written at its end, the reserved space says so") {
  const TemporaryFolder folder;
  Run run;
  run.command = {"app"};
  const RunFile file(folder.path(), run);
  run.seconds = 2;
  run.status = 7;
  run.errors = {"first"};
  for (int i = 0; i < 20; ++i)
    run.launches.push_back(test::fullLaunch());
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{2000, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string message;
  try {
    file.replace(run);
  } catch (const Error &error) {
    message = error.what();
  }
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK_THAT(message, Catch::Contains("the file of the run cannot be written"));
  const Run read = readRun(file.path());
  CHECK(read.finished()); // nobody is told that it was killed
  CHECK(read.status == 7);
  CHECK(read.errors == std::vector<std::string>{message, "first"});
  CHECK(read.launches.empty());
  CHECK(folder.files() == 1);
  file.replace(run);
  CHECK(readRun(file.path()) == run);
}

TEST_CASE("A run without launches leaves the folders as they were") {
  const TemporaryFolder folder;
  RunFile(folder / "new", {}).remove();
  CHECK_FALSE(fs::exists(folder / "new"));
  fs::create_directory(folder / "old");
  RunFile(folder / "old", {}).remove();
  CHECK(fs::is_empty(folder / "old"));
  const RunFile file(folder / "used", {});
  test::write(folder / "used/note", "");
  file.remove();
  CHECK(fs::exists(folder / "used/note"));
}

TEST_CASE("A folder's profiles, runs and folders come in natural order, and nothing else") {
  const TemporaryFolder folder;
  for (const char *name :
       {"aiwc_k_10.json", "aiwc_k_2.json", "aiwc_k_2.csv", "run_10.json", "run_2.json", "run.json",
        "run_x.json", "runs.json", "k.aiwc.json", "aiwc_k.aiwc.json", "notes.json"})
    test::write(folder / name, "");
  for (const char *name : {"case10", "case2", ".case"})
    fs::create_directory(folder / name);
  const FolderContent content = contentOf(folder / ".");
  const auto names = [](const std::vector<fs::path> &paths) {
    std::vector<std::string> result;
    for (const fs::path &path : paths)
      result.push_back(path.filename());
    return result;
  };
  using Names = std::vector<std::string>;
  CHECK(names(content.profiles) == Names{"aiwc_k_2.json", "aiwc_k_10.json"});
  CHECK(names(content.runs) == Names{"run.json", "run_2.json", "run_10.json"});
  CHECK(names(content.folders) == Names{"case2", "case10"});
  CHECK_THROWS_AS(contentOf(folder / "none"), Error);
}

TEST_CASE("A new folder is named after the command and takes no name twice") {
  const TemporaryFolder folder;
  CHECK(newFolderFor(folder / "", "./dir/my app") == folder / "aiwc-my_app");
  fs::create_directory(folder / "aiwc-my_app");
  test::write(folder / "aiwc-my_app-2", "");
  CHECK(newFolderFor(folder / "", "my app") == folder / "aiwc-my_app-3");
  CHECK(newFolderFor(folder / "", "/") == folder / "aiwc-run");
}

TEST_CASE("Numbers in names are ordered by value") {
  const std::vector<std::string> ordered = {"a", "a1",   "a2",  "a10", "a10b",
                                            "b", "b007", "b07", "b7",  "b8"};
  for (size_t i = 0; i < ordered.size(); ++i)
    for (size_t k = 0; k < ordered.size(); ++k)
      if (ordered[i].substr(0, 2) != "b0" && ordered[k].substr(0, 2) != "b0")
        CHECK(naturalLess(ordered[i], ordered[k]) == (i < k));
  CHECK(naturalLess("b7", "b07") != naturalLess("b07", "b7")); // an order all the same
}
