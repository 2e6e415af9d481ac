#include "common/error.h"
#include "sparse/matrix.h"
#include "support/files.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>

using namespace aiwc::test;
using aiwc::sparse::Entry;
using aiwc::sparse::Matrix;
using aiwc::sparse::matrixMarketText;
using aiwc::sparse::matrixOf;
using aiwc::sparse::Origin;
using aiwc::sparse::readMatrix;

namespace {

constexpr const char *kGeneral = "%%MatrixMarket matrix coordinate real general\n";

class File {
public:
  explicit File(const std::string &text) { write(path(), text); }
  std::string path() const { return (folder_.path() / "m.mtx").string(); }
  Matrix read(bool values = true, unsigned threads = 2) const {
    return readMatrix(path(), {.values = values, .threads = threads});
  }
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
  Origin origin;
  CHECK(readMatrix(file.path(), {.values = true}, &origin) == small());
  CHECK(origin.sample == "method=x");
  CHECK(origin.format == "Matrix Market");
  CHECK(origin.field == "real");
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
  Origin origin;
  CHECK(readMatrix(file.path(), {.values = true}, &origin) == small());
  CHECK(origin.merged == 2);
}

TEST_CASE("An edge list is a square matrix; a repeated edge counts once") {
  const File file("# a graph\n0 2\n2,1\n0 2\n\n2 0\n");
  Origin origin;
  const std::vector<Entry> edges{{0, 2}, {2, 1}, {2, 0}};
  CHECK(readMatrix(file.path(), {}, &origin) == matrixOf(3, 3, edges, false));
  CHECK(origin.merged == 1);
  CHECK(origin.format == "edge list");
  const std::vector<Entry> weighted{{0, 1, 0.5F}, {1, 0, 2}};
  CHECK(File("0\t1\t0.5\n1\t0\t2\n").read() == matrixOf(2, 2, weighted, true));
}

TEST_CASE("Compressed files, and any number of threads, give the same matrix") {
  std::string text = std::string(kGeneral) + "5000 5000 150000\n";
  for (int i = 0; i < 150000; ++i)
    text += std::to_string(i * 7919LL % 5000 + 1) + " " + std::to_string(i / 30 + 1) + " 1.25\n";
  const File file(text);
  const Matrix one = file.read(true, 1);
  CHECK(one.nonZeros() == 150000);
  CHECK(file.read(true, 3) == one);
  TemporaryFolder folder;
  const std::string compressed = (folder.path() / "m.gz").string();
  const gzFile stream = gzopen(compressed.c_str(), "wb");
  REQUIRE(gzwrite(stream, text.data(), static_cast<unsigned>(text.size())) ==
          static_cast<int>(text.size()));
  gzclose(stream);
  CHECK(readMatrix(compressed, {.values = true}) == one);
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
  CHECK(File(head + "2 2 1\n1 1\n").refused().starts_with(":3: '1 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 1 1\n").refused().starts_with(":3: '1 1 1 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 x 1\n").refused().starts_with(":3: '1 x 1': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 nan\n").refused().starts_with(":3: '1 1 nan': expected a row"));
  CHECK(File(head + "2 2 1\n1 1 1e300\n").refused().starts_with(":3: '1 1 1e300': the value"));
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

TEST_CASE("A damaged line is found by its number in a file that several threads read") {
  std::string text = std::string(kGeneral) + "9 9 400000\n";
  for (int i = 0; i < 400000; ++i)
    text += i == 399990 ? "1 10 1\n" : "1 1 1\n";
  CHECK(File(text).refused().starts_with(":399993: the entry (1, 10) is outside"));
}
