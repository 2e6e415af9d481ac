#include "profile/json.h"
#include "support/files.h"
#include "train/made_up.h"

#include <catch2/catch.hpp>

using namespace aiwc::train;
using namespace aiwc::test;
using Catch::Matchers::Contains;

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

TEST_CASE("a table that makes no sense is refused by line") {
  Files files;
  const std::string row = "d,s,app,tiny,k,a.json,0,0,,cpu,";
  for (const char *time : {"0", "-1", "nan", "inf", "", "1,5x"})
    CHECK_THAT(files.refusal(row + time + "\n"), Contains("times.csv:2"));
  CHECK_THAT(files.refusal(row + "1\n" + row + "2\n"),
             Contains("times.csv:3: a second time of app tiny k on cpu"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,a.json,0,0,,c64,1\n"),
             Contains("times.csv:2: ") && Contains("c64"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,b.json,0,0,,cpu,1\n"), Contains("b.json"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,,0,0,,cpu,1\n"), Contains("profiles is empty"));
  CHECK_THAT(files.refusal("d,s,app,tiny,k,0*a.json,0,0,,cpu,1\n"),
             Contains("times.csv:2: profiles has '0*a.json'"));
  CHECK_THAT(files.refusal(""), Contains("no rows"));
}
