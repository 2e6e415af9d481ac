/// The sentences that describe a kernel, with the numbers of a launch on paper.
#include "advice/description.h"
#include "predict/device_library.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace aiwc::advice;
using namespace aiwc::literals;
using aiwc::profile::KernelProfile;
using aiwc::profile::LineRow;
using aiwc::profile::Metric;

namespace {

/// 100 work-groups of 64 work-items.
KernelProfile described() {
  KernelProfile profile;
  profile.provenance.kernel = "k";
  profile.provenance.sourceKind = "opencl-c";
  for (const auto &[metric, count] :
       std::vector<std::pair<Metric, uint64_t>>{{"work_items"_metric, 6400},
                                                {"work_groups"_metric, 100},
                                                {"work_group_size"_metric, 64},
                                                {"total_instruction_count"_metric, 800'000},
                                                {"machine_instruction_count"_metric, 640'000},
                                                {"machine_ipt_min"_metric, 40},
                                                {"machine_ipt_max"_metric, 200},
                                                {"work_group_instructions_max"_metric, 20'000},
                                                {"fp_ops"_metric, 64'000},
                                                {"fp_ops_f64"_metric, 16'000},
                                                {"int_ops"_metric, 12'800},
                                                {"total_reads"_metric, 19'200},
                                                {"total_writes"_metric, 6400},
                                                {"bytes_read_global"_metric, 64 * 1024},
                                                {"bytes_read_constant"_metric, 8 * 1024},
                                                {"bytes_written_global"_metric, 32 * 1024},
                                                {"bytes_read_local"_metric, 3 * 1024},
                                                {"bytes_written_local"_metric, 1024},
                                                {"footprint_bytes"_metric, 16 * 1024},
                                                {"asap_depth"_metric, 50},
                                                {"barriers_hit"_metric, 3 * 6400},
                                                {"atomic_contention_max"_metric, 17},
                                                {"host_to_device_bytes"_metric, 1024 * 1024},
                                                {"device_to_host_bytes"_metric, 2048}})
    profile.setCount(metric, count);
  profile.setReal("asap_parallelism"_metric, 12);
  profile.setReal("machine_itb_median"_metric, 30);
  profile.setReal("coalescing_32"_metric, 0.25);
  profile.setReal("lane_utilization_32"_metric, 0.5);
  profile.reuse = {64, 600};
  profile.histograms.reuseDistances = {{2, 400}}; // three lines hold them
  LineRow &row = profile.histograms.lineRow(5);
  row.branches = 1000;
  row.mispredictions = 100;
  return profile;
}

std::string line(const std::vector<LaunchKind> &launches, std::string_view subject) {
  const auto lines = descriptionOf(launches, {}, aiwc::predict::publishedModel());
  const auto found = std::ranges::find(lines, subject, &DescriptionLine::subject);
  return found == lines.end() ? "" : found->text;
}

std::string line(const KernelProfile &profile, std::string_view subject) {
  return line(std::vector<LaunchKind>{{&profile, 1}}, subject);
}

} // namespace

TEST_CASE("a launch is described by work-item, work-group and byte") {
  const KernelProfile profile = described();
  CHECK(line(profile, "Launches") == "");
  CHECK(line(profile, "Work") == "A work-item executes 100 instructions on average (40 to 200), 10 "
                                 "floating-point operations (25 % in double precision), 2 integer "
                                 "operations, 4 memory accesses.");
  CHECK(line(profile, "Parallelism") == "6,400 work-items in 100 work-groups of 64; the heaviest "
                                        "work-group does 2.5 times the mean.");
  CHECK(line(profile, "Dependences") ==
        "The longest chain has 50 instructions that each need the result of the one before; if "
        "nothing else limited it, 12 instructions could run at once.");
  CHECK(line(profile, "Memory") == "Reads 72 KiB and writes 32 KiB, within 16 KiB: 0.6 "
                                   "floating-point operations for each byte.");
  CHECK(line(profile, "Cache") ==
        "A cache of 192 B cuts the misses from 100 % of the accesses to 60 %; 60 % are the first "
        "of their data, which no cache serves.");
  CHECK(line(profile, "Coalescing") == "32 neighbouring work-items touch 4 times as much memory as "
                                       "they use, in pieces of 128 bytes.");
  CHECK(line(profile, "Local memory") == "4 KiB read and written.");
  CHECK(line(profile, "Divergence") ==
        "50 % of the lanes are idle where 32 work-items execute in lockstep.");
  CHECK(line(profile, "Branches") == "A processor that learns from their history predicts 10 % of "
                                     "them wrong, at best.");
  CHECK(line(profile, "Barriers") == "3 for each work-item, 30 instructions apart in the median.");
  CHECK(line(profile, "Atomics") == "Up to 17 on one address.");
  CHECK(line(profile, "Transfers") ==
        "The host copies 1 MiB to the device for this launch, and 2 KiB back.");
}

TEST_CASE("a sample does not tell how much memory a launch accesses") {
  KernelProfile profile = described();
  profile.provenance.sampledGroups = 10;
  profile.provenance.totalGroups = 100;
  CHECK(line(profile, "Memory") ==
        "Reads 72 KiB and writes 32 KiB: 0.6 floating-point operations for each byte.");
  // One of two launches that are described together.
  KernelProfile other = described();
  other.setCount("total_instruction_count"_metric, 900'000);
  CHECK_THAT(line({{&profile, 1}, {&other, 1}}, "Memory"), !Catch::Contains("within"));
}

TEST_CASE("sizes of several launches are ranges with one noun") {
  const KernelProfile profile = described();
  KernelProfile other = described();
  other.setCount("work_items"_metric, 1);
  other.setCount("work_groups"_metric, 1);
  other.setCount("work_group_size"_metric, 1);
  CHECK_THAT(line({{&profile, 1}, {&other, 1}}, "Parallelism"),
             Catch::StartsWith(
                 "Each launch has 1 to 6,400 work-items in 1 to 100 work-groups of 1 to 64"));
}

TEST_CASE("a description leaves out what is alike, and what a launch does not do") {
  KernelProfile profile = described();
  for (const Metric none :
       {"fp_ops"_metric, "fp_ops_f64"_metric, "barriers_hit"_metric, "bytes_read_local"_metric,
        "bytes_written_local"_metric, "host_to_device_bytes"_metric, "asap_depth"_metric})
    profile.setCount(none, 0);
  profile.setCount("machine_ipt_min"_metric, 100);
  profile.setCount("machine_ipt_max"_metric, 100);
  profile.setCount("work_group_instructions_max"_metric, 9600); // 1.2 times the mean
  profile.setCount("atomic_contention_max"_metric, 1);
  profile.setReal("coalescing_32"_metric, 0.95);
  profile.setReal("lane_utilization_32"_metric, 1);
  profile.histograms.lineRow(5).mispredictions = 9;
  CHECK(line(profile, "Work") == "A work-item executes 100 instructions, on average 2 integer "
                                 "operations, 4 memory accesses.");
  KernelProfile multiplying = profile;
  multiplying.setCount("matrix_ops"_metric, 6400 * 256);
  CHECK(line(multiplying, "Work") ==
        "A work-item executes 100 instructions, on average 2 integer operations, 256 operations of "
        "products of matrices, 4 memory accesses.");
  CHECK(line(profile, "Parallelism") == "6,400 work-items in 100 work-groups of 64.");
  CHECK(line(profile, "Memory") == "Reads 72 KiB and writes 32 KiB, within 16 KiB: 0.12 integer "
                                   "operations for each byte.");
  CHECK(line(profile, "Coalescing") == "Neighbouring work-items access neighbouring memory.");
  CHECK(line(profile, "Divergence") == "Neighbouring work-items take the same path.");
  CHECK(line(profile, "Branches") == "A processor predicts nearly all of them right.");
  for (const char *const subject : {"Dependences", "Local memory", "Barriers", "Atomics"})
    CHECK(line(profile, subject) == "");
  CHECK(line(profile, "Transfers") ==
        "The host copies nothing to the device for this launch, and 2 KiB back.");
  // 24 work-items fill three quarters of 32 lanes, in which two fifths work.
  profile.setCount("work_group_size"_metric, 24);
  profile.setReal("lane_utilization_32"_metric, 0.4);
  CHECK(line(profile, "Divergence") ==
        "Work-groups of 24 leave 25 % of the lanes of groups of 32 without a work-item; in all, 60 "
        "% of the lanes are idle where 32 work-items execute in lockstep.");
}

TEST_CASE("launches that differ are described by what one has at least and at most") {
  const KernelProfile shorter = described();
  KernelProfile longer = described();
  longer.setCount("machine_instruction_count"_metric, 1'280'000);
  CHECK(line({{&shorter, 1}, {&longer, 2}}, "Launches") ==
        "3 launches execute 3,200,000 instructions, 640,000 to 1,280,000 each, 100 to 200 for each "
        "work-item on average.");
  longer.setReal("lane_utilization_32"_metric, 0.75);
  CHECK_THAT(line({{&shorter, 1}, {&longer, 2}}, "Launches"),
             Catch::EndsWith("; 50 % to 75 % of the lanes are in use where 32 work-items execute "
                             "in lockstep."));
  CHECK(line({{&shorter, 4}}, "Launches") ==
        "4 launches execute 2,560,000 instructions, 640,000 each: they do the same work.");
  CHECK(line({{&shorter, 4}}, "Local memory") ==
        "16 KiB read and written in all launches together.");
}
