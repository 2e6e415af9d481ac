/// What identifies a program, which has to be what aiwc's profiles say of it.
#include "eod/common/error.h"
#include "eod/common/program_source.h"
#include "profile/source_hash.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

using namespace aiwc::eod;

namespace {

constexpr const char *kBlock = "//@aiwc begin 1\n"
                               "//@aiwc kernel=a global=64\n"
                               "#line 7 //@aiwc end\n";

std::string withNewlines(std::string text, const std::string &newline) {
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += newline.size())
    text.replace(at, 1, newline);
  return text;
}

} // namespace

TEST_CASE("the hash of a program is the one that profiles have", "[program_source]") {
  // The value that the specification of XXH3 gives for no input.
  CHECK(sourceHash("") == "xxh3-128:99aa06d3014798d86001c324468d497f");
  std::mt19937_64 random(1);
  std::string bytes;
  for (int n = 0; n < 600; ++n) {
    REQUIRE(sourceHash(bytes) == aiwc::profile::sourceHash(bytes));
    bytes += static_cast<char>(random());
  }
}

TEST_CASE("an annotated source is the same source", "[program_source]") {
  const std::string head = "// a kernel\n";
  const std::string tail = "kernel void a(global int *x) {\n  *x = 1;\n}\n";
  for (const char *newline : {"\n", "\r\n"}) {
    const auto lines = [&](const std::string &text) { return withNewlines(text, newline); };
    CAPTURE(newline);
    const std::string bare = lines(head + tail);
    CHECK(withoutAnnotations(bare) == bare);
    CHECK(withoutAnnotations(lines(kBlock + head + tail)) == bare);
    CHECK(withoutAnnotations(lines(head + kBlock + tail)) == bare);
    CHECK(withoutAnnotations(lines(head + kBlock + kBlock + tail + kBlock)) == bare);
    CHECK(programHash(lines(head + kBlock + tail)) == sourceHash(bare));
  }
  const std::string mark = "\xef\xbb\xbf";
  CHECK(withoutAnnotations(mark + kBlock + tail) == mark + tail);
  CHECK(withoutAnnotations("").empty());
  const std::string block = kBlock;
  CHECK(withoutAnnotations(block.substr(0, block.size() - 1)).empty()); // no newline at the end
}

TEST_CASE("what is no annotation stays", "[program_source]") {
  const std::string block = kBlock;
  const size_t second = block.find('\n') + 1;
  const size_t end = block.rfind("#line");
  for (const std::string &text :
       {block.substr(0, end),                                 // no end
        block.substr(second),                                 // no begin
        " " + block.substr(0, second) + block.substr(second), // not at the begin of a line
        "x\n" + block.substr(0, second) + "x\n" + block.substr(second), // other lines between
        block.substr(0, second) + "//@aiwc\n" + block.substr(end),
        std::string("#line 7\nint x; // aiwc @aiwc\n")}) {
    CAPTURE(text);
    CHECK(withoutAnnotations(text) == text);
  }
}

TEST_CASE("a program's file has to be one", "[program_source]") {
  namespace fs = std::filesystem;
  const fs::path file =
      fs::temp_directory_path() / ("eod_program_source." + std::to_string(getpid()));
  const std::string bytes("a\0b\r\n", 5);
  std::ofstream(file, std::ios::binary) << bytes;
  CHECK(readProgram(file.string()) == bytes);
  fs::resize_file(file, (std::uintmax_t{64} << 20U) + 1); // sparse
  CHECK_THROWS_WITH(readProgram(file.string()), Catch::StartsWith("--program " + file.string()) &&
                                                    Catch::Contains("has 67108865 bytes"));
  fs::remove(file);
  CHECK_THROWS_AS(readProgram(file.string()), UsageError);
  CHECK_THROWS_WITH(readProgram(file.string()), Catch::Contains("cannot be read: No such file"));
  CHECK_THROWS_WITH(readProgram("/"),
                    Catch::Contains("/: is not a regular file: expected OpenCL C"));
}
