#include "eod/srad/srad_reference.h"
#include "programs.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

using namespace aiwc::eod;
using srad::Image;
using srad::Region;
using srad::Shape;

namespace {

Image rounded(const std::vector<double> &image) {
  return {image.begin(), image.end()};
}

double sum(const std::vector<double> &image) {
  return std::accumulate(image.begin(), image.end(), 0.0);
}

} // namespace

TEST_CASE("noise is variance over squared mean, of the region inside the image") {
  const Shape shape{2, 3};
  const Image image{1, 3, 100, 100, 100, 100};
  // 1 and 3: mean 2, variance 1.
  CHECK(srad::noise(shape, image, {0, 0, 0, 1}) == Approx(0.25));
  CHECK(srad::noise(shape, image, {1, 99, 0, 99}) == srad::kLeastNoise);
  CHECK(srad::noise(shape, {2, 2, 2, 6, 6, 6}, {}) == Approx(4.0 / 16));
}

TEST_CASE("an image without texture stays as it is") {
  const Image flat(12, 0.25f);
  for (double value : srad::diffused({3, 4}, flat, {}, 5, 0.5))
    CHECK(value == 0.25);
}

TEST_CASE("one step of two pixels, by hand") {
  // Pixels 1 and 3, noise 1/4. At the left one the squared differences sum to 4, the neighbours to
  // 6, so the Laplacian is 2 and q^2 = (2 - 1/4) / (3/2)^2 = 7/9; at the right one with differences
  // of -2 and neighbours 10, relative to 3: (2/9 - (2/3)^2 / 16) / (5/6)^2 = 7/25. The flow between
  // them has the coefficient of the right one, 1 / (1 + (7/25 - 1/4) / (5/16)) = 1 / 1.096.
  const std::vector<double> result = srad::diffused({1, 2}, {1, 3}, {}, 1, 0.5);
  const double flow = 0.125 * 2 / 1.096;
  CHECK(result[0] == Approx(1 + flow));
  CHECK(result[1] == Approx(3 - flow));
  // The same, one above the other.
  const std::vector<double> upright = srad::diffused({2, 1}, {1, 3}, {}, 1, 0.5);
  CHECK(upright == result);
}

TEST_CASE("nothing flows out of the image, and no pixel leaves the range of the others") {
  const Shape shape{40, 30};
  const Image image = srad::ultrasound(shape, 4);
  const std::vector<double> result = srad::diffused(shape, image, {}, 20, 1.0);
  const double before = std::accumulate(image.begin(), image.end(), 0.0);
  CHECK(sum(result) == Approx(before).epsilon(1e-12));
  CHECK(*std::min_element(result.begin(), result.end()) >=
        *std::min_element(image.begin(), image.end()));
  CHECK(*std::max_element(result.begin(), result.end()) <=
        *std::max_element(image.begin(), image.end()));
}

TEST_CASE("diffusion reduces speckle but keeps an edge") {
  const Shape shape{32, 32};
  Image image = srad::ultrasound(shape, 1);
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = (i % 32 < 16 ? 1.0f : 8.0f) * (1 + 0.1f * (image[i] - 0.4f));
  const Region left{0, 31, 0, 13};
  const Image result = rounded(srad::diffused(shape, image, left, 30, 0.5));
  CHECK(srad::noise(shape, result, left) < 0.3 * srad::noise(shape, image, left));
  for (size_t row = 0; row < 32; ++row)
    CHECK(result[row * 32 + 17] > 5 * result[row * 32 + 14]);
}

TEST_CASE("the rounded reference passes; one wrong pixel fails, wherever it is") {
  const Shape shape{20, 10};
  const Image image = srad::ultrasound(shape, 2);
  const Image right = rounded(srad::diffused(shape, image, {}, 3, 0.5));
  CHECK(srad::check(shape, image, {}, 3, 0.5, right).passed);
  for (size_t i = 0; i < right.size(); ++i) {
    Image wrong = right;
    wrong[i] *= 1.0001f;
    CHECK_FALSE(srad::check(shape, image, {}, 3, 0.5, wrong).passed);
    wrong[i] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(srad::check(shape, image, {}, 3, 0.5, wrong).passed);
  }
}

TEST_CASE("another number of iterations, step or region fails") {
  const Shape shape{20, 10};
  const Image image = srad::ultrasound(shape, 2);
  const Image right = rounded(srad::diffused(shape, image, {}, 3, 0.5));
  CHECK_FALSE(srad::check(shape, image, {}, 2, 0.5, right).passed);
  CHECK_FALSE(srad::check(shape, image, {}, 4, 0.5, right).passed);
  CHECK_FALSE(srad::check(shape, image, {}, 3, 0.49, right).passed);
  CHECK_FALSE(srad::check(shape, image, {0, 9, 0, 9}, 3, 0.5, right).passed);
  CHECK_FALSE(srad::check(shape, image, {}, 3, 0.5, image).passed);
}

TEST_CASE("the generated image depends on the seed alone, is positive and speckled") {
  const Shape shape{80, 16};
  const Image image = srad::ultrasound(shape, 1);
  CHECK(image.size() == 80 * 16);
  CHECK(image == srad::ultrasound(shape, 1));
  CHECK(image != srad::ultrasound(shape, 2));
  CHECK(*std::min_element(image.begin(), image.end()) >= 0x1p-8f);
  const double variation = std::sqrt(srad::noise(shape, image, {}));
  CHECK(variation > 0.3);
  CHECK(variation < 1);
}

TEST_CASE("--list of srad: six images") {
  const test::Outcome outcome = test::run("srad", "--list");
  REQUIRE(outcome.status == 0);
  CHECK(test::listed(outcome.out, "tiny", 2) == 30.0);
  CHECK(test::listed(outcome.out, "small", 2) == 240.0);
  CHECK(test::listed(outcome.out, "medium", 2) == 8064.0);
  CHECK(test::listed(outcome.out, "large", 2) == 49152.0);
  CHECK_THAT(outcome.out, Catch::Contains("10 iterations (--iterations), lambda 0.5 (--lambda)"));
}

TEST_CASE("srad refuses images, steps, regions and files that make no sense") {
  test::checkRefused(
      "srad", {{"--rows 0", "expected 1 to 268435456 pixels"},
               {"--rows 65536 --columns 65536", "expected 1 to 268435456 pixels"},
               {"--rows -1", "--rows"},
               {"--rows 9 --size tiny", "excludes"},
               {"--iterations 0", "expected 1 or more"},
               {"--lambda 0", "--lambda 0: expected a number above 0 and at most 1"},
               {"--lambda 1.5", "--lambda 1.5: expected"},
               {"--lambda nan", "expected a number above 0"},
               {"--region 1,2,3", "--region"},
               {"--region 5,4,0,9", "--region 5,4,0,9: expected first and last row"},
               {"--region 80,90,0,9", "--region 80,90,0,9: expected"},
               {"--input /nonexistent.pgm", "/nonexistent.pgm: cannot be read (No such file"},
               {"--input /dev/null", "/dev/null:1: not such an image: expected P2 or P5"}});
}

TEST_CASE("--input takes the place of --rows, --columns and --size") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("eod_srad." + std::to_string(getpid()));
  std::ofstream(path) << "P2 2 1 255 0 255";
  const std::string input = "--input " + path;
  test::checkRefused("srad", {{(input + " --rows 4").c_str(), "excludes"},
                              {(input + " --columns 4").c_str(), "excludes"},
                              {(input + " --size tiny").c_str(), "excludes"},
                              {(input + " --region 1,1,0,1").c_str(), "1 by 2 pixels"}});
  std::filesystem::remove(path);
}
