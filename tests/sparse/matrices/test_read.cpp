#include "common/error.h"
#include "sparse/matrix.h"
#include "support/files.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::test;
using aiwc::sparse::Entry;
using aiwc::sparse::Matrix;
using aiwc::sparse::matrixMarketText;
using aiwc::sparse::matrixOf;
using aiwc::sparse::readMatrix;

namespace {

constexpr const char *kGeneral = "%%MatrixMarket matrix coordinate real general\n";

class File {
public:
  explicit File(const std::string &text) { write(path(), text); }
  std::string path() const { return (folder_.path() / "m.mtx").string(); }
  Matrix read(bool values = true) const { return readMatrix(path(), {.values = values}); }
  /// The message, without the file's name.
  std::string refused() const {
    try {
      read();
    } catch (const aiwc::Error &error) {
      const std::string text = error.what();
      REQUIRE(text.starts_with(path()));
      return text.substr(path().size());
    }
    return "read";
  }

private:
  TemporaryFolder folder_;
};

Matrix small() { // . 2 .
                 // 1 . 3
  const std::vector<Entry> entries{{1, 2, 3}, {0, 1, 2}, {1, 0, 1}};
  return matrixOf(2, 3, entries, true);
}

} // namespace

TEST_CASE("A Matrix Market file is read in any order, with comments, empty lines, tabs and CR LF") {
  const File file(std::string(kGeneral) +
                  "% a comment\r\n\r\n2\t3 3\r\n2 3 3.0\r\n\r\n1 2 2e0\r\n2 1 +1\r\n");
  CHECK(file.read() == small());
  Matrix pattern = small();
  pattern.values.clear();
  CHECK(file.read(false) == pattern);
}

TEST_CASE("What matrixMarketText writes is read as it was") {
  const File file(matrixMarketText(small(), "aiwc-sample: method=x"));
  std::string sample;
  CHECK(readMatrix(file.path(), {.values = true}, &sample) == small());
  CHECK(sample == "method=x");
}

TEST_CASE("The half that a symmetric file leaves out is added") {
  const std::string body = "2 2 2\n1 1 5\n2 1 3\n";
  const std::vector<Entry> both{{0, 0, 5}, {1, 0, 3}, {0, 1, 3}};
  CHECK(File("%%MatrixMarket matrix coordinate real symmetric\n" + body).read() ==
        matrixOf(2, 2, both, true));
  const std::vector<Entry> skew{{0, 0, 5}, {1, 0, 3}, {0, 1, -3}};
  CHECK(File("%%MatrixMarket MATRIX coordinate integer skew-symmetric\n" + body).read() ==
        matrixOf(2, 2, skew, true));
  CHECK(File("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 3 -1\n")
            .read() == matrixOf(2, 2, both, false));
}

TEST_CASE("Entries at one position are added up") {
  const File file(std::string(kGeneral) + "2 3 5\n2 3 1\n1 2 2\n2 1 1\n2 3 1.5\n2 3 .5\n");
  CHECK(file.read() == small());
  // In the order of the file: the sum of floats depends on it.
  const std::vector<Entry> sum{{0, 0, 1}, {0, 1, 5}};
  CHECK(File(std::string(kGeneral) + "1 2 4\n1 2 5\n1 1 1e9\n1 1 -1e9\n1 1 1\n").read() ==
        matrixOf(1, 2, sum, true));
}

TEST_CASE("An edge list is a square matrix; a repeated edge counts once") {
  const File file("# a graph\n0 2\n2,1\n0 2\n\n2 0\n");
  const std::vector<Entry> edges{{0, 2}, {2, 1}, {2, 0}};
  CHECK(file.read(false) == matrixOf(3, 3, edges, false));
  const std::vector<Entry> weighted{{0, 1, 0.5F}, {1, 0, 2}};
  CHECK(File("0\t1\t0.5\n0\t1\t7\n1\t0\t2\n").read() == matrixOf(2, 2, weighted, true));
  CHECK(File("\xEF\xBB\xBF# a mark of the byte order\n0 2\n2 1\n2 0\n").read(false) ==
        matrixOf(3, 3, edges, false));
  const std::vector<Entry> far{{1, 4}, {2, 0}};
  CHECK(File("1 4\n2 0\n").read(false) == matrixOf(5, 5, far, false)); // as its largest number
  CHECK(File("0\t1\t0.5\n1\t0\t2\n").read() == matrixOf(2, 2, weighted, true));
}

TEST_CASE("A compressed file gives the same matrix") {
  std::string text = std::string(kGeneral) + "5000 5000 150000\n";
  for (int i = 0; i < 150000; ++i)
    text += std::to_string(i * 7919LL % 5000 + 1) + " " + std::to_string(i / 30 + 1) + " 1.25\n";
  const File file(text);
  const Matrix one = file.read(true);
  CHECK(one.nonZeros() == 150000);
  TemporaryFolder folder;
  const std::string compressed = (folder.path() / "m.gz").string();
  const gzFile stream = gzopen(compressed.c_str(), "wb");
  REQUIRE(gzwrite(stream, text.data(), static_cast<unsigned>(text.size())) ==
          static_cast<int>(text.size()));
  gzclose(stream);
  CHECK(readMatrix(compressed, {.values = true}) == one);
  std::filesystem::resize_file(compressed, std::filesystem::file_size(compressed) / 2);
  CHECK_THAT(errorOf([&] { readMatrix(compressed, {.values = true}); }),
             Catch::Matchers::Contains("the compressed data end too early: expected a whole file"));
}

TEST_CASE("A damaged file is refused with the line") {
  const std::string head = kGeneral;
  CHECK(File(head + "2 2 1\n3 1 1\n").refused() ==
        ":3: the entry (3, 1) is outside of the matrix: expected a row of 1 to 2 and a column of 1 "
        "to 2, and a value");
  CHECK(File(head + "2 2 1\n0 1 1\n").refused().starts_with(":3: the entry (0, 1) is outside"));
  CHECK(File(head + "2 2 2\n1 1 1\n").refused() ==
        ":4: the file has 1 entries: expected 2, as line 2 says");
  CHECK(File(head + "% x\n2 2 2\n1 1 1\n1 2 1\n2 1 1\n").refused() ==
        ":7: the file has 3 entries: expected 2, as line 3 says");
  CHECK(File(head + "2 2 3\n\n1,1 1\n2,2,1\n3 1 1\n").refused().starts_with(":6: the entry (3,"));
  const std::string word(60, 'x');
  CHECK(File(head + "2 2 1\n" + word + "\n").refused().starts_with(":3: '" + word + "': "));
  CHECK(File(head + "2 2 1\n" + word + "y\n").refused().starts_with(":3: '" + word + "...': "));
  CHECK(File(head + "2 2 1\n% too late\n1 1 1\n").refused().starts_with(":3: '% too late': "));
  CHECK(File(head + "2 2 1\n1 1\n").refused().starts_with(":3: '1 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 1 1\n").refused().starts_with(":3: '1 1 1 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 x 1\n").refused().starts_with(":3: '1 x 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 nan\n").refused().starts_with(":3: '1 1 nan': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 1e300\n").refused().starts_with(":3: '1 1 1e300': the value"));
  CHECK(File(head + "2 2 2\n1 2 3e38\n1 2 3e38\n").refused() ==
        ": the entries at (1, 2) add up to a value that is too large: expected one of single "
        "precision");
  CHECK(File(head + "2 2\n").refused() ==
        ":2: '2 2': expected the numbers of rows, columns and entries");
  CHECK(File(head).refused() ==
        ":2: the file ends: expected the numbers of rows, columns and entries");
  CHECK(File(head + "2147483648 2 1\n1 1 1\n").refused().starts_with(":2: 2147483648 rows"));
  CHECK(File(head + "2147483647 2 1\n1 1 1\n").refused() ==
        ":2: 2147483647 rows or columns for 1 entries: expected at most 10000000");
  CHECK(File("%%MatrixMarket matrix array real general\n2 2\n")
            .refused()
            .starts_with(":1: 'matrix array': expected"));
  CHECK(File("%%MatrixMarket matrix coordinate quaternion general\n")
            .refused()
            .starts_with(":1: the field 'quaternion'"));
  CHECK(File("%%MatrixMarket matrix coordinate real upper\n")
            .refused()
            .starts_with(":1: the symmetry 'upper'"));
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  CHECK(File(symmetric + "2 3 1\n1 1 1\n").refused().starts_with(":2: 2 rows and 3 columns"));
  CHECK(File(symmetric + "2 2 1\n1 2 1\n")
            .refused()
            .starts_with(":3: the entry (1, 2) is above the diagonal"));
  CHECK(File("").refused().starts_with(":1: no edge"));
  CHECK(File("hello\n").refused().starts_with(":1: 'hello': expected an edge"));
  CHECK(File("0 1\n4294967295 0\n").refused().starts_with(":2: the entry (4294967295, 0)"));
  CHECK(File("0 1\n-1 0\n").refused().starts_with(":2: '-1 0': expected an edge"));
  CHECK_THROWS_WITH(readMatrix("/nonexistent/m.mtx"),
                    "/nonexistent/m.mtx: No such file or directory");
}

TEST_CASE("A value is the float nearest to the double nearest to its text") {
  const std::vector<std::string> texts{"0",
                                       "-0",
                                       "1",
                                       "+1",
                                       "12.5",
                                       "-12.5",
                                       ".5",
                                       "5.",
                                       "-.25",
                                       "1e3",
                                       "1E-3",
                                       "-1.5e+3",
                                       "0.1",
                                       "3.4028234e38",
                                       "0.12345678901234567",
                                       "-0.3333333333333333148",
                                       "123456789012345678901234567890",
                                       "9007199254740993",
                                       "0.000000000000000001",
                                       "0.0000000000000000000123",
                                       "-0.00000000000000000000000000000000000077",
                                       "1e-400",
                                       "16777217.000000001"};
  std::string text = std::string(kGeneral) + "1 " + std::to_string(texts.size()) + " " +
                     std::to_string(texts.size()) + "\n";
  for (size_t i = 0; i < texts.size(); ++i)
    text += "1 " + std::to_string(i + 1) + " " + texts[i] + "\n";
  const File file(text);
  const Matrix matrix = file.read();
  REQUIRE(matrix.values.size() == texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i]);
    CHECK(matrix.values[i] == static_cast<float>(std::strtod(texts[i].c_str(), nullptr)));
  }
  CHECK(file.read(false).columnOf == matrix.columnOf);
}

TEST_CASE("Lines of any layout have the same entries") {
  for (const char *line : {"2 3 4.5\n", "  2  3  4.5  \n", "2\t3\t4.5\t\n", "2,3,4.5\n",
                           "2 3 4.5\r\n", "2 3 4.5", "002 03 4.50\n", "2 3 45e-1\n"}) {
    INFO(line);
    const std::vector<Entry> expected{{1, 2, 4.5F}};
    CHECK(File(std::string(kGeneral) + "2 3 1\n" + line).read() == matrixOf(2, 3, expected, true));
  }
  for (const char *line :
       {"2 3 4.5.\n", "2 3 4.5x\n", "2 3 --4\n", "2 3 .\n", "2 3 -\n", "2 3 1e\n", "2 3 inf\n",
        "2 3\n", "2.0 3 1\n", "2 3 1\r5\n", "2 3 1e39\n", "2 1234567890123456789012 1\n",
        "18446744073709551618 3 1\n", "0 3 1\n", "2 0 1\n", "3 3 1\n", "2 4 1\n"}) {
    INFO(line);
    CHECK(File(std::string(kGeneral) + "2 3 1\n" + line).refused().starts_with(":3: "));
  }
}

TEST_CASE("A file of many entries in any order is the matrix of its entries") {
  // In order; by columns; random, with repeated ones.
  constexpr uint32_t kOrder = 70'000;
  constexpr size_t kEntries = 200'000;
  for (const int order : {0, 1, 2}) {
    uint64_t state = 1;
    std::vector<Entry> entries;
    for (size_t i = 0; i < kEntries; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const auto slow = static_cast<uint32_t>(i / 3 + 1);
      const auto quick = static_cast<uint32_t>(i % 3 * 20'000 + (state >> 50U));
      const auto any = static_cast<uint32_t>((state >> 33U) % kOrder);
      const auto value = static_cast<float>(i % 64) / 4;
      if (order == 0)
        entries.push_back({slow, quick, value});
      else if (order == 1)
        entries.push_back({quick, slow, value});
      else
        entries.push_back({any, any / 100 + quick % 5, value});
    }
    for (const char *symmetry : {"general", "symmetric", "skew-symmetric"}) {
      const std::string kind = symmetry;
      std::string text = "%%MatrixMarket matrix coordinate real " + kind + "\n70000 70000 200000\n";
      std::vector<Entry> expected;
      for (Entry entry : entries) {
        if (kind != "general" && entry.column > entry.row)
          std::swap(entry.row, entry.column);
        text += std::to_string(entry.row + 1) + " " + std::to_string(entry.column + 1) + " " +
                std::to_string(entry.value) + "\n";
        expected.push_back(entry);
        if (kind != "general" && entry.row != entry.column)
          expected.push_back(
              {entry.column, entry.row, kind == "symmetric" ? entry.value : -entry.value});
      }
      INFO(order << " " << kind);
      const File file(text);
      const Matrix matrix = matrixOf(kOrder, kOrder, expected, true);
      CHECK((file.read(true) == matrix));
      CHECK((file.read(false).columnOf == matrix.columnOf));
    }
  }
}
