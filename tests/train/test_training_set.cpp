#include "profile/json.h"
#include "support/files.h"
#include "train/csv_table.h"
#include "train/made_up.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::train;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kHeader = "data_set,suite,application,size,kernel,profiles,host_bytes,"
                            "host_transfers,doubt,device,time_us\n";

struct Files {
  Files() {
    write(folder / "a.json", aiwc::profile::toJson(profileOf({})));
    library.add(madeUpCpu(), "test");
    library.add(madeUpGpu(), "test");
  }
  TrainingSet read(const std::string &rows) {
    write(folder / "times.csv", kHeader + rows);
    TrainingSet set;
    addTimes(folder / "times.csv", library, set);
    return set;
  }
  std::string refusal(const std::string &rows) {
    std::string message = errorOf([&] { read(rows); });
    const std::string path = folder.path().string() + "/";
    for (size_t at = message.find(path); at != std::string::npos; at = message.find(path))
      message.erase(at, path.size());
    return message;
  }
  TemporaryFolder folder;
  aiwc::predict::DeviceLibrary library;
};

} // namespace

TEST_CASE("a table of times names the launches that each covers") {
  Files files;
  const TrainingSet set = files.read("d,s,app,tiny,k,a.json,100,2,,cpu,12.5\n"
                                     "d,s,app,tiny,k,a.json,100,2,,gpu,3\n"
                                     "d,s,app,tiny,both,2*a.json a.json,0,0,odd clock,cpu,40\n");
  REQUIRE(set.workloads.size() == 2);
  REQUIRE(set.times.size() == 3);
  CHECK(set.times[1].workload == 0);
  CHECK(set.devices[set.times[1].device].profile.id == "gpu");
  CHECK(set.times[0].micros == 12.5);
  CHECK(set.workloads[0].hostBytes == 100);
  CHECK(set.workloads[0].hostTransfers == 2);
  REQUIRE(set.workloads[1].launches.size() == 2);
  CHECK(set.workloads[1].launches[0].launches == 2);
  CHECK(set.workloads[1].launches[1].launches == 1);
  CHECK(set.workloads[1].doubt == "odd clock");
  CHECK(set.profiles.size() == 1);
}

TEST_CASE("times under a device's id and under its alias are those of one device") {
  Files files;
  aiwc::predict::DeviceProfile device = madeUpGpu();
  device.id = "k20m";
  device.aliases = {"k20c"};
  files.library.add(device, "here");
  const TrainingSet set = files.read("d,s,app,tiny,k,a.json,0,0,,k20c,1\n"
                                     "d,s,app,small,k,a.json,0,0,,k20m,2\n");
  REQUIRE(set.devices.size() == 1);
  CHECK(set.devices[0].profile.id == "k20m");
}

TEST_CASE("a table that makes no sense is refused by line") {
  Files files;
  const std::string row = "d,s,app,tiny,k,a.json,0,0,,cpu,";
  for (const char *time : {"0", "-1", "nan", "inf", "", "1,5x"})
    CHECK_THAT(files.refusal(row + time + "\n"), Contains("times.csv:2"));
  CHECK_THAT(files.refusal(row + "1\n" + row + "2\n"),
             Contains("times.csv:3: a second time of app tiny k on cpu"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,a.json,0,0,,c64,1\n"),
             Contains("times.csv:2: ") && Contains("c64"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,b.json,0,0,,cpu,1\n"),
             StartsWith("times.csv:2: b.json: cannot be read"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,,0,0,,cpu,1\n"), Contains("profiles is empty"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,0*a.json,0,0,,cpu,1\n"),
             Contains("times.csv:2: profiles has '0*a.json'"));
  for (const char *launches : {"inf*a.json", "1.5*a.json", "-1*a.json", "*a.json", "1e3*a.json"})
    CHECK_THAT(files.refusal(std::string("d,s,app,tiny,k,") + launches + ",0,0,,cpu,1\n"),
               Contains("expected an integer from 1 to 1000000000 before '*'"));
  for (const char *count : {"-1", "1.5", "x", "nan", ""})
    CHECK_THAT(files.refusal(std::string("d,s,app,tiny,k,a.json,") + count + ",0,,cpu,1\n"),
               StartsWith("times.csv:2: host_bytes is '"));
  CHECK_THAT(files.refusal(row + "1\n" + "d,s,app,tiny,k,a.json,5,0,,gpu,1\n"),
             StartsWith("times.csv:3: host_bytes differs from that of times.csv:2"));
  CHECK_THAT(files.refusal(row + "1,2\n"), StartsWith("times.csv:2: 12 fields: expected 11"));
  CHECK_THAT(files.refusal(""), Contains("no rows"));
  CHECK_THAT(aiwc::test::errorOf([] { CsvTable("a,b,a\n1,2,3\n", "t.csv", {"a"}); }),
             StartsWith("t.csv:1: a second column a"));
  CHECK_THAT(aiwc::test::errorOf([] { CsvTable("", "t.csv", {"a"}); }),
             StartsWith("t.csv: no rows"));
}

TEST_CASE("a profile that lacks a metric is refused with the line that names it") {
  Files files;
  auto profile = profileOf({});
  profile.setNone("ipt_max"_metric);
  write(files.folder / "lacking.json", aiwc::profile::toJson(profile));
  CHECK(files.refusal("d,s,app,tiny,k,lacking.json,0,0,,cpu,1\n") ==
        "times.csv:2: lacking.json: metrics.ipt_max has no value: expected a number");
}
