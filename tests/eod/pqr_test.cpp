#include "eod/formats/pqr.h"
#include "format_tests.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using Catch::Contains;
using test::File;
namespace fs = std::filesystem;

namespace {

const PqrLimits kThree{.atoms = 3, .coordinate = 1000};

/// What the reader says about the text, without the file's name.
std::string refusal(const std::string &text) {
  return test::refusalOf(text, [&](const std::string &path) { readPqr(path, kThree); });
}

const std::string kAtom = "ATOM 1 N GLY 1 1.5 -2 3e1 -0.3 1.85\n";

} // namespace

TEST_CASE("atoms of a PQR file: with and without a chain, hetero atoms, other records between") {
  const File file("REMARK  1 anything at all\r\n"
                  "ATOM      1  N   GLY     1       1.500  -2.000  30.000 -0.3000 1.8500\r\n"
                  "\n"
                  "ATOM      2  CA  GLY A   1      +1.0     0     .5   0.25 2\n"
                  "TER\n"
                  "HETATM    3  ZN  ZN  A 101\t7 8 9 2 0\n"
                  "END");
  const auto atoms = readPqr(file.path, kThree);
  REQUIRE(atoms.size() == 3);
  CHECK(atoms[0].x == 1.5f);
  CHECK(atoms[0].y == -2);
  CHECK(atoms[0].z == 30);
  CHECK(atoms[0].charge == -0.3f);
  CHECK(atoms[0].radius == 1.85f);
  CHECK(atoms[1].x == 1);
  CHECK(atoms[1].z == 0.5f);
  CHECK(atoms[1].charge == 0.25f);
  CHECK(atoms[2].y == 8);
  CHECK(atoms[2].charge == 2);
  CHECK(atoms[2].radius == 0);
}

TEST_CASE("what is wrong in a PQR file is named with its line and with what was expected") {
  CHECK(refusal("") == ":1: the file ends without an atom: expected ATOM or HETATM records");
  CHECK(refusal("REMARK\nEND\n") ==
        ":3: the file ends without an atom: expected ATOM or HETATM records");
  CHECK(refusal(kAtom + "ATOM 2 CA GLY 1 1 2\n") ==
        ":2: 7 fields: expected 10 or more, the last five x, y, z, charge and radius");
  CHECK(refusal("ATOM 1 N GLY 1 a 2 3 0 1\n") == ":1: x 'a': expected a number from -1000 to 1000");
  CHECK(refusal("ATOM 1 N GLY 1 1 2,5 3 0 1\n") ==
        ":1: y '2,5': expected a number from -1000 to 1000");
  CHECK(refusal(kAtom + kAtom + "\nATOM 1 N GLY 1 1 2 1001 0 1\n") ==
        ":4: z '1001': expected a number from -1000 to 1000");
  CHECK(refusal("ATOM 1 N GLY 1 1 2 3 nan 1\n") ==
        ":1: charge 'nan': expected a number from -1000 to 1000");
  CHECK(refusal("ATOM 1 N GLY 1 1 2 3 1e99 1\n") ==
        ":1: charge '1e99': expected a number from -1000 to 1000");
  CHECK(refusal("ATOM 1 N GLY 1 1 2 3 0 -1\n") ==
        ":1: radius '-1': expected a number from 0 to 100");
  CHECK(refusal("ATOM 1 N GLY 1 +-1 2 3 0 1\n") ==
        ":1: x '+-1': expected a number from -1000 to 1000");
  CHECK(refusal(kAtom + kAtom + kAtom + kAtom) == ":4: too many atoms: expected at most 3");
}

TEST_CASE("garbage in place of a PQR file is refused before it fills memory") {
  CHECK(refusal(std::string("REMARK\n\0\1\2", 10)) == ":2: byte 0x00: expected text");
  CHECK(refusal(std::string(100000, 'x')) == ":1: line too long: expected at most 4096 characters");
  CHECK(refusal("ATOM 1 N GLY 1 \x1b[2J 2 3 0 1\n") ==
        ":1: x '?[2J': expected a number from -1000 to 1000");
  if (fs::is_character_file("/dev/zero"))
    CHECK_THROWS_AS(readPqr("/dev/zero", kThree), UsageError);
}

TEST_CASE("a PQR file that is missing or a folder cannot be read") {
  CHECK_THROWS_WITH(readPqr("/nonexistent/a.pqr", kThree),
                    Contains("/nonexistent/a.pqr: cannot be read") && Contains("No such file"));
  CHECK_THROWS_WITH(readPqr("/", kThree), Contains("/: cannot be read"));
}
