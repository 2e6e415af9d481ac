#include "eod/formats/matrix_market.h"
#include "format_tests.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using test::File;
namespace fs = std::filesystem;
using Entries = std::vector<CoordinateMatrix::Entry>;

namespace {

CoordinateMatrix read(const std::string &kind, const std::string &rest) {
  return readMatrixMarket(File("%%MatrixMarket matrix coordinate " + kind + "\n" + rest).path);
}

/// What the reader says about the text, without the file's name.
std::string refusalOfFile(const std::string &text) {
  return test::refusalOf(text, [&](const std::string &path) { readMatrixMarket(path); });
}

std::string refusal(const std::string &kind, const std::string &rest) {
  return refusalOfFile("%%MatrixMarket matrix coordinate " + kind + "\n" + rest);
}

} // namespace

TEST_CASE("a general real matrix, its entries in any order") {
  const CoordinateMatrix matrix =
      read("real general", "% a comment\n%\n2 3 3\n2 3 -1.5e1\n1 2 .5\n2 1 +4\n");
  CHECK(matrix.rows == 2);
  CHECK(matrix.columns == 3);
  CHECK(matrix.entries == Entries{{0, 1, 0.5}, {1, 0, 4}, {1, 2, -15}});
  CHECK(rowBegins(matrix) == std::vector<uint32_t>{0, 1, 3});
}

TEST_CASE("integers, upper case, CR LF, blank lines and no last line end") {
  const File file("%%MatrixMarket MATRIX Coordinate Integer GENERAL\r\n\r\n2 2 1\r\n\n 2\t1  7");
  CHECK(readMatrixMarket(file.path).entries == Entries{{1, 0, 7}});
}

TEST_CASE("a symmetric matrix is completed, its diagonal is not doubled") {
  CHECK(read("real symmetric", "2 2 2\n1 1 3\n2 1 5\n").entries ==
        Entries{{0, 0, 3}, {0, 1, 5}, {1, 0, 5}});
}

TEST_CASE("a skew-symmetric matrix is completed with the opposite sign") {
  CHECK(read("real skew-symmetric", "2 2 1\n2 1 5\n").entries == Entries{{0, 1, -5}, {1, 0, 5}});
}

TEST_CASE("entries at one position are summed; those of a pattern are one") {
  CHECK(read("real general", "1 2 3\n1 2 1\n1 1 4\n1 2 2\n").entries ==
        Entries{{0, 0, 4}, {0, 1, 3}});
  CHECK(read("pattern symmetric", "2 2 2\n2 1\n2 1\n").entries == Entries{{0, 1, 1}, {1, 0, 1}});
}

TEST_CASE("rows without entries begin and end at the same place") {
  CHECK(rowBegins(read("pattern general", "4 1 1\n3 1\n")) == std::vector<uint32_t>{0, 0, 0, 1, 1});
  CHECK(read("real general", "3 3 0\n").entries.empty());
}

TEST_CASE("headers that say something else are refused") {
  CHECK(refusalOfFile("") == ":1: '': expected %%MatrixMarket matrix coordinate ...");
  CHECK(refusalOfFile("3 3 1\n") == ":1: '3 3 1': expected %%MatrixMarket matrix coordinate ...");
  CHECK(refusalOfFile("%%MatrixMarket matrix\n") ==
        ":1: a header of 2 words: expected %%MatrixMarket matrix coordinate <field> <symmetry>");
  CHECK(refusalOfFile("%%MatrixMarket matrix array real general\n") ==
        ":1: format 'array': expected coordinate, a sparse matrix");
  CHECK(refusalOfFile("%%MatrixMarket vector coordinate real general\n") ==
        ":1: object 'vector': expected matrix");
  CHECK(refusal("complex general", "") == ":1: field 'complex': expected real, integer or pattern");
  CHECK(refusal("real hermitian", "") ==
        ":1: symmetry 'hermitian' of a matrix of real entries: expected general, symmetric or "
        "skew-symmetric");
  CHECK(refusal("pattern skew-symmetric", "") ==
        ":1: symmetry 'skew-symmetric' of a matrix of pattern entries: expected general or "
        "symmetric");
}

TEST_CASE("size lines that make no matrix are refused") {
  CHECK(refusal("real general", "% only\n") ==
        ":3: the file ends before its size line: expected rows columns entries");
  CHECK(refusal("real general", "2 2\n") ==
        ":2: a size line of 2 words: expected rows columns entries");
  CHECK(refusal("real general", "0 2 0\n") == ":2: rows '0': expected 1 to 2147000000");
  CHECK(refusal("real general", "2 -2 0\n") == ":2: columns '-2': expected 1 to 2147000000");
  CHECK(refusal("real general", "2 2 99999999999999999999\n") ==
        ":2: entries '99999999999999999999': expected 0 to 2147000000");
  CHECK(refusal("real symmetric", "2 3 0\n") ==
        ":2: 2 rows, 3 columns: expected as many of both in a symmetric matrix");
}

TEST_CASE("entries that are not as announced are refused, with their line") {
  CHECK(refusal("real general", "2 2 2\n1 1 1\n") ==
        ":4: the file ends after 1 entries: expected 2");
  CHECK(refusal("real general", "2 2 2000000000\n") ==
        ":3: the file ends after 0 entries: expected 2000000000");
  CHECK(refusal("real general", "2 2 1\n1 1 1\n\n2 2 2\n") ==
        ":5: a line after the last entry: expected 1 entries");
  CHECK(refusal("real general", "2 2 1\n1 1\n") == ":3: 2 words: expected row column value");
  CHECK(refusal("pattern general", "2 2 1\n1 1 1\n") == ":3: 3 words: expected row column");
  CHECK(refusal("real general", "2 2 1\n0 1 1\n") == ":3: row '0': expected 1 to 2");
  CHECK(refusal("real general", "2 2 1\n1 3 1\n") == ":3: column '3': expected 1 to 2");
  CHECK(refusal("real general", "2 2 1\n1 1.5 1\n") == ":3: column '1.5': expected 1 to 2");
  for (const std::string value : {"x", "1x", "nan", "inf", "1e39", "+-1"})
    CHECK(refusal("real general", "2 2 1\n1 1 " + value + "\n") ==
          ":3: value '" + value + "': expected a number that single precision can hold");
  CHECK(refusal("real symmetric", "2 2 1\n1 2 1\n") ==
        ":3: entry 1,2 above the diagonal: expected in a symmetric matrix none");
  CHECK(refusal("real skew-symmetric", "2 2 1\n2 2 1\n") ==
        ":3: entry 2,2 on the diagonal: expected in a skew-symmetric matrix none");
  CHECK(refusal("real general", "1 1 2\n1 1 3e38\n1 1 3e38\n") ==
        ":5: the entries at 1,1 sum to 6e+38: expected what single precision can hold");
}

TEST_CASE("what is no text is refused: binary, endless lines, a folder, nothing") {
  CHECK(refusalOfFile(std::string("%%Matrix\0Market", 15)) == ":1: byte 0x00: expected text");
  CHECK(refusalOfFile(std::string(5000, 'x')) ==
        ":1: line too long: expected at most 1024 characters");
  CHECK_THROWS_WITH(readMatrixMarket(fs::temp_directory_path()),
                    Catch::Contains("cannot be read") && Catch::Contains("Matrix Market"));
  CHECK_THROWS_WITH(readMatrixMarket("/nonexistent/a.mtx"), Catch::Contains("No such file"));
  CHECK_THROWS_AS(readMatrixMarket("/dev/zero"), UsageError);
}
