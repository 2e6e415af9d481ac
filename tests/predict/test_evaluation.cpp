/// The join of predictions with times, on profiles and times made up so that the answer is known.
#include "evaluation/measured.h"
#include "evaluation/report.h"
#include "machines.h"
#include "predict/execution_cost.h"
#include "profile/json.h"
#include "support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace aiwc;
using namespace aiwc::evaluation;
using namespace aiwc::test;
using Json = nlohmann::json;

namespace {

const predict::ExecutionCostModel kModel;

std::vector<const predict::DeviceProfile *> pointers(const std::vector<predict::DeviceProfile> &d) {
  std::vector<const predict::DeviceProfile *> result;
  for (const predict::DeviceProfile &device : d)
    result.push_back(&device);
  return result;
}

/// Two applications at tiny, as eod characterise leaves them: lud with two invocations of a kernel
/// and one of another, crc with one.
class Folder {
public:
  Folder() {
    launch("lud", "internal", 0, triad());
    launch("lud", "internal", 1, factorisation());
    launch("lud", "diagonal", 0, factorisation());
    launch("crc", "crc32", 0, blockedProduct());
    write(folder_ / "index.csv", index_);
  }
  const std::filesystem::path &path() const { return folder_.path(); }
  std::filesystem::path operator/(const std::string &name) const { return folder_ / name; }
  const std::string &index() const { return index_; }

private:
  void launch(const std::string &application, const std::string &kernel, int invocation,
              Work work) {
    work.name = kernel;
    const std::string file = fmt::format("{}-{}-{}.json", application, kernel, invocation);
    write(folder_ / file, profile::toJson(kernelOf(work)));
    index_ += fmt::format("{},tiny,\"8,1\",1,{},{},64,16,hash,\"-DX=\"\"a\"\"\",{}\n", application,
                          kernel, invocation, file);
  }
  TemporaryFolder folder_;
  std::string index_ = "application,size,parameter,seed,kernel,invocation,global_size,local_size,"
                       "source_hash,build_options,profile\n";
};

double costOf(const Work &work, const predict::DeviceProfile &device) {
  return kModel.cost(kernelOf(work), device).seconds;
}

/// The mean launches of the folder's kernels on the devices, times `factor` of application and
/// device.
template <typename Factor>
std::string published(const std::vector<predict::DeviceProfile> &devices, Factor factor) {
  std::string text = "application,size,kernel,device,n,median_us\n";
  for (size_t d = 0; d < devices.size(); ++d) {
    const auto row = [&](const char *application, const char *kernel, double seconds) {
      text += fmt::format("{},tiny,{},{},9,{}\n", application, kernel, devices[d].id,
                          seconds * 1e6 * factor(std::string(application), d));
    };
    row("lud", "internal", (costOf(triad(), devices[d]) + costOf(factorisation(), devices[d])) / 2);
    row("lud", "diagonal", costOf(factorisation(), devices[d]));
    row("crc", "crc32", costOf(blockedProduct(), devices[d]));
  }
  return text;
}

PredictedCase caseOf(double seconds, uint64_t instructions = 1000, uint64_t workItems = 64) {
  PredictedCase predicted;
  predicted.launches[0] = {};
  predicted.instructions = instructions;
  predicted.workItems = workItems;
  predicted.seconds = {seconds};
  predicted.boundBy = {"latency"};
  return predicted;
}

template <typename Factor> Summary summaryWith(Factor factor) {
  const Folder folder;
  const auto devices = automatchDevices();
  write(folder / "times.csv", published(devices, factor));
  const PublishedTimes times = readPublished(folder / "times.csv");
  const auto predicted = predictCases(folder.path(), {}, pointers(devices), kModel);
  const Joined joined = join(predicted, times);
  REQUIRE(joined.cases.size() == 3);
  REQUIRE(joined.leftOut.empty());
  return summarise(std::span<const Case>(joined.cases));
}

} // namespace

TEST_CASE("times that are the predicted ones leave nothing to wish for") {
  const Summary summary = summaryWith([](const std::string &, size_t) { return 1; });
  CHECK(*summary.all.spearman == Approx(1));
  CHECK(*summary.all.kendall == Approx(1));
  CHECK(summary.all.deviation.error == Approx(1));
  CHECK(summary.all.choice.topOne == 1);
  CHECK(summary.all.choice.regret == Approx(1));
  CHECK(summary.all.kernels == 3);
  CHECK(summary.applications.size() == 2);
  // One device is not the best for all of them: a habit is worse.
  CHECK(summary.habits.front().choice.regret > 1);
  CHECK(summary.habits.front().choice.regret <= summary.habits.back().choice.regret);
}

TEST_CASE("a factor for all is error and bias, and scaling takes it away") {
  const Summary summary = summaryWith([](const std::string &, size_t) { return 3; });
  CHECK(*summary.all.spearman == Approx(1));
  CHECK(summary.all.deviation.error == Approx(3));
  CHECK(summary.all.deviation.bias == Approx(1.0 / 3));
  CHECK(*summary.all.scaledError == Approx(1));
  CHECK(*summary.all.deviceScaledError == Approx(1));
  CHECK(summary.all.choice.regret == Approx(1));
}

TEST_CASE("a factor per device takes scaling per device; applications count the same") {
  // 2 on three of five devices, 1 on the others. The common factor is 2^(3/5); what is left of it
  // is 2/5 up on three and 3/5 down on two.
  const auto perDevice =
      summaryWith([](const std::string &, size_t d) { return d < 3 ? 2.0 : 1.0; });
  CHECK(perDevice.all.deviation.error == Approx(std::pow(2, 0.6)));
  CHECK(*perDevice.all.scaledError == Approx(std::pow(2, (3 * 0.4 + 2 * 0.6) / 5)));
  CHECK(*perDevice.all.deviceScaledError == Approx(1));
  CHECK(perDevice.all.deviation.bias == Approx(std::pow(2, -0.6)));
  CHECK(perDevice.devices[2].bias == Approx(0.5));
  CHECK(perDevice.devices[3].error == Approx(1));
  // Two kernels of lud off by 4, one of crc right: 2 in the mean of the applications, and what is
  // learnt from one is wrong for the other.
  const auto perApplication = summaryWith(
      [](const std::string &application, size_t) { return application == "lud" ? 4 : 1; });
  CHECK(perApplication.all.deviation.error == Approx(2));
  CHECK(*perApplication.all.scaledError == Approx(4));
  CHECK(*perApplication.all.deviceScaledError == Approx(4));
}

TEST_CASE("the regret is that of the device predicted best, against the fastest measured") {
  // The device predicted best for crc is measured ten times as slow as said: regret is by how much
  // the next best is faster.
  const auto devices = automatchDevices();
  std::vector<double> costs;
  for (const auto &device : devices)
    costs.push_back(costOf(blockedProduct(), device));
  const auto best = static_cast<size_t>(std::ranges::min_element(costs) - costs.begin());
  const Summary summary = summaryWith([&](const std::string &application, size_t d) {
    return application == "crc" && d == best ? 10.0 : 1.0;
  });
  std::vector<double> measured = costs;
  measured[best] *= 10;
  const Score &crc = summary.applications.front();
  REQUIRE(crc.application == "crc");
  CHECK(crc.choice.topOne == 0);
  CHECK(crc.choice.regret == Approx(measured[best] / *std::ranges::min_element(measured)));
}

TEST_CASE(
    "published names are mapped, and times that are not the kernel's left out with a reason") {
  const TemporaryFolder folder;
  write(folder / "times.csv", "application,size,kernel,device,median_us\n"
                              "dwt,tiny,cl_fdwt53Kernel,a,5\n"
                              "gem,tiny,calc_potential_single_step_dev,a,6\n"
                              "fft,tiny,fftRadix16Kernel,a,7\nfft,large,fftRadix16Kernel,a,7\n");
  const PublishedTimes times = readPublished(folder / "times.csv");
  CHECK(only(times, {"a"}).seconds.at({"gem", "tiny", "calc_potential_single_step"}) ==
        std::vector<double>{6e-6});
  CHECK(errorOf([&] { only(times, {"b"}); }) == "device b: no times: expected one of a");
  CHECK(times.seconds.at({"dwt2d", "tiny", "cl_fdwt53Kernel"}) == std::vector<double>{5e-6});
  PredictedCases predicted;
  predicted[{"gem", "tiny", "calc_potential_single_step"}] = caseOf(1e-6);
  predicted[{"fft", "tiny", "fftRadix16Kernel"}] = caseOf(1e-6);
  predicted[{"nw", "tiny", "needle"}] = caseOf(1e-6);
  const Joined joined = join(predicted, times);
  REQUIRE(joined.cases.size() == 1);
  CHECK(joined.cases[0].id.application == "gem");
  CHECK(joined.cases[0].measured == std::vector<double>{6e-6});
  REQUIRE(joined.leftOut.size() == 3); // fft at large was not characterised, and is no matter
  CHECK(joined.leftOut[0].reason == doubt({"fft", "tiny", "fftRadix16Kernel"}));
  CHECK(joined.leftOut[1].reason == "no published time");
  CHECK(joined.leftOut[2].reason == "no profile");
  CHECK(join(predicted, times, {true, nullptr, 4}).cases.size() == 2);
}

TEST_CASE("kernels that do other work than the published ones are left out") {
  const TemporaryFolder folder;
  std::string times = "application,size,kernel,device,median_us\n";
  std::string features = "application,size,kernel,total_instruction_count,workitems\n";
  PredictedCases predicted;
  const auto add = [&](const char *application, uint64_t instructions, uint64_t items) {
    times += fmt::format("{},tiny,k,a,1\n", application);
    features += fmt::format("{},tiny,k,1000,64\n", application);
    predicted[{application, "tiny", "k"}] = caseOf(1e-6, instructions, items);
  };
  add("alike", 1000, 64);
  add("just", 250, 256);
  add("less", 249, 64);
  add("serial", 1000, 1);
  write(folder / "times.csv", times);
  write(folder / "features.csv", features);
  const PublishedTimes published = readPublished(folder / "times.csv");
  const PublishedWorks works = readPublishedWork(folder / "features.csv");
  CHECK(join(predicted, published).cases.size() == 4);
  const Joined joined = join(predicted, published, {false, &works, 4});
  REQUIRE(joined.cases.size() == 2);
  CHECK(joined.cases[1].id.application == "just");
  REQUIRE(joined.leftOut.size() == 2);
  CHECK(joined.leftOut[0].reason == "1000 instructions published, 249 here");
  CHECK(joined.leftOut[1].reason == "64 work-items published, 1 here");
  const PublishedWorks none;
  CHECK(join(predicted, published, {false, &none, 4}).leftOut[0].reason ==
        "no published characterisation");
}

TEST_CASE("measured runs: medians over samples of the sum of all launches of a kernel") {
  const Folder folder;
  const std::vector<predict::DeviceProfile> devices = {automatchDevices().front()};
  std::string rows = "application,size,parameter,seed,sample,kernel,invocation,kernel_time_us,"
                     "global_size,local_size,device,source_hash\n";
  for (int sample = 0; sample < 3; ++sample) { // 3, 5 and 30 us
    rows += fmt::format("lud,tiny,\"8,1\",1,{},internal,0,{},64,16,cpu,hash\n", sample,
                        sample == 2 ? 10 : 1 + sample);
    rows += fmt::format("lud,tiny,\"8,1\",1,{},internal,1,{},64,16,cpu,hash\n", sample,
                        sample == 2 ? 20 : 2 + sample);
    rows += fmt::format("crc,tiny,\"8,1\",1,{},crc32,0,7,64,8,cpu,hash\n", sample);
  }
  write(folder / "rows.csv", rows);
  const auto predicted = predictCases(folder.path(), {"tiny"}, pointers(devices), kModel);
  const Comparisons comparisons = compare(predicted, readMeasured({folder.path()}));
  REQUIRE(comparisons.cases.size() == 1);
  const Comparison &both = comparisons.cases[0];
  CHECK(both.id.kernel == "internal");
  CHECK(both.launches == 2);
  CHECK(both.median == Approx(5e-6));
  CHECK(both.minimum == Approx(3e-6));
  CHECK(both.measured == both.median);
  CHECK(compare(predicted, readMeasured({folder.path()}), Reference::kMinimum).cases[0].measured ==
        both.minimum);
  CHECK(both.predicted ==
        Approx(costOf(triad(), devices[0]) + costOf(factorisation(), devices[0])));
  // A second run adds its samples.
  write(folder / "more.csv", rows.substr(0, rows.find('\n') + 1) +
                                 "lud,tiny,\"8,1\",1,0,internal,0,1,64,16,cpu,hash\n"
                                 "lud,tiny,\"8,1\",1,0,internal,1,1,64,16,cpu,hash\n");
  const MeasuredTimes more = readMeasured({folder.path(), folder / "more.csv"});
  CHECK(compare(predicted, more).cases[0].median == Approx(4e-6)); // 2, 3, 5 and 30 us

  REQUIRE(comparisons.leftOut.size() == 2);
  CHECK(comparisons.leftOut[0].reason == "measured with local size 8, profiled with 16");
  CHECK(comparisons.leftOut[1].reason == "no measured time");

  const Json json = Json::parse(measuredJson({"model", "protocol"}, comparisons));
  CHECK(json["kernels"][0]["median_us"].get<double>() == Approx(5));
  CHECK(json["left_out"].size() == 2);
  CHECK(json["mean"]["error_factor"].get<double>() >= 1);
}

TEST_CASE("both reports have every kernel, application and device") {
  const Folder folder;
  const auto devices = automatchDevices();
  write(folder / "times.csv", published(devices, [](const std::string &, size_t) { return 2; }));
  const PublishedTimes times = readPublished(folder / "times.csv");
  const Joined joined = join(predictCases(folder.path(), {}, pointers(devices), kModel), times);
  const Json json = Json::parse(publishedJson({"model", "protocol"}, joined, times.devices));
  REQUIRE(json["kernels"].size() == 3);
  REQUIRE(json["kernels"][0]["devices"].size() == 5);
  CHECK(json["kernels"][0]["devices"][0]["measured_us"].get<double>() ==
        Approx(2 * json["kernels"][0]["devices"][0]["predicted_us"].get<double>()));
  REQUIRE(json["sizes"].size() == 1);
  CHECK(json["sizes"][0]["applications"].size() == 2);
  CHECK(json["sizes"][0]["devices"].size() == 5);
  CHECK(json["sizes"][0]["mean"]["error_factor"].get<double>() == Approx(2));
  const std::string table = publishedTable({"model", "protocol"}, joined, times.devices);
  for (const char *name : {"internal", "diagonal", "crc32", "arc5", "mean"})
    CHECK(table.find(name) != std::string::npos);
}

TEST_CASE("what cannot be joined is refused with file, line and field") {
  const Folder folder;
  const std::string times = (folder / "times.csv").string();
  const auto refused = [&](const std::string &text) {
    write(times, text);
    return errorOf([&] { readPublished(times); });
  };
  const std::string header = "application,size,kernel,device,median_us\n";
  CHECK(errorOf([] { readPublished("/nowhere.csv"); }) ==
        "/nowhere.csv: cannot be read: expected a CSV file");
  CHECK(refused("application,size,kernel,device\n") ==
        times + ":1: no column median_us: expected a row of names with it");
  CHECK(refused(header) == times + ": no rows: expected at least one below the names");
  CHECK(refused(header + "a,tiny,k,d\n") ==
        times + ":2: 4 fields: expected 5, as in the first line");
  for (const char *bad : {"nan", "0", "-1", "", "inf", "1x"})
    CHECK(refused(header + "a,tiny,k,d," + bad + "\n") ==
          times + ":2: median_us is '" + bad + "': expected a number above 0");
  CHECK(refused(header + "a,tiny,k,d,1\na,tiny,k,d,2\n") ==
        times + ": a tiny k on d is there twice: expected one row");
  CHECK(refused(header + "a,tiny,k,d,1\na,tiny,l,e,2\n") ==
        times + ": no time of a tiny k on e: expected one for every device");
  CHECK(refused(header + "a,\"tiny,k,d,1\n") ==
        times + ":2: a quote is open at the end of the line: expected it to be closed");

  const auto devices = automatchDevices();
  const auto predictionOf = [&](const std::vector<std::string> &sizes) {
    return errorOf([&] { predictCases(folder.path(), sizes, pointers(devices), kModel); });
  };
  const std::string index = (folder / "index.csv").string();
  CHECK(predictionOf({"large"}) == index + ": no profile of these sizes: expected at least one");
  write(index, folder.index() + "crc,tiny,8,1,other,0,64,16,hash,,crc-crc32-0.json\n");
  CHECK(predictionOf({}).find("provenance.kernel is crc32: expected other") != std::string::npos);
  write(index, folder.index() + "crc,tiny,8,1,crc32,0,64,16,hash,,crc-crc32-0.json\n");
  CHECK(predictionOf({}) == index + ": crc tiny crc32 has invocation 0 twice: expected it once");
}
