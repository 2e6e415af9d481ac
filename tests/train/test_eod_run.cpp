// Folders as eod run and eod characterise write them, on profiles and times made up in the tests.
#include "profile/json.h"
#include "support/files.h"
#include "train/eod_run.h"
#include "train/made_up.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::train;
using namespace aiwc::test;

namespace {

constexpr const char *kIndexHeader =
    "application,size,parameter,seed,kernel,invocation,global_size,"
    "local_size,source_hash,build_options,profile\n";
constexpr const char *kRowsHeader = "application,size,parameter,seed,sample,kernel,invocation,"
                                    "kernel_time_us,global_size,local_size,device,source_hash\n";

/// Profiles of two launches of lud's internal and of one of crc's crc32, at tiny; times are given
/// in each test.
struct Folder {
  Folder() {
    std::string index = kIndexHeader;
    for (const auto &[application, kernel, invocation] :
         {std::tuple("lud", "internal", 0), {"lud", "internal", 1}, {"crc", "crc32", 0}}) {
      profile::KernelProfile profile = profileOf({});
      profile.provenance.kernel = kernel;
      const std::string file = fmt::format("{}-{}.json", kernel, invocation);
      write(folder / file, profile::toJson(profile));
      index += fmt::format("{},tiny,\"8,1\",1,{},{},64,16,hash,,{}\n", application, kernel,
                           invocation, file);
    }
    write(folder / "index.csv", index);
  }
  void times(const std::string &rows) const { write(folder / "rows.csv", kRowsHeader + rows); }
  static std::string row(const std::string &application, const std::string &kernel, int sample,
                         int invocation, double micros, int localSize = 16) {
    return fmt::format("{},tiny,\"8,1\",1,{},{},{},{},64,{},cpu,hash\n", application, sample,
                       kernel, invocation, micros, localSize);
  }
  std::vector<LeftOut> add(Reference reference, TrainingSet &to) const {
    return addMeasured(readMeasured({folder.path()}), readCharacterised(folder.path()), madeUpCpu(),
                       "here", reference, to);
  }
  TemporaryFolder folder;
};

} // namespace

TEST_CASE("a time is the median or minimum of the samples, of all launches of a kernel") {
  const Folder folder;
  folder.times(Folder::row("lud", "internal", 0, 0, 1) + Folder::row("lud", "internal", 0, 1, 20) +
               Folder::row("lud", "internal", 1, 0, 4) + Folder::row("lud", "internal", 1, 1, 10) +
               Folder::row("lud", "internal", 2, 0, 5) + Folder::row("lud", "internal", 2, 1, 30));
  TrainingSet set;
  const auto leftOut = folder.add(Reference::kMedian, set);
  REQUIRE(set.times.size() == 1);
  CHECK(set.times[0].micros == Approx(21));               // of 21, 14 and 35
  CHECK(*set.times[0].shortestLaunchMicros == Approx(4)); // of 1, 4, 5
  CHECK(set.workloads[0].launches.size() == 2);
  CHECK(set.workloads[0].launches[0].profile->provenance.kernel == "internal");
  CHECK(set.devices[0].profile.id == "cpu");
  CHECK(set.devices[0].dataSet == "here");
  REQUIRE(leftOut.size() == 1);
  CHECK(leftOut[0].id.application == "crc");
  CHECK(leftOut[0].reason == "no measured time");
  TrainingSet least;
  folder.add(Reference::kMinimum, least);
  CHECK(least.times[0].micros == Approx(14));
  CHECK(*least.times[0].shortestLaunchMicros == Approx(1));
}

TEST_CASE("a kernel that was measured otherwise than characterised is left out, with the reason") {
  const Folder folder;
  folder.times(Folder::row("lud", "internal", 0, 0, 1) + Folder::row("crc", "crc32", 0, 0, 1, 8) +
               Folder::row("nw", "needle", 0, 0, 1));
  TrainingSet set;
  const auto leftOut = folder.add(Reference::kMedian, set);
  CHECK(set.times.empty());
  REQUIRE(leftOut.size() == 3);
  CHECK(leftOut[0].reason == "measured with local size 8, profiled with 16");
  CHECK(leftOut[1].reason == "1 launch measured, 2 profiled");
  CHECK(leftOut[2].reason == "no profile");
}

TEST_CASE("a profile that the model cannot use is left out, with the reason") {
  const Folder folder;
  folder.times(Folder::row("crc", "crc32", 0, 0, 1));
  profile::KernelProfile cut = profileOf({});
  cut.provenance.kernel = "crc32";
  cut.complete = false;
  cut.reason = "the test says so";
  write(folder.folder / "crc32-0.json", profile::toJson(cut));
  TrainingSet set;
  const auto leftOut = folder.add(Reference::kMedian, set);
  CHECK(set.times.empty());
  CHECK(leftOut.back().reason ==
        "complete is false (the test says so): expected a profile of a whole invocation");
}

TEST_CASE("a folder of something else is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  CHECK(errorOf([&] { readMeasured({folder.path()}); }) ==
        path + ": no rows.csv: expected a folder that eod run wrote");
  CHECK(errorOf([&] { readMeasured({folder / "nowhere"}); }) ==
        path + "/nowhere: no rows.csv: expected a folder that eod run wrote");
  CHECK(errorOf([&] { readCharacterised(folder.path()); }) ==
        path + ": no index.csv: expected a folder that eod characterise wrote");
  const Folder two;
  std::string other = Folder::row("lud", "internal", 0, 1, 1);
  other.replace(other.find("cpu"), 3, "gpu");
  two.times(Folder::row("lud", "internal", 0, 0, 1) + other);
  CHECK(errorOf([&] { readMeasured({two.folder.path()}); }) ==
        (two.folder / "rows.csv").string() +
            ": times of cpu and of gpu: expected those of one device");
}
