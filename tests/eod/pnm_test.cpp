#include "eod/formats/pnm.h"
#include "format_tests.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using test::File;
namespace fs = std::filesystem;

namespace {

using Samples = std::vector<uint16_t>;

const PnmExpectation kGrey{.colour = false, .maximum = 65535, .pixels = 100};
const PnmExpectation kColour{.colour = true, .maximum = 255, .pixels = 100};

Image read(const std::string &bytes, const PnmExpectation &expected = kColour) {
  const File file(bytes);
  return readPnm(file.path, expected);
}

/// What the reader says about the bytes, without the file's name.
std::string refusal(const std::string &bytes, const PnmExpectation &expected = kColour) {
  return test::refusalOf(bytes, [&](const std::string &path) { readPnm(path, expected); });
}

} // namespace

TEST_CASE("a plain greymap, three pixels wide, two high") {
  const Image image = read("P2\n3 2\n255\n0 1 2\n253 254 255\n");
  CHECK(image.width == 3);
  CHECK(image.height == 2);
  CHECK(image.channels == 1);
  CHECK(image.maximum == 255);
  CHECK(image.samples == Samples{0, 1, 2, 253, 254, 255});
}

TEST_CASE("a plain pixmap: red, green and blue of a pixel side by side") {
  const Image image = read("P3 1 2 9  1 2 3  4 5 6");
  CHECK(image.channels == 3);
  CHECK(image.samples == Samples{1, 2, 3, 4, 5, 6});
}

TEST_CASE("raw samples: bytes that look like blanks, comments and digits are samples") {
  CHECK(read("P5 4 1 255\n\n#0 ").samples == Samples{'\n', '#', '0', ' '});
  CHECK(read("P6\n1 1\n255\n\xff\x80\x01").samples == Samples{255, 128, 1});
}

TEST_CASE("raw samples above 255 have two bytes, the more significant one first") {
  CHECK(read("P5 2 1 1000\n\x01\x02\x03\xe8", kGrey).samples == Samples{258, 1000});
  CHECK(read("P2 2 1 65535 65535 256", kGrey).samples == Samples{65535, 256});
}

TEST_CASE("comments are skipped, also behind a number; what follows the image is not looked at") {
  CHECK(read("P2 # grey\n# made by hand\n1# wide\n 2\t#high\n255\r\n7 # a\n8 more").samples ==
        Samples{7, 8});
  CHECK(read("P5 1 1 255#the last\n*P5").samples == Samples{'*'});
}

TEST_CASE("what is wrong with an image is named with its line and with what was expected") {
  const std::string magic = ":1: not such an image: expected P2, P3, P5 or P6 in the beginning";
  for (const char *bytes : {"", "P", "P4 1 1 ", "P7\n", "GIF89a", "2 2 255", "P22 1 1 255 0"})
    CHECK(refusal(bytes) == magic);
  CHECK(refusal("P3 1 1 255 0 0 0", kGrey) ==
        ":1: not such an image: expected P2 or P5 in the beginning");
  CHECK(refusal("P2\n3") == ":2: ends in its header: expected the height");
  CHECK(refusal("P2\n3 x") == ":2: 'x' in the height: expected a decimal number");
  CHECK(refusal("P2\n-3 1") == ":2: '-' in the width: expected a decimal number");
  CHECK(refusal("P2\n3.5 1") == ":2: '.' in the width: expected a decimal number");
  CHECK(refusal("P2\n99999999999 1") == ":2: width is too large: expected at most 4294967295");
  CHECK(refusal("P2\n0 5\n255\n") == ":2: 0 by 5 pixels: expected 1 to 100 pixels");
  CHECK(refusal("P5\n11 10\n255\n") == ":2: 11 by 10 pixels: expected 1 to 100 pixels");
  CHECK(refusal("P5\n4294967295 4294967295\n255\n") ==
        ":2: 4294967295 by 4294967295 pixels: expected 1 to 100 pixels");
  CHECK(refusal("P2\n1 1\n0\n0") == ":3: largest sample 0: expected 1 to 255");
  CHECK(refusal("P2\n1 1\n256\n0") == ":3: largest sample 256: expected 1 to 255");
  CHECK(refusal("P2\n1 1\n65536\n0", kGrey) == ":3: largest sample 65536: expected 1 to 65535");
  CHECK(refusal("P2\n2 1\n9\n1\n10\n") == ":5: sample 1 is 10: expected at most 9");
  CHECK(refusal("P5\n2 1\n9\n\x01\x0a") == ":4: sample 1 is 10: expected at most 9");
  CHECK(refusal("P2\n2 2\n9\n1 2\n3\n") == ":5: ends after 3 samples: expected 4");
  CHECK(refusal("P5\n2 2\n9\n\x01\x02") == ":4: ends after 2 samples: expected 4");
  CHECK(refusal("P5 1 1 300\n\x01", kGrey) == ":2: ends after 0 samples: expected 1");
}

TEST_CASE("an image that is not there and a folder are refused with the system's reason") {
  CHECK_THROWS_WITH(readPnm("/nonexistent/a.pgm", kGrey),
                    "/nonexistent/a.pgm: cannot be read (No such file or directory): expected a "
                    "PGM file");
  CHECK_THROWS_WITH(readPnm("/", kColour),
                    "/: cannot be read (Is a directory): expected a PGM or PPM file");
}
