#include "embed/compact_fields.h"
#include "embed/compact_histogram.h"
#include "embed/compact_profile.h"
#include "embed/compact_text.h"
#include "profile/source_hash.h"
#include "support/cases.h"
#include "support/files.h"
#include "support/ndrange.h"
#include "support/plausible.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <limits>
#include <set>

using namespace aiwc::literals;
using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string joined(const std::vector<std::string> &lines, const char *separator = "\n") {
  return fmt::format("{}", fmt::join(lines, separator));
}

} // namespace

TEST_CASE("every metric is in exactly one list of the compact form") {
  std::set<Metric> seen;
  std::set<std::string_view> keys;
  for (const MetricList &list : kMetricLists) {
    CHECK(keys.insert(list.key).second);
    for (const MetricInfo &metric : list.metrics)
      CHECK(seen.insert(metric.metric).second);
    if (list.metrics.size() == 1)
      CHECK(list.key == list.metrics.front().key);
  }
  CHECK(seen.size() == kMetricCount);
}

TEST_CASE("what the compact form keeps reads back exactly, on lines or on one") {
  size_t withAllMetrics = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const KernelProfile profile = plausibleProfile(seed);
    const auto lines = encode(profile);
    const KernelProfile read = decode(joined(lines));
    CHECK(joined(encode(decode(joined(lines, " ")))) == joined(encode(read)));
    CHECK(read.histograms.asapFpLevels == compactLevels(profile.histograms.asapFpLevels));
    bool isReuse = false; // in one of the levels of detail
    for (const ReuseDetail detail :
         {ReuseDetail::kExact, ReuseDetail::kMerged, ReuseDetail::kRounded, ReuseDetail::kCoarse})
      isReuse |= read.histograms.reuseDistances ==
                 expandReuse(compactReuse(profile.histograms.reuseDistances,
                                          profile.reuse.coldAccesses, detail));
    CHECK(isReuse);
    CHECK(read.provenance.kernel == profile.provenance.kernel);
    CHECK(read.provenance.workDim == profile.provenance.workDim);
    CHECK(read.provenance.globalSize == profile.provenance.globalSize);
    CHECK(read.provenance.localSize == profile.provenance.localSize);
    CHECK(read.provenance.globalOffset == profile.provenance.globalOffset);
    CHECK(read.provenance.invocation == profile.provenance.invocation);
    CHECK(read.provenance.sourceHash == profile.provenance.sourceHash);
    CHECK(read.provenance.buildOptions == profile.provenance.buildOptions);
    CHECK(read.provenance.llvmVersion == profile.provenance.llvmVersion);
    CHECK(read.simulatorErrors == profile.simulatorErrors);
    CHECK(read.complete);
    CHECK(read.reuse.lineBytes == profile.reuse.lineBytes);
    CHECK(read.reuse.coldAccesses == profile.reuse.coldAccesses);
    const bool all = joined(lines).find(" granularity=") != std::string::npos;
    withAllMetrics += all ? 1 : 0;
    for (const MetricList &list : kMetricLists)
      for (const MetricInfo &row : list.metrics) {
        const Metric metric = row.metric;
        if (list.essential() ||
            joined(lines).find(std::string(list.key) + "=") != std::string::npos)
          CHECK(read[metric] == profile[metric]);
        else
          CHECK((std::holds_alternative<std::monostate>(read[metric])));
      }
    const Header header = decodeHeader(joined(lines));
    CHECK(header.launch == launchOf(profile.provenance));
    CHECK(header.sourceHash == profile.provenance.sourceHash);
  }
  CHECK(withAllMetrics > 50); // where histograms are small, as those of most kernels
}

TEST_CASE("histograms are written as docs/embedding.md says, gaps and neighbours alike") {
  struct Case {
    Histogram levels, distances;
    std::string text;
  };
  const std::vector<Case> cases = {
      // A level that is one wider than the one before is added to it; the next one is not.
      {{{1, 5}, {2, 3}, {3, 4}}, {}, "level_widths=1:5+3,3:4"},
      {{{1, 5}, {3, 4}, {4, 2}, {6, 1}}, {}, "level_widths=1:5,3:4+2,6:1"},
      {{{7, 1}}, {}, "level_widths=7:1"},
      // A bin directly after another one has its accesses only. From 64 on, bins are 8 wide.
      {{}, {{0, 5}, {1, 3}, {2, 9}}, "reuse_distances=0:5;3;9"},
      {{}, {{0, 5}, {2, 3}, {3, 4}, {5, 6}}, "reuse_distances=0:5,2:3;4,5:6"},
      {{}, {{63, 2}, {64, 3}, {72, 4}, {88, 5}, {96, 6}}, "reuse_distances=63:2;3;4,88:5;6"},
      {{}, {{120, 1}, {128, 2}, {144, 3}, {176, 1200000}}, "reuse_distances=120:1;2;3,176:12e5"},
  };
  for (const Case &is : cases) {
    INFO(is.text);
    KernelProfile profile;
    profile.provenance.kernel = "k";
    profile.provenance.workDim = 1;
    profile.provenance.globalSize = {64, 1, 1};
    profile.provenance.localSize = {8, 1, 1};
    profile.reuse.lineBytes = 64;
    profile.reuse.coldAccesses = 10;
    profile.histograms.asapFpLevels = is.levels;
    profile.histograms.reuseDistances = is.distances;
    const std::string text = joined(encode(profile), " ");
    CHECK_THAT(text, Contains(" " + is.text + " "));
    const KernelProfile read = decode(text);
    CHECK(read.histograms.asapFpLevels == is.levels);
    CHECK(read.histograms.reuseDistances == is.distances);
    CHECK(read.reuse.lineBytes == 64);
    CHECK(read.reuse.coldAccesses == 10);
  }
}

TEST_CASE("a list of bins goes on with its lowest distance after 60 characters, and in each line") {
  KernelProfile profile = smallProfile("k", "xxh3-128:0");
  for (uint64_t lowest = 0; lowest < 64; ++lowest) // each in its own bin, next to the one before
    profile.histograms.reuseDistances.emplace_back(lowest, 11111);
  const auto lines = encode(profile);
  const std::string text = joined(lines);
  // "0:11111" and nine times ";11111" are 61 characters: the eleventh bin has its distance again.
  CHECK_THAT(text, Contains("reuse_distances=0:11111;11111;11111;11111;11111;11111;11111;11111;"
                            "11111;11111") &&
                       !Contains("11111;11111;11111;11111;11111;11111;11111;11111;11111;11111;"));
  CHECK_THAT(text, Contains("10:11111;"));
  for (const std::string &line : lines)
    CHECK(line.size() <= 96);
  CHECK(decode(text).histograms.reuseDistances == profile.histograms.reuseDistances);
}

TEST_CASE("whatever the histograms' size, the compact form fits and can be put anywhere") {
  for (uint64_t seed = 0; seed < cases(400); ++seed) {
    const auto lines = encode(plausibleProfile(seed));
    size_t bytes = 0;
    for (const std::string &line : lines) {
      bytes += line.size() + kBytesPerLine;
      for (const char c : line)
        REQUIRE(
            (c >= ' ' && c <= '~' && std::string_view("\\*?\"").find(c) == std::string_view::npos));
      REQUIRE(line.size() < 800);
    }
    REQUIRE(bytes <= kMaximumBytes);
  }
}

TEST_CASE("a text that is cut off or changed anywhere is refused, and says so") {
  const std::string text = joined(encode(plausibleProfile(7)));
  for (size_t length = 0; length < text.size(); ++length)
    REQUIRE(errorOf([&] { decode(text.substr(0, length)); }) != "");
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == '1' ? '2' : '1';
    INFO(i);
    REQUIRE(errorOf([&] { decode(changed); }) != "");
  }
  CHECK_THAT(errorOf([&] { decode(text.substr(0, text.size() / 2)); }), Contains("cut off"));
  CHECK_THAT(errorOf([&] { decode(std::string(5000, 'a')); }), Contains("expected at most"));
}

TEST_CASE("local memory travels with a profile, from its accesses or in their place") {
  KernelProfile profile = plausibleProfile(1);
  profile.accesses.reset();
  profile.setReal("bank_efficiency"_metric, 0.25);
  const auto read = [&] { return decode(joined(encode(profile))).localMemory; };
  CHECK_FALSE(read());
  profile.localMemory = {4096, 1.0 / 3 + 1};
  CHECK(read() == profile.localMemory);
  AccessRow row{.array = "tile", .space = MemorySpace::kLocal, .accesses = 8, .bytes = 32};
  row.footprint = 128;
  profile.accesses = {{row}};
  CHECK(read() == LocalMemory{128, 4}); // as measured
  profile.setReal("bank_efficiency"_metric, std::numeric_limits<double>::quiet_NaN());
  CHECK(read() == LocalMemory{128, 1}); // in profiles of before that metric: by the distances
  profile.accesses->clear();
  CHECK_FALSE(read());
}

TEST_CASE("keys of later versions are skipped, values that are wrong are named") {
  const std::string begin = "kernel=k global=64 local=8 source=xxh3-128:0";
  const auto readWith = [&](const std::string &token) {
    const std::string words = begin + " " + token + " fp_ops=12";
    return fmt::format("{} check={:016x}", words, checksum(words));
  };
  CHECK(decode(readWith("of_the_future=1,2;3")).count("fp_ops"_metric) == 12);
  // Sums that would be plausible modulo 2^64.
  CHECK(errorOf([&] { decode(readWith("level_widths=4096:2,9223372036854775808:2")); }) ==
        "histograms.asap_fp_levels adds up to 2^64 or more: expected less than 2^64");
  CHECK_THAT(errorOf([&] {
               decode(readWith("line_bytes=64 cold_accesses=18446744073709551615 "
                               "reuse_distances=0:1"));
             }),
             StartsWith("reuse_distances and cold accesses add up to 2^64 or more"));
  CHECK(errorOf([&] { decode(readWith("int_ops=-3")); }) ==
        "int_ops is -3: expected a non-negative integer below 2^64");
  CHECK(errorOf([&] { decode(readWith("sampled_groups=4,4")); }) ==
        "sampled_groups is 4,4: expected two integers separated by a comma, the smaller one first");
  for (const char *bad : {"fp_ops=1",
                          "global=1x2x3x4",
                          "global=8x8",
                          "local=",
                          "kernel=%f",
                          "level_widths=4:1,3:1",
                          "level_widths=4:1,4:1",
                          "level_widths=4",
                          "local_memory=64",
                          "local_memory=64,0.5",
                          "local_memory=64,1,1",
                          "level_widths=18446744073709551615:1+1",
                          "reuse_distances=65:1",
                          "reuse_distances=0~64:",
                          "reuse_distances=8:1,4:1",
                          "coalescing_16_32_64=1.0,1.0",
                          "coalescing_16_32_64=1.0,1.0,1.0,1.0",
                          "level_widths=4:1,",
                          "level_widths=4:1+",
                          "level_widths=4:1+1+1",
                          "reuse_distances=8:1;",
                          "reuse_distances=8~:1",
                          "reuse_distances=8:1,",
                          "reuse_distances=8:1e",
                          "cold_accesses=1e3"}) {
    INFO(bad);
    CHECK(errorOf([&] { decode(readWith(bad)); }) != "");
  }
}

TEST_CASE("a text without kernel, global or local size is refused") {
  for (const std::string_view missing : {"kernel", "global", "local"}) {
    std::string words;
    for (const std::string_view word : {"kernel=k", "global=64", "local=8", "source=xxh3-128:0"})
      if (!word.starts_with(missing))
        words += fmt::format("{}{}", words.empty() ? "" : " ", word);
    CHECK(errorOf([&] { decode(fmt::format("{} check={:016x}", words, checksum(words))); }) ==
          fmt::format("{} is missing: expected it", missing));
  }
}

TEST_CASE("that a profile is of a sample of the work-groups travels with it") {
  KernelProfile profile = plausibleProfile(1);
  CHECK_THAT(joined(encode(profile)), !Contains("sampled_groups"));
  setNdrange(profile, 1, {16384, 1, 1}, {4, 1, 1});
  profile.provenance.sampledGroups = 64;
  profile.provenance.totalGroups = 4096;
  const std::string text = joined(encode(profile));
  CHECK_THAT(text, Contains("sampled_groups=64,4096"));
  const KernelProfile read = decode(text);
  CHECK(read.provenance.sampledGroups == 64);
  CHECK(read.provenance.totalGroups == 4096);
}

TEST_CASE("profiles that must not travel are refused") {
  KernelProfile profile = smallProfile("k", "xxh3-128:0");
  profile.complete = false;
  profile.reason = "only 1 of 2 work-groups were simulated";
  CHECK(errorOf([&] { encode(profile); }) ==
        "kernel k: complete is false (only 1 of 2 work-groups were simulated): expected a profile "
        "of a whole invocation");
  profile = smallProfile("k", "xxh3-128:0");
  profile.histograms.reuseDistances = {{65, 1}};
  CHECK_THAT(errorOf([&] { encode(profile); }), Contains("reuse_distances has the value 65"));
  profile = smallProfile(std::string(3000, 'k'), "xxh3-128:0");
  CHECK_THAT(errorOf([&] { encode(profile); }), Contains("has 3000 bytes"));
}

TEST_CASE("long build options are cut, and hashed so that they can still be told apart") {
  KernelProfile profile = smallProfile("k", "xxh3-128:0");
  profile.provenance.buildOptions = std::string(1000, 'x') + "1";
  const std::string one = decode(joined(encode(profile))).provenance.buildOptions;
  profile.provenance.buildOptions.back() = '2';
  const std::string two = decode(joined(encode(profile))).provenance.buildOptions;
  CHECK(one != two);
  CHECK_THAT(one, Contains("xxx...xxh3-128:"));
}

TEST_CASE("names are escaped, numbers read in full or not at all") {
  for (const std::string text : {"", "saxpy", "a b", "%", "*/", "\\\n", "?\?/", "\xff\x01"})
    CHECK(unescaped(escaped(text)) == text);
  CHECK_FALSE(unescaped("%4"));
  CHECK_FALSE(unescaped("%zz"));
  const auto scaledCount = [](std::string_view text) {
    const auto count = takeScaledCount(text);
    return text.empty() ? count : std::nullopt;
  };
  CHECK(scaledCount("1234e3") == 1234000);
  CHECK(scaledCount("0018446744073709551615") == 18446744073709551615U);
  CHECK_FALSE(scaledCount("18446744073709551616"));
  CHECK(formatScaledCount(1234000) == "1234e3");
  CHECK(formatScaledCount(100) == "100");
  CHECK(formatScaledCount(0) == "0");
  for (const char *bad :
       {"", "e3", "1e", "1e20", "99999999999999999999", "1 ", "-1", "18446744073709551615e1"})
    CHECK_FALSE(scaledCount(bad));
  for (const char *bad : {"", "nan", "inf", "-1", "1.0x", "1e999"})
    CHECK_FALSE(parseReal(bad));
}
