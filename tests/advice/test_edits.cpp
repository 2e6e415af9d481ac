/// Edits of source text, against the texts that somebody would write.
#include "advice/edits.h"
#include "common/error.h"
#include "processes/clang_tokens.h"
#include "support/files.h"

#include <catch2/catch.hpp>

using namespace aiwc::advice;
using Kind = Change::Kind;

namespace {

std::vector<Edit> editsOf(const Change &change, const std::string &kernel,
                          const std::string &source) {
  return editsOf(change, kernel, SourceCode(source, aiwc::processes::clangTokens(source)));
}
std::string sketchOf(const Change &change, const std::string &kernel, const std::string &source) {
  return sketchOf(change, kernel, SourceCode(source, aiwc::processes::clangTokens(source)));
}

/// The source after the edits.
std::string edited(const Change &change, const std::string &kernel, std::string source) {
  std::vector<Edit> edits = editsOf(change, kernel, source);
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) { // from the end: lines stay
    size_t begin = 0;
    for (uint64_t line = 1; line < edit->place; ++line)
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

TEST_CASE("lines have the numbers that #line gives them") {
  const std::string source = "#line 7 \"app.cl\"\nkernel void k(global float *a) {\n"
                             "  a[0] = 0.5;\n  a[1] = 1.5;\n}\n";
  CHECK(editsOf({Kind::kFloatLiterals, {9}, {}}, "k", source) ==
        std::vector<Edit>{{4, 9, "  a[1] = 1.5;", "  a[1] = 1.5f;"}});
  // Before a block that has the numbers of the lines below again.
  CHECK(editsOf({Kind::kFloatLiterals, {2}, {}}, "k", "x\n//\n#line 2\na = 0.5;\n") ==
        std::vector<Edit>{{4, 2, "a = 0.5;", "a = 0.5f;"}});
  CHECK(edited({Kind::kHoistLoads, {9}, {"in"}}, "k",
               "#line 7\nkernel void k(global float *out, global float *in) {\n"
               "  for (int j = 0; j < 9; ++j)\n    out[j] = in[0];\n}\n") ==
        "#line 7\nkernel void k(global float *out, global float *in) {\n"
        "  const float in_value = in[0];\n"
        "  for (int j = 0; j < 9; ++j)\n    out[j] = in_value;\n}\n");
}

TEST_CASE("rows get longer in the kernel that has them, not in others with an array of that name") {
  const auto kernel = [](const std::string &name, const std::string &rows) {
    return "kernel void " + name + "(global float *out) {\n  local float t[16][" + rows +
           "];\n  t[0][1] = t[1][0];\n}\n";
  };
  const Change change = {Kind::kPadRows, {}, {"t"}};
  CHECK(edited(change, "k", kernel("a", "16") + kernel("k", "16") + kernel("b", "16")) ==
        kernel("a", "16") + kernel("k", "17") + kernel("b", "16"));
  // Of two functions that the kernel may call, nobody knows which one has the fault.
  const std::string caller = "kernel void k(global float *out) { a(out); }\n";
  CHECK(edited(change, "k", kernel("a", "16") + caller) == kernel("a", "17") + caller);
  CHECK(editsOf(change, "k", kernel("a", "16") + kernel("b", "16") + caller).empty());
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
  const std::string endless = "local float " + std::string(1 << 20, ' ') + "tile[32][3";
  CHECK(after(endless + "2];") == endless + "3];");
}

namespace {

/// A kernel whose loop reads in[i] on the line that `body` begins, from which on the text is given.
std::string looped(const std::string &body, const std::string &before = "",
                   const std::string &parameters = "global float *out, global const float *in") {
  return "kernel void k(" + parameters + ", int n) {\n" + before +
         "  const int i = get_global_id(0);\n" + body + "}\n";
}

/// The source after moving the load of `in` that is on this line.
std::string hoisted(const std::string &source, uint64_t line) {
  return edited({Kind::kHoistLoads, {line}, {"in"}}, "k", source);
}

} // namespace

TEST_CASE("a load that each iteration repeats moves before the loop") {
  CHECK(hoisted(looped("  for (int j = 0; j < n; ++j)\n"
                       "    out[j * n + i] = in[i] * j + in[ i /* mine */ ];\n"),
                4) == looped("  const float in_i = in[i];\n"
                             "  for (int j = 0; j < n; ++j)\n"
                             "    out[j * n + i] = in_i * j + in_i;\n"));
  // The innermost loop; an index of several values; a name that is taken; a pragma of the loop.
  CHECK(hoisted(looped("  float in_value = 0;\n"
                       "  for (int y = 0; y < n; ++y) {\n"
                       "    #pragma unroll 4\n"
                       "    for (int x = 0; x < n; ++x) {\n"
                       "      out[x] += in[y * n + get_local_id(0)];\n"
                       "    }\n"
                       "  }\n"),
                7) == looped("  float in_value = 0;\n"
                             "  for (int y = 0; y < n; ++y) {\n"
                             "    const float in_value2 = in[y * n + get_local_id(0)];\n"
                             "    #pragma unroll 4\n"
                             "    for (int x = 0; x < n; ++x) {\n"
                             "      out[x] += in_value2;\n"
                             "    }\n"
                             "  }\n"));
  // `do`, and a loop that is not the first of its line.
  CHECK(hoisted(looped("  int j = 0; do { out[j] = in[i]; } while (++j < n);\n"), 3) ==
        looped("  int j = 0; const float in_i = in[i]; do { out[j] = in_i; } while (++j < n);\n"));
  // A comment, a text and a macro that look like loops are none.
  CHECK(hoisted(looped("  // for (;;) {\n"
                       "  while (j < n) /* { */ {\n"
                       "    out[j++] = in[i]; // in[i] = 0;\n"
                       "  }\n",
                       "  int j = 0;\n"),
                6) == looped("  // for (;;) {\n"
                             "  const float in_i = in[i];\n"
                             "  while (j < n) /* { */ {\n"
                             "    out[j++] = in_i; // in[i] = 0;\n"
                             "  }\n",
                             "  int j = 0;\n"));
  // CUDA.
  const std::string cuda = "__global__ void k(float *out, const unsigned int *__restrict__ in) {\n"
                           "  for (int j = 0; j < 9; ++j)\n"
                           "    out[j] = in[threadIdx.x];\n"
                           "}\n";
  CHECK(hoisted(cuda, 3) == "__global__ void k(float *out, const unsigned int *__restrict__ in) {\n"
                            "  const unsigned int in_value = in[threadIdx.x];\n"
                            "  for (int j = 0; j < 9; ++j)\n"
                            "    out[j] = in_value;\n"
                            "}\n");
}

TEST_CASE("a load stays where it is unless it certainly is the same in each iteration") {
  const auto stays = [](const std::string &source, uint64_t line) {
    INFO(source);
    CHECK(hoisted(source, line) == source);
  };
  const auto inLoop = [](const std::string &statements) { // on line 4
    return looped("  for (int j = 0; j < n; ++j) {\n    " + statements + "\n  }\n");
  };
  for (const char *statement :
       {"out[j] = in[j];",
        "out[j] = in[n++];",
        "n -= 1; out[j] = in[n];",
        "int n = j; out[j] = in[n];",
        "step(&n); out[j] = in[n];",
        "out[j] = in[out[0]];",
        "out[j] = in[next(i)];",
        "out[j] = in[(n = 2)];", // the index
        "if (j > 2) out[j] = in[i];",
        "out[j] = j > 2 ? in[i] : 0;",
        "if (j == n) break; out[j] = in[i];",
        "if (j > 2) continue; out[j] = in[i];",
        "out[j] = j > 2 && in[i] > 0;",
        "switch (j) { case 0: out[j] = in[i]; }",
        "for (;;) { if (j) return; out[j] = in[i]; }", // the first iteration
        "in[i] = j;",
        "out[j] = in[i]++;",
        "in[0] = 1; out[j] = in[i];",
        "fill(in); out[j] = in[i];",
        "in += 1; out[j] = in[i];",
        "float in[2]; out[j] = in[i];",
        "out[j] = *(in + i);",
        "out[j] = s.in[i];",
        "out[j] = (&in[i])[1];",
        "out[j] = in[i][0];",
        "out[j] = in[i].x;"})
    stays(inLoop(statement), 4);
  const std::string load = "  for (int j = 0; j < n; ++j)\n    out[j] = in[i];\n";
  CHECK(hoisted(looped(load), 4) != looped(load)); // by itself it moves
  for (const char *parameters :
       {"global float *out, global const volatile float *in", "global float *out, local float *in",
        "global float *out, GLOBAL float *in", "global float *out, global float **in",
        "global float *out, global const half *in", "global float *in_, global float *out"})
    stays("#define GLOBAL global\n" + looped(load, "", parameters), 5);
  stays("#define i next()\n" + looped(load), 5);
  stays("#define in other\n" + looped(load), 5);
  stays(looped("  if (n)\n  for (int j = 0; j < n; ++j)\n    out[j] = in[i];\n"), 5);
  stays(looped("  for (int j = 0; j < n; ++j)\n#if 1\n    out[j] = in[i];\n#endif\n"), 5);
  stays(looped("  out[0] = in[i];\n"), 3);
  stays(
      looped("  int *p = &n;\n  for (int j = 0; j < n; ++j) {\n    *p = j; out[j] = in[n];\n  }\n"),
      5);
  stays("#define LOOP for (int j = 0; j < n; ++j) \\\n  out[j] = in[i];\n" + looped("  LOOP\n"), 2);
  for (const char *broken : {"kernel void k(global float *in) { for (", "for (;;) in[i];", "k(", "",
                             "kernel void k(global float *in) {\nfor (;;) { x = in[i]; }"})
    CHECK(hoisted(broken, 1) == broken);
  // Two definitions: which one ran is not known.
  stays("#if A\n" + looped(load) + "#else\n" + looped(load) + "#endif\n", 5);
}

TEST_CASE("work-items loop over the work") {
  const auto strided = [](const std::string &source) {
    return edited({Kind::kGridStride, {}, {}}, "k", source);
  };
  const std::string head = "kernel void k(global float *out, int n) {\n";
  CHECK(strided(head + "  const int i = get_global_id(0);\n"
                       "  if (i < n)\n"
                       "    out[i] = i;\n"
                       "}\n") == head + "  int i = get_global_id(0);\n"
                                        "  for (; i < n; i += get_global_size(0))\n"
                                        "    out[i] = i;\n"
                                        "}\n");
  CHECK(strided(head + "  size_t i = get_global_id(0);\n"
                       "  if (i >= n * n)\n"
                       "    return; // no work\n"
                       "  float sum = 0;\n"
                       "  for (int k = 0; k < n; ++k)\n"
                       "    sum += k;\n"
                       "  out[i] = sum;\n"
                       "}\n") == head + "  size_t i = get_global_id(0);\n"
                                        "  for (; i < n * n;\n"
                                        "    i += get_global_size(0)) { // no work\n"
                                        "  float sum = 0;\n"
                                        "  for (int k = 0; k < n; ++k)\n"
                                        "    sum += k;\n"
                                        "  out[i] = sum;\n"
                                        "  }\n"
                                        "}\n");
  CHECK(strided(head + "  int i = get_global_id(0); if (i >= n) { return; } out[i] = i; }\n") ==
        head + "  int i = get_global_id(0); for (; i < n; i += get_global_size(0)) { out[i] = i; } "
               "}\n");
  CHECK(strided(head + "  int i = get_global_id(0);\n  if (i >= n) {\n    return;\n  }\n"
                       "  out[i] = i;\n}\n") ==
        head + "  int i = get_global_id(0);\n  for (; i < n;\n    i += get_global_size(0)) {\n  \n"
               "  out[i] = i;\n  }\n}\n");
  const std::string cuda = "__global__ void k(float *out, int n) {\n";
  CHECK(strided(cuda + "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  if (i < n) out[i] = i;\n"
                       "}\n") == cuda + "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        "  for (; i < n; i += gridDim.x * blockDim.x) out[i] = i;\n"
                                        "}\n");
}

TEST_CASE("work-items do not loop where more than one's own work would change") {
  const auto stays = [](const std::string &body) {
    const std::string source = "#define GO return\n#define N 64\n"
                               "kernel void k(global float *out, int n) {\n" +
                               body + "}\n";
    INFO(source);
    CHECK(edited({Kind::kGridStride, {}, {}}, "k", source) == source);
  };
  const std::string id = "  int i = get_global_id(0);\n";
  for (const char *rest :
       {"  if (i < n) out[i] = 0; else out[0] = 1;\n", "  if (i < n) out[i] = 0;\n  out[n] = 1;\n",
        "  if (i < n && out[i] > 0) out[i] = 0;\n", "  if (i < next(n)) out[i] = 0;\n",
        "  if (i < n) { if (out[i] > 0) return; out[i] = 0; }\n", "  if (i < n) { GO; }\n",
        "  if (i < n) { out[i] = 0; barrier(CLK_LOCAL_MEM_FENCE); }\n",
        "  if (i < n) out[i++] = 0;\n", "  if (i < n) out[i] = get_local_id(0);\n",
        "  if (i < n) { n = 2; out[i] = n; }\n", "  if (i < n) *out++ = 0;\n",
        "  if (i < n) { local float a[4]; out[i] = a[0]; }\n", "  if (n > i) out[i] = 0;\n",
        "  if (i >= n) return 1;\n  out[i] = 0;\n",
        "  if (i >= n) { out[0] = 1; return; }\n  out[i] = 0;\n",
        "#ifdef X\n  if (i < n)\n#endif\n    out[i] = 0;\n",
        "  float s = 0;\n  if (i < n) out[i] = s;\n"})
    stays(id + rest);
  stays("  int i = get_global_id(0), j = 0;\n  if (i < n) out[i] = j;\n");
  stays("  int i = get_global_id(1);\n  if (i < n) out[i] = 0;\n");
  stays("  int i = get_global_id(0) * 2;\n  if (i < n) out[i] = 0;\n");
  CHECK(!editsOf({Kind::kGridStride, {}, {}}, "k",
                 "#define N 64\nkernel void k(global float *out) {\n" + id +
                     "  if (i < N) out[i] = 0;\n}\n")
             .empty());
}

TEST_CASE("calls that are made of arguments alone are named, for the host to make") {
  const std::string source =
      "#define SCALE 2.0f\n"
      "kernel void k(global float *out, const float sigma, float x, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  x += 1;\n"
      "  for (int j = 0; j < n; ++j)\n"
      "    out[i] += exp(-1.0f /\n        (SCALE * sigma * sigma)) + exp(x) + exp(j * sigma) + "
      "exp(2.0f)\n"
      "      + native_sqrt(sqrt( sigma )) + out[i] * exp(out[i]) + p.exp(sigma) + next(sigma);\n"
      "}\n";
  CHECK(sketchOf({Kind::kPassValues}, "k", source) ==
        " Here, the host can calculate exp(-1.0f / (SCALE * sigma * sigma)) and "
        "native_sqrt(sqrt( sigma )), which are made of the arguments alone.");
  CHECK(sketchOf({Kind::kPassValues}, "other", source).empty());
  CHECK(sketchOf({Kind::kGridStride}, "k", source).empty());
  CHECK(sketchOf({Kind::kPassValues}, "k", "kernel void k(float s) { exp(s").empty());
  CHECK(editsOf({Kind::kPassValues}, "k", source).empty());
}

TEST_CASE("tokens are clang's: what only looks like code is none") {
  const auto after = [](const std::string &source) {
    return edited({Kind::kExchangeIds, {}, {}}, "k", source);
  };
  const std::string head = "kernel void k(global int *a) {\n";
  for (const char *same :
       {"  /* get_global_id(0) { */ a[0] = 1;\n}\n", "  print(\"} get_global_id(0)\");\n}\n",
        "  a[0] = '\\'' + x; // get_global_id(0)\n}\n", "#define X get_global_id(0) \\\n  } {\n}\n",
        "  // continued \\\n  get_global_id(0);\n}\n",
        "  /* '\t [StartOfLine]\tLoc=<<stdin>:1:1> */\n}\n"})
    CHECK(after(head + same) == head + same);
  CHECK(after(head + "  /* 1.5 */ a[get_global_id /* x */ (0)] = 0; \"a\\\"b\";\r\n}\n") ==
        head + "  /* 1.5 */ a[get_global_id /* x */ (1)] = 0; \"a\\\"b\";\r\n}\n");
  // Broken at its end; a quote and a comment that do not end.
  for (const char *rest : {"\\", "'", "\"get_global_id(0)", "/* get_global_id(0)", "@`#"})
    CHECK(after(head + rest) == head + rest);
}

TEST_CASE("a dump of another text is refused") {
  const std::string dump = aiwc::processes::clangTokens("int first;\nint second;\n");
  CHECK_THROWS_AS(SourceCode("int a;\n", dump), aiwc::Error);
  CHECK_THROWS_AS(SourceCode("int first;\nint second;\n", dump + dump), aiwc::Error);
}
