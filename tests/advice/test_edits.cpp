/// Edits of source text, against the texts that somebody would write.
#include "advice/edits.h"
#include "support/files.h"

#include <catch2/catch.hpp>

using namespace aiwc::advice;
using Kind = Change::Kind;

namespace {

/// The source after the edits.
std::string edited(const Change &change, const std::string &kernel, std::string source) {
  std::vector<Edit> edits = editsOf(change, kernel, source);
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) { // from the end: lines stay
    size_t begin = 0;
    for (uint64_t line = 1; line < edit->line; ++line)
      begin = source.find('\n', begin) + 1;
    REQUIRE(source.substr(begin, edit->before.size()) == edit->before);
    source.replace(begin, edit->before.size(), edit->after);
  }
  return source;
}

} // namespace

TEST_CASE("constants get an f where they are floating-point constants without a suffix") {
  const auto after = [](const std::string &line) {
    return edited({Kind::kFloatLiterals, {1}, {}}, "k", line);
  };
  CHECK(after("x = 1e-4 + 0.5 * y + .25;") == "x = 1e-4f + 0.5f * y + .25f;");
  CHECK(after("x = 1. / (2.0E+3 - 1.5e6);") == "x = 1.f / (2.0E+3f - 1.5e6f);");
  for (const char *same : {"x = 1e-4f + 2.0F;", "i = 10 + 0x1e5 + 7u;", "v1.x2 = a3e4;",
                           "x = 0x1.8p3;", "// 1.5", "x = y; // 2.5", "print(\"1.5\");"})
    CHECK(after(same) == same);
  // Other lines stay as they are.
  CHECK(edited({Kind::kFloatLiterals, {2}, {}}, "k", "a = 1.0;\nb = 2.0;\n") ==
        "a = 1.0;\nb = 2.0f;\n");
  CHECK(editsOf({Kind::kFloatLiterals, {0, 9}, {}}, "k", "a = 1.0;\n").empty());
}

TEST_CASE("indices are exchanged in the kernel only") {
  const std::string source = "kernel void other(int a) { a = get_global_id(0); }\n"
                             "kernel void k_not(int a);\n"
                             "kernel void k(int a) { // {\n"
                             "  int x = get_global_id( 1 ), y = get_global_id(0);\n"
                             "  int z = get_global_id(2) + get_local_id(1);\n"
                             "}\n"
                             "kernel void more(int a) { a = get_global_id(1); }\n";
  CHECK(edited({Kind::kExchangeIds, {}, {}}, "k", source) ==
        "kernel void other(int a) { a = get_global_id(0); }\n"
        "kernel void k_not(int a);\n"
        "kernel void k(int a) { // {\n"
        "  int x = get_global_id( 0 ), y = get_global_id(1);\n"
        "  int z = get_global_id(2) + get_local_id(0);\n"
        "}\n"
        "kernel void more(int a) { a = get_global_id(1); }\n");
  CHECK(editsOf({Kind::kExchangeIds, {}, {}}, "missing", source).empty());
  CHECK(editsOf({Kind::kExchangeIds, {}, {}}, "k_not", source).empty()); // only declared
}

TEST_CASE("exchanging the indices of the tutorial's kernel gives its second version") {
  const auto body = [](const std::string &source) { return source.substr(source.find("kernel ")); };
  const std::string folder = AIWC_TEST_TUTORIAL;
  const std::string slow = aiwc::test::contents(folder + "/blur.cl");
  CHECK(body(edited({Kind::kExchangeIds, {}, {}}, "blur", slow)) ==
        body(aiwc::test::contents(folder + "/blur_faster.cl")));
}

TEST_CASE("variables of 64 bits that are indices get 32") {
  const std::string source =
      "kernel void k(global float *out, int width) {\n"
      "  const size_t x = get_global_id(0) % width, n = get_global_size(0);\n"
      "  ulong seed = x;\n"
      "  long at = x * n; // long at = 1\n"
      "  out[at / width + (size_t)get_local_id( 0 ) + get_group_id(1)] = 1;\n"
      "  out[0] += seed;\n"
      "}\n"
      "kernel void other(global float *out) { size_t i = get_global_id(0); out[i] = 1; }\n";
  const Change change = {Kind::kNarrowIndices, {2, 5}, {}};
  CHECK(edited(change, "k", source) ==
        "kernel void k(global float *out, int width) {\n"
        "  const int x = (int)get_global_id(0) % width, n = get_global_size(0);\n"
        "  ulong seed = x;\n"
        "  int at = x * n; // long at = 1\n"
        "  out[at / width + (size_t)get_local_id( 0 ) + (int)get_group_id(1)] = 1;\n"
        "  out[0] += seed;\n"
        "}\n"
        "kernel void other(global float *out) { size_t i = get_global_id(0); out[i] = 1; }\n");
  // What the host passes stays as wide as it is.
  for (const char *argument : {"long width", "size_t width", "const ulong width"}) {
    std::string wide = source;
    wide.replace(wide.find("int width"), 9, argument);
    CHECK(editsOf(change, "k", wide).empty());
  }
}

TEST_CASE("rows of local arrays of two dimensions get longer") {
  const auto after = [](const std::string &line) {
    return edited({Kind::kPadRows, {}, {"tile"}}, "k", line);
  };
  CHECK(after("  local float tile[32][32];") == "  local float tile[32][33];");
  CHECK(after("  __local int a, tile[N][M + 2], b;") == "  __local int a, tile[N][M + 2 + 1], b;");
  CHECK(after("  __shared__ float tile[T][T];") == "  __shared__ float tile[T][T + 1];");
  for (const char *same : {"  local float tile[32 * 32];", "  local float tiles[32][32];",
                           "  x = tile[i][j];", "  float tile[32][32];"})
    CHECK(after(same) == same);
  const std::string endless = "local float " + std::string(1 << 20, ' ') + "tile[32][32];";
  CHECK(after(endless) == endless);
}
