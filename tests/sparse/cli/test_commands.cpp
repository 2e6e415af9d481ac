// `aiwc-sparse sample`, and aiwc-matrix, which makes their input: files
// in, files out, and what is refused.
#include "generate/generate.h"
#include "process.h"
#include "sparse/matrix.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::sparse;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

Outcome runMatrix(const std::vector<std::string> &arguments,
                  const std::filesystem::path &folder = {}) {
  return runAiwc(arguments, {.command = AIWC_TEST_MATRIX, .folder = folder});
}

} // namespace

TEST_CASE("aiwc-matrix writes the matrix of its structure") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.mtx").string();
  const Outcome outcome = runMatrix({"block", "--rows", "300", "--non-zeros-per-row", "7.5",
                                     "--seed", "5", "--parameter", "4", "--values", "-o", file});
  CHECK(outcome.status == 0);
  CHECK(outcome.out + outcome.err == "");
  const Matrix made = generate({.shape = Shape::kBlock,
                                .rows = 300,
                                .nonZerosPerRow = 7.5,
                                .seed = 5,
                                .parameter = 4,
                                .values = true});
  CHECK(readMatrix(file, {.values = true}) == made);
  // Without --values, positions; - is standard output.
  const Outcome printed =
      runMatrix({"mesh-2d", "--rows", "4", "--non-zeros-per-row", "4", "-o", "-"});
  CHECK(printed.out == "%%MatrixMarket matrix coordinate pattern general\n4 4 12\n"
                       "1 1\n1 2\n1 3\n2 1\n2 2\n2 4\n3 1\n3 3\n3 4\n4 2\n4 3\n4 4\n");
}

TEST_CASE("aiwc-matrix refuses what it cannot make") {
  const auto with = [](std::vector<std::string> words) {
    words.insert(words.end(), {"-o", "/nowhere/m.mtx"});
    return refusal(words, {.command = AIWC_TEST_MATRIX});
  };
  CHECK_THAT(with({"star", "--rows", "5", "--non-zeros-per-row", "2"}), Contains("structure"));
  CHECK_THAT(with({"uniform", "--rows", "5"}), Contains("--non-zeros-per-row"));
  CHECK(with({"uniform", "--rows", "0", "--non-zeros-per-row", "2"}) ==
        "aiwc-matrix: 0 rows: expected 1 to 2147483647");
  CHECK_THAT(with({"uniform", "--rows", "-5", "--non-zeros-per-row", "2"}), Contains("--rows"));
  CHECK_THAT(with({"uniform", "--rows", "5", "--non-zeros-per-row", "2", "--parameter", "1"}),
             StartsWith("aiwc-matrix: the parameter 1 of uniform: expected none"));
  CHECK_THAT(with({"uniform", "--rows", "5", "--non-zeros-per-row", "2"}),
             Contains("/nowhere/m.mtx"));
}

TEST_CASE("aiwc-sparse sample writes a sample that says what it is of") {
  const TemporaryFolder folder;
  const Setting here{.folder = folder.path()};
  CHECK(runMatrix(
            {"r-mat", "--rows", "3000", "--non-zeros-per-row", "9", "--values", "-o", "whole.mtx"},
            folder.path())
            .status == 0);
  const Matrix whole = readMatrix((folder.path() / "whole.mtx").string());
  const Outcome outcome =
      runAiwc({"sample", "whole.mtx", "--fraction", "0.1", "-o", "part.mtx"}, here);
  CHECK(outcome.status == 0);
  CHECK(outcome.out + outcome.err == "");
  std::string comment;
  const Matrix part = readMatrix((folder.path() / "part.mtx").string(), {}, &comment);
  CHECK(part.rows == part.columns);
  CHECK(part.rows < whole.rows);
  CHECK_THAT(comment, StartsWith("method=stride-average fraction=0.1 achieved=0."));
  CHECK_THAT(comment, EndsWith(" rows=3000 columns=3000 non_zeros=27000"));
}

TEST_CASE("aiwc-sparse sample takes several samples at once, each as it would alone") {
  const TemporaryFolder folder;
  const Setting here{.folder = folder.path()};
  CHECK(runMatrix({"r-mat", "--rows", "3000", "--non-zeros-per-row", "9", "-o", "whole.mtx"},
                  folder.path())
            .status == 0);
  CHECK(runAiwc({"sample", "whole.mtx", "--fraction", "0.05", "-o", "a.mtx", "--fraction", "0.1",
                 "-o", "b.mtx"},
                here)
            .status == 0);
  for (const auto &[fraction, name] : {std::pair("0.05", "a.mtx"), std::pair("0.1", "b.mtx")}) {
    CHECK(
        runAiwc({"sample", "whole.mtx", "--fraction", fraction, "-o", "alone.mtx"}, here).status ==
        0);
    CHECK(contents(folder.path() / name) == contents(folder.path() / "alone.mtx"));
  }
  CHECK(refusal({"sample", "whole.mtx", "--fraction", "0.1", "--fraction", "0.2", "-o", "x.mtx"},
                here) ==
        "aiwc-sparse sample: 1 of --output for 2 of --fraction: expected one for each share");
}

TEST_CASE("aiwc-sparse sample reads symmetric files and edge lists, and writes general ones") {
  const TemporaryFolder folder;
  const Setting here{.folder = folder.path()};
  write(folder.path() / "s.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 5\n2 1 6\n3 2 7\n3 3 8\n");
  write(folder.path() / "edges.txt", "0 1\n1 2\n2 0\n");
  const Outcome all = runAiwc({"sample", "s.mtx", "--fraction", "1", "-o", "-"}, here);
  CHECK(all.out == "%%MatrixMarket matrix coordinate real general\n"
                   "%aiwc-sample: method=stride-average fraction=1 achieved=1 rows=3 "
                   "columns=3 non_zeros=6\n"
                   "3 3 6\n1 1 5\n1 2 6\n2 1 6\n2 3 7\n3 2 7\n3 3 8\n");
  CHECK(runAiwc({"sample", "edges.txt", "-o", "e.mtx"}, here).status == 0);
}

TEST_CASE("aiwc-sparse sample refuses what it cannot sample") {
  const TemporaryFolder folder;
  const Setting here{.folder = folder.path()};
  write(folder.path() / "empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n");
  write(folder.path() / "bad.mtx",
        "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n");
  write(folder.path() / "m.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3 1\n");
  CHECK(refusal({"sample", "empty.mtx", "-o", "x.mtx"}, here) ==
        "aiwc-sparse sample: empty.mtx: the matrix has no non-zeros: expected some to sample");
  CHECK_THAT(refusal({"sample", "bad.mtx", "-o", "x.mtx"}, here), StartsWith("bad.mtx:3: "));
  CHECK_THAT(refusal({"sample", "none.mtx", "-o", "x.mtx"}, here), Contains("none.mtx"));
  for (const std::string fraction : {"0", "-1", "1.01", "nan"})
    CHECK_THAT(refusal({"sample", "m.mtx", "--fraction", fraction, "-o", "x.mtx"}, here),
               Contains("the fraction " + fraction + ": expected more than 0, and at most 1"));
  CHECK_THAT(refusal({"sample", "m.mtx", "--fraction", "most", "-o", "x.mtx"}, here),
             Contains("--fraction"));
  CHECK_THAT(refusal({"sample", "m.mtx"}, here), Contains("--output"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "x.mtx"));
}
