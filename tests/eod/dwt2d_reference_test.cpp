#include "eod/dwt2d/dwt2d_reference.h"
#include "programs.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using dwt2d::Plane;
using dwt2d::Shape;

namespace {

std::array<Plane, 3> transformed(const Shape &shape, const dwt2d::Pixels &pixels, uint32_t levels) {
  std::array<Plane, 3> result;
  for (size_t c = 0; c < 3; ++c)
    result[c] = dwt2d::forward(shape, dwt2d::component(pixels, c), levels);
  return result;
}

/// The definition, number by number, of a signal that goes on mirrored.
Plane byDefinition(const Plane &x) {
  const auto n = static_cast<int>(x.size());
  const auto at = [&](int i) {
    while (i < 0 || i >= n)
      i = i < 0 ? -i : 2 * (n - 1) - i;
    return static_cast<double>(x[static_cast<size_t>(i)]);
  };
  const auto detail = [&](int i) {
    return at(2 * i + 1) - std::floor((at(2 * i) + at(2 * i + 2)) / 2);
  };
  Plane result;
  for (int i = 0; i < (n + 1) / 2; ++i)
    result.push_back(
        static_cast<int32_t>(at(2 * i) + std::floor((detail(i - 1) + detail(i) + 2) / 4)));
  for (int i = 0; i < n / 2; ++i)
    result.push_back(static_cast<int32_t>(detail(i)));
  return result;
}

} // namespace

TEST_CASE("1 2 3 4: details 0 and 1, halves 1 and 3, along a row and along a column") {
  const Plane signal{1, 2, 3, 4};
  const Plane expected{1, 3, 0, 1};
  CHECK(dwt2d::forward({4, 1}, signal, 1) == expected);
  CHECK(dwt2d::forward({1, 4}, signal, 1) == expected);
}

TEST_CASE("signals of any length follow the definition") {
  for (uint32_t length = 2; length < 20; ++length) {
    Plane signal;
    for (uint32_t i = 0; i < length; ++i)
      signal.push_back(static_cast<int32_t>(i * i * 37 % 256) - 128);
    CHECK(dwt2d::forward({length, 1}, signal, 1) == byDefinition(signal));
    CHECK(dwt2d::forward({1, length}, signal, 1) == byDefinition(signal));
  }
}

TEST_CASE("a flat image has itself as its half and no details; a single pixel is its own") {
  const Plane flat = dwt2d::forward({5, 3}, Plane(15, -7), 1);
  for (size_t i = 0; i < 15; ++i)
    CHECK(flat[i] == (i % 5 < 3 && i / 5 < 2 ? -7 : 0));
  CHECK(dwt2d::forward({1, 1}, {42}, 1) == Plane{42});
}

TEST_CASE("rows before columns: the four bands of 2 by 2 pixels") {
  // Rows: 1 2 -> 1 + floor((1 + 1 + 2) / 4) = 2 and 2 - 1 = 1; 5 9 -> 7 and 4. Columns: 2 7 -> 5
  // and 5; 1 4 -> 3 and 3.
  CHECK(dwt2d::forward({2, 2}, {1, 2, 5, 9}, 1) == Plane{5, 3, 5, 3});
}

TEST_CASE("the inverse restores images of any shape, with any number of levels") {
  for (const Shape &shape : {Shape{72, 54}, {7, 13}, {1, 9}, {10, 1}, {2, 2}, {33, 32}})
    for (uint32_t levels = 1; levels <= 6; ++levels) {
      const Plane plane = dwt2d::component(dwt2d::photograph(shape, 3), 1);
      const Plane coefficients = dwt2d::forward(shape, plane, levels);
      CHECK(dwt2d::inverse(shape, coefficients, levels) == plane);
    }
}

TEST_CASE("a second level transforms the upper left band of the first and nothing else") {
  const Shape shape{11, 6};
  const Plane plane = dwt2d::component(dwt2d::photograph(shape, 3), 0);
  const Plane once = dwt2d::forward(shape, plane, 1);
  const Plane twice = dwt2d::forward(shape, plane, 2);
  Plane corner;
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 6; ++column)
      corner.push_back(once[row * 11 + column]);
  corner = dwt2d::forward({6, 3}, corner, 1);
  for (size_t row = 0; row < 6; ++row)
    for (size_t column = 0; column < 11; ++column)
      CHECK(twice[row * 11 + column] ==
            (row < 3 && column < 6 ? corner[row * 6 + column] : once[row * 11 + column]));
}

TEST_CASE("the transform passes; one wrong coefficient fails, wherever it is") {
  const Shape shape{9, 8};
  const dwt2d::Pixels pixels = dwt2d::photograph(shape, 5);
  const std::array<Plane, 3> right = transformed(shape, pixels, 3);
  CHECK(dwt2d::check(shape, pixels, 3, right).passed);
  for (size_t c = 0; c < 3; ++c)
    for (size_t i = 0; i < 72; ++i) {
      std::array<Plane, 3> wrong = right;
      ++wrong[c][i];
      CHECK_FALSE(dwt2d::check(shape, pixels, 3, wrong).passed);
    }
}

TEST_CASE("another number of levels, swapped components and missing coefficients fail") {
  const Shape shape{9, 8};
  const dwt2d::Pixels pixels = dwt2d::photograph(shape, 5);
  CHECK_FALSE(dwt2d::check(shape, pixels, 3, transformed(shape, pixels, 2)).passed);
  std::array<Plane, 3> wrong = transformed(shape, pixels, 3);
  std::swap(wrong[0], wrong[2]);
  CHECK_FALSE(dwt2d::check(shape, pixels, 3, wrong).passed);
  CHECK_FALSE(dwt2d::check(shape, pixels, 3, {}).passed);
}

TEST_CASE("components are the bytes less 128") {
  CHECK(dwt2d::component({0, 128, 255, 1, 2, 3}, 0) == Plane{-128, -127});
  CHECK(dwt2d::component({0, 128, 255, 1, 2, 3}, 2) == Plane{127, -125});
}

TEST_CASE("the generated image depends on the seed alone, and most details are small") {
  const Shape shape{200, 150};
  const dwt2d::Pixels pixels = dwt2d::photograph(shape, 1);
  CHECK(pixels.size() == 3 * shape.pixels());
  CHECK(pixels == dwt2d::photograph(shape, 1));
  CHECK(pixels != dwt2d::photograph(shape, 2));
  const auto isSmall = [](int32_t value) { return std::abs(value) < 12; };
  const Plane plane = dwt2d::component(pixels, 0);
  const Plane coefficients = dwt2d::forward(shape, plane, 3);
  CHECK(std::ranges::count_if(plane, isSmall) < 0.5 * shape.pixels());
  CHECK(std::ranges::count_if(coefficients, isSmall) > 0.9 * shape.pixels());
}

TEST_CASE("--list of dwt2d: two planes of a component, and six planes and the image") {
  const test::Outcome outcome = test::run("dwt2d", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 72 * 54}, {"small", 200 * 150}, {"medium", 1152 * 864}, {"large", 3648 * 2736}};
  for (const auto &[size, pixels] : sizes) {
    CHECK(test::listed(outcome.out, size, 2) == Approx(pixels * 8 / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(pixels * 27 / 1024).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("72x54") && Catch::Contains("3 levels (--levels)"));
}

TEST_CASE("dwt2d refuses images and levels that make no sense") {
  test::checkRefused(
      "dwt2d", {{"--width 0", "expected 1 to 268435456 pixels"},
                {"--width 65536 --height 65536", "expected 1 to 268435456 pixels"},
                {"--width -1", "--width"},
                {"--height 9 --size tiny", "excludes"},
                {"--levels 0", "expected 1 to 7 for 72 by 54 pixels"},
                {"--levels 8", "expected 1 to 7 for 72 by 54 pixels"},
                {"--width 1 --height 1 --levels 2", "expected 1 to 1"},
                {"--input /nonexistent.ppm", "/nonexistent.ppm: cannot be read (No such file"},
                {"--input /dev/null", "/dev/null:1: not such an image: expected P2, P3"}});
}

TEST_CASE("dwt2d takes 8-bit images of at least as many pixels as the levels need") {
  const std::string path =
      std::filesystem::temp_directory_path() / ("eod_dwt2d." + std::to_string(getpid()));
  const std::string input = "--input " + path;
  std::ofstream(path) << "P3 1 2 255 1 2 3 4 5 6";
  test::checkRefused("dwt2d", {{input.c_str(), "--levels 3: expected 1 to 1 for 1 by 2 pixels"},
                               {(input + " --levels 1 --width 4").c_str(), "excludes"},
                               {(input + " --levels 1 --size tiny").c_str(), "excludes"}});
  std::ofstream(path) << "P3 1 1 256 1 2 3";
  test::checkRefused("dwt2d", {{input.c_str(), "largest sample 256: expected 1 to 255"}});
  std::filesystem::remove(path);
}
