#include "common/error.h"
#include "views/condition.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::views;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

bool holds(const std::string &text, const Value &before, const Value &after) {
  const auto conditions = parseConditions(text, "--fail-on");
  REQUIRE(conditions.size() == 1);
  return conditions.front().holds(before, after);
}

Value count(uint64_t value) {
  return value;
}

std::string refusalOf(const std::string &list) {
  try {
    parseConditions(list, "--fail-on");
  } catch (const Error &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("a condition in percent holds beyond the share of the value before, not at it") {
  CHECK_FALSE(holds("fp_ops>5%", count(100), count(105)));
  CHECK(holds("fp_ops>5%", count(1000), count(1051)));
  CHECK_FALSE(holds("fp_ops>5%", count(1000), count(100)));
  CHECK_FALSE(holds("fp_ops<5%", count(100), count(95)));
  CHECK(holds("fp_ops<5%", count(100), count(94)));
  CHECK_FALSE(holds("fp_ops<5%", count(100), count(200)));
  CHECK(holds("fp_ops!=5%", count(100), count(94)));
  CHECK(holds("fp_ops!=5%", count(100), count(106)));
  CHECK_FALSE(holds("fp_ops!=5%", count(100), count(95)));
  // Whatever the share is, a value that is before plus this share of it is not beyond.
  for (uint64_t tenths = 1; tenths < 1000; ++tenths)
    CHECK_FALSE(
        holds("fp_ops>" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%",
              count(1000), count(1000 + tenths)));
}

TEST_CASE("growth from nothing is more than any share") {
  CHECK(holds("fp_ops>500%", count(0), count(1)));
  CHECK_FALSE(holds("fp_ops>500%", count(0), count(0)));
  CHECK_FALSE(holds("fp_ops<1%", count(0), count(1)));
}

TEST_CASE("a condition without percent is an amount in the quantity's unit") {
  CHECK_FALSE(holds("fp_ops>64", count(100), count(164)));
  CHECK(holds("fp_ops>64", count(100), count(165)));
  CHECK(holds("coalescing_32<0.1", Value(0.5), Value(0.25)));
  CHECK_FALSE(holds("coalescing_32<0.1", Value(0.5), Value(0.4375)));
  CHECK(holds("fp_ops!=", count(uint64_t{1} << 63), count((uint64_t{1} << 63) + 1)));
  CHECK_FALSE(holds("fp_ops!=0", count(7), count(7)));
  CHECK(parseConditions("bytes_read_global>2KiB", "").front().amount == 2048);
  CHECK(parseConditions("time>1.5ms", "").front().amount == Approx(0.0015));
  CHECK(parseConditions("time>1.5ms", "").front().unit == "s");
}

TEST_CASE("a value on one side only is a change, but no growth") {
  CHECK(holds("fp_ops!=", Value(), count(1)));
  CHECK(holds("fp_ops!=9%", count(1), Value()));
  CHECK_FALSE(holds("fp_ops!=", Value(), Value()));
  CHECK_FALSE(holds("fp_ops>0", Value(), count(1)));
  CHECK_FALSE(holds("fp_ops<0", count(1), Value()));
}

TEST_CASE("conditions are separated by commas, blanks do not matter") {
  const auto conditions = parseConditions("dram_bytes@256KiB > 5 %, time@gtx1080<1us,fp_ops!=", "");
  REQUIRE(conditions.size() == 3);
  CHECK(conditions[0].key == "dram_bytes@256KiB");
  CHECK(conditions[0].text == "dram_bytes@256KiB > 5 %");
  CHECK(conditions[0].percent);
  CHECK(conditions[0].limit() == "5 %");
  CHECK(conditions[1].key == "time@gtx1080");
  CHECK(conditions[1].change == Condition::Change::kFell);
  CHECK(conditions[1].limit() == "1e-06 s");
  CHECK(conditions[2].change == Condition::Change::kAny);
  CHECK(conditions[2].limit() == "0");
}

TEST_CASE("what is no condition is named, with examples of what is") {
  for (const char *wrong :
       {"", "fp_ops", ">5%", "fp_ops>", "fp_ops>x", "fp_ops>5%x", "fp_ops>-5%", "fp_ops>inf",
        "fp_ops!5", "fp_ops>5KB", "fp_ops>5s%", "fp_ops>1,", "fp_ops=5", " >5"}) {
    INFO(wrong);
    CHECK_THAT(refusalOf(wrong),
               StartsWith("--fail-on \"") && Contains("expected conditions such"));
  }
}

TEST_CASE("the bytes from memory are the misses of a cache, times the size of a line") {
  // Line by line: 10 first accesses, 20 accesses at distance 3, 5 at distance 64.
  KernelProfile profile;
  profile.reuse = {.lineBytes = 128, .coldAccesses = 10};
  profile.histograms.reuseDistances = {{3, 20}, {64, 5}};
  CHECK(dramBytes(128 * 2).of(profile) == count(128 * 35)); // holds 2 lines
  CHECK(dramBytes(128 * 4).of(profile) == count(128 * 15)); // distance 3 is a hit
  CHECK(dramBytes(128 * 128).of(profile) == count(128 * 10));
  CHECK(dramBytes().key == "dram_bytes@32KiB");
  CHECK(quantityOf("dram_bytes", "").key == "dram_bytes@32KiB");
  CHECK(quantityOf("dram_bytes@512B", "").of(profile) == count(128 * 15));
  CHECK(quantityOf("dram_bytes@1000000", "").key == "dram_bytes@1000000B");
  CHECK(dramBytes().of(KernelProfile()) == Value()); // not measured
}

TEST_CASE("what adds up is summed over launches, and missing where one lacks it") {
  KernelProfile a;
  KernelProfile b;
  a.setCount("fp_ops"_metric, 3);
  b.setCount("fp_ops"_metric, 4);
  a.simulatorErrors = 2;
  const Quantity operations = quantityOf("fp_ops", "");
  CHECK(operations.addsUp);
  CHECK(operations.sum({&a, &b}) == count(7));
  CHECK(operations.sum({}) == count(0));
  CHECK(quantityOf("launches", "").sum({&a, &b}) == count(2));
  CHECK(quantityOf("simulator_errors", "").sum({&a, &b}) == count(2));
  b.setNone("fp_ops"_metric);
  CHECK(operations.sum({&a, &b}) == Value());
  a.setCount("fp_ops"_metric, UINT64_MAX);
  CHECK(operations.sum({&a, &a}) == Value(2 * static_cast<double>(UINT64_MAX)));
}

TEST_CASE("totals over work-items and transfers add up; ratios, extremes and footprints do not") {
  for (const Metric metric : {"total_instruction_count"_metric, "bytes_read_global"_metric,
                              "barriers_hit"_metric, "private_accesses"_metric,
                              "host_to_device_bytes"_metric, "device_to_host_transfers"_metric})
    CHECK(addsUp(metric));
  for (const Metric metric : {"coalescing_32"_metric, "ipt_max"_metric, "footprint_bytes"_metric,
                              "memory_footprint"_metric, "granularity"_metric,
                              "work_group_size"_metric, "asap_depth"_metric, "opcode_90"_metric,
                              "atomic_contention_max"_metric, "linear_branch_entropy"_metric})
    CHECK_FALSE(addsUp(metric));
}

TEST_CASE("an unknown key is refused, and similar ones are named") {
  CHECK_THROWS_WITH(quantityOf("coalescing", "--fail-on"),
                    StartsWith("--fail-on: coalescing is not a metric: ") &&
                        Contains("coalescing_16"));
  CHECK_THROWS_WITH(quantityOf("dram_bytes@big", "--fail-on"),
                    StartsWith("--fail-on: the cache of dram_bytes is big: expected a size"));
  CHECK_THROWS_WITH(quantityOf("dram_bytes@0", "--fail-on"), Contains("expected a size above 0"));
}
