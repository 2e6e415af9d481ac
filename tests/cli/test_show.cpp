#include "process.h"
#include "profile/json.h"
#include "text/text.h"
#include "views/line_counts.h"
#include "views/listing.h"
#include "views/summary.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

using namespace aiwc::profile;
using namespace aiwc::text;
using namespace aiwc::views;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("aiwc show --all prints all metrics of a profile") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(sample("saxpy")));
  const Outcome outcome = runAiwc({"show", "--all", (folder / "p.json").string()});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == toText(sample("saxpy")));
  CHECK(outcome.err.empty());
}

TEST_CASE("aiwc show takes folders, and several profiles are told apart") {
  const TemporaryFolder folder;
  for (const uint64_t n : {10, 9, 0})
    write(folder / ("aiwc_k_" + std::to_string(n) + ".json"), toJson(sample("k", n)));
  write(folder / "aiwc_a_0.json", toJson(sample("a")));
  write(folder / "aiwc_a_0.csv", "metric,category,value\n"); // not a profile to read
  write(folder / "notes.json", "{}");
  write(folder / ".aiwc_1_2.json", "half");
  const Outcome outcome = runAiwc({"show", "--all", "."}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "./aiwc_a_0.json\n" + toText(sample("a")) + "\n./aiwc_k_0.json\n" +
                           toText(sample("k", 0)) + "\n./aiwc_k_9.json\n" + toText(sample("k", 9)) +
                           "\n./aiwc_k_10.json\n" + toText(sample("k", 10)));
}

TEST_CASE("aiwc show --json prints an array of profiles") {
  const TemporaryFolder folder;
  write(folder / "a.json", toJson(sample("a")));
  write(folder / "b.json", toJson(sample("b")));
  for (const std::vector<std::string> &files :
       {std::vector<std::string>{"a.json"}, {"a.json", "b.json"}}) {
    std::vector<std::string> arguments = {"show", "--json"};
    arguments.insert(arguments.end(), files.begin(), files.end());
    const Outcome outcome = runAiwc(arguments, {.folder = folder.path()});
    CHECK(outcome.status == 0);
    const auto json = nlohmann::ordered_json::parse(outcome.out);
    REQUIRE(json.size() == files.size());
    for (size_t i = 0; i < files.size(); ++i)
      CHECK(json[i] == nlohmann::ordered_json::parse(contents(folder / files[i])));
  }
}

TEST_CASE("aiwc show --csv prints a row per profile and metric") {
  const TemporaryFolder folder;
  write(folder / "a,b.json", toJson(sample("a")));
  write(folder / "b.json", toJson(sample("b", 2)));
  const Outcome outcome =
      runAiwc({"show", "--csv", "a,b.json", "b.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("file,kernel,invocation,key,metric,category,value\n"
                                     "\"a,b.json\",a,0,opcode_90,Opcode,Compute,NaN\n"));
  CHECK_THAT(outcome.out, Contains("\nb.json,b,2,granularity,Granularity,Parallelism,0.015625\n"));
  CHECK(static_cast<size_t>(std::ranges::count(outcome.out, '\n')) == 1 + 2 * kMetricCount);
}

TEST_CASE("aiwc show --csv --wide prints a row per profile and a column per metric") {
  const TemporaryFolder folder;
  KernelProfile second = sample("k\"1\",\n2", 3);
  second.provenance.buildOptions = "-DA=1,-DB";
  second.provenance.globalSize = {640, 2, 1};
  second.complete = false;
  second.setNone(findMetric("granularity")->metric);
  write(folder / "a,b.json", toJson(sample("a")));
  write(folder / "b.json", toJson(second));
  const Setting here{.folder = folder.path()};
  const Outcome outcome = runAiwc({"show", "--csv", "--wide", "a,b.json", "b.json"}, here);
  CHECK(outcome.status == 0);

  // RFC 4180: records of fields, a field in quotes may have commas and ends of lines, and a quote
  // twice.
  std::vector<std::vector<std::string>> records(1, {""});
  bool quoted = false;
  for (const char c : outcome.out)
    if (c == '"') // of two in a row, the second opens the field again and stands for one
      records.back().back() += (quoted = !quoted) && !records.back().back().empty() ? "\"" : "";
    else if (quoted || (c != ',' && c != '\n'))
      records.back().back() += c;
    else if (c == ',')
      records.back().emplace_back();
    else
      records.push_back({""});
  REQUIRE(records.size() == 4); // the last one is empty: the text ends in an end of line
  CHECK(records[3] == std::vector<std::string>{""});
  const std::vector<std::string> &head = records[0];
  const auto cell = [&](size_t row, std::string_view name) {
    const auto place = std::ranges::find(head, name);
    REQUIRE(place != head.end());
    REQUIRE(records[row].size() == head.size());
    return records[row][static_cast<size_t>(place - head.begin())];
  };
  CHECK(cell(1, "file") == "a,b.json");
  CHECK(cell(1, "kernel") == "a");
  CHECK(cell(1, "complete") == "true");
  CHECK(cell(1, "total_groups") == "0");
  CHECK(cell(2, "kernel") == "k\"1\",\n2");
  CHECK(cell(2, "invocation") == "3");
  CHECK(cell(2, "build_options") == "-DA=1,-DB");
  CHECK(cell(2, "global_size_x") == "640");
  CHECK(cell(2, "global_size_y") == "2");
  CHECK(cell(2, "complete") == "false");
  CHECK(cell(1, "granularity") == "0.015625");
  CHECK(cell(2, "granularity") == "NaN");
  // The long form has the same values under the same keys.
  for (const MetricInfo &metric : catalogue())
    CHECK(cell(1, metric.key) == formatValue(sample("a")[metric.metric], "NaN"));
  CHECK(std::set<std::string>(head.begin(), head.end()).size() == head.size());

  CHECK(runAiwc({"show", "--wide", "b.json"}, here).status == 2);
  CHECK(runAiwc({"show", "--csv", "--wide", "--lines", "b.json"}, here).status == 2);
}

TEST_CASE("aiwc show --lines prints where the work is, beside the source where it is given") {
  const TemporaryFolder folder;
  KernelProfile profile = sample("k");
  profile.histograms.lines = {{1, 10, 0, 0, 0, 0}, {2, 30, 4, 8, 0, 0}};
  profile.provenance.sourceHash = "xxh3-128:99aa06d3014798d86001c324468d497f"; // of nothing
  write(folder / "p.json", toJson(profile));
  write(folder / "empty.cl", "");
  write(folder / "k.cl", "kernel void k() {\n  work();\n}\n");
  const Setting here{.folder = folder.path()};
  const auto tableOf = [&](const LineOptions &options = {}) {
    const std::array<const KernelProfile *, 1> launches = {&profile};
    return "p.json, k, invocation 0\n" + lineTable(lineListing(launches, options), options);
  };

  const Outcome plain = runAiwc({"show", "--lines", "p.json"}, here);
  CHECK(plain.status == 0);
  CHECK(plain.out == tableOf());
  const Outcome annotated = runAiwc({"show", "--lines", "--source", "k.cl", "p.json"}, here);
  CHECK(annotated.status == 0);
  CHECK_THAT(annotated.out, Contains("k.cl is not the source that the kernel was built from"));
  CHECK_THAT(annotated.out, Contains("75.0") && Contains("    work();\n"));
  const Outcome matching = runAiwc({"show", "--lines", "--source", "empty.cl", "p.json"}, here);
  CHECK_THAT(matching.out, !Contains("is not the source"));

  for (const char *size : {"3MiB", "3072KiB", "3145728", "3145728B"}) {
    const Outcome other =
        runAiwc({"show", "--lines", "--cache-size", size, "--lanes", "8", "p.json"}, here);
    CHECK(other.status == 0);
    CHECK(other.out == tableOf({.cacheBytes = 3 << 20, .lanes = 8}));
  }
  CHECK(runAiwc({"show", "--lines", "--sort", "line", "p.json"}, here).out ==
        tableOf({.sort = "line"}));
  for (const std::string size : {"0", "32kB", "KiB", "-1", "1.5MiB", "17179869184GiB", ""})
    CHECK_THAT(refusal({"show", "--lines", "--cache-size=" + size, "p.json"}, here),
               StartsWith("aiwc show: --cache-size: ") &&
                   Contains("expected a size above 0 such as 49152, 32KiB or 4MiB"));
  CHECK_THAT(refusal({"show", "--lines", "--lanes", "12", "p.json"}, here), Contains("--lanes"));
  CHECK_THAT(refusal({"show", "--lines", "--sort", "heat", "p.json"}, here), Contains("--sort"));
  CHECK(runAiwc({"show", "--cache-size", "32KiB", "p.json"}, here).status == 2);
  CHECK(runAiwc({"show", "--sort", "line", "p.json"}, here).status == 2);

  CHECK(refusal({"show", "--lines", "--source", "none.cl", "p.json"}, here) ==
        "none.cl: cannot be read: No such file or directory: expected the kernel's source");
  std::filesystem::create_directory(folder / "src");
  CHECK(refusal({"show", "--lines", "--source", "src", "p.json"}, here) ==
        "src: is not a regular file: expected the kernel's source");
  CHECK(runAiwc({"show", "--source", "k.cl", "p.json"}, here).status == 2);
}

TEST_CASE("aiwc show --lines adds the launches of a kernel up, as text, JSON and CSV") {
  const TemporaryFolder folder;
  KernelProfile first = sample("k");
  first.histograms.lines = {{1, 10, 0, 0, 0, 0}, {2, 30, 4, 8, 2, 1}};
  first.histograms.lines[1].coldAccesses = 5;
  first.histograms.lines[1].idleLanes32 = 6;
  first.reuse.lineBytes = 64;
  KernelProfile second = first;
  second.provenance.invocation = 1;
  second.simulatorErrors = 1;
  KernelProfile other = sample("other");
  other.histograms.lines = {{3, 7, 0, 0, 0, 0}};
  write(folder / "aiwc_k_0.json", toJson(first));
  write(folder / "aiwc_k_1.json", toJson(second));
  write(folder / "aiwc_other_0.json", toJson(other));
  const Setting here{.folder = folder.path()};

  const std::string text = runAiwc({"show", "--lines", "."}, here).out;
  CHECK_THAT(text, StartsWith("./aiwc_k_0.json to ./aiwc_k_1.json, k, 2 launches together\n"));
  CHECK_THAT(text, Contains("  The simulator reported errors in 1 of 2 launches"));
  CHECK_THAT(text, Contains("  128 work-items: 80 instructions\n"));
  CHECK_THAT(text, Contains("\n./aiwc_other_0.json, other, invocation 0\n"));
  CHECK_THAT(runAiwc({"show", "--lines", "aiwc_k_1.json"}, here).out, // of one launch
             StartsWith("aiwc_k_1.json, k, invocation 1\n") && Contains("  64 work-items: 40 "));

  const Outcome csv = runAiwc({"show", "--lines", "--csv", "."}, here);
  CHECK(csv.status == 0);
  CHECK(csv.out == "file,kernel,launches,work_items,line,instructions,fp_ops,bytes,"
                   "cache_accesses,cache_misses,idle_lanes,branches,mispredictions\n"
                   "./aiwc_k_0.json,k,2,128,2,60,8,16,10,10,12,4,2\n"
                   "./aiwc_k_0.json,k,2,128,1,20,0,0,0,0,0,0,0\n"
                   "./aiwc_other_0.json,other,1,64,3,7,0,0,0,0,0,0,0\n");
  const Outcome data = runAiwc({"show", "--lines", "--json", "--sort", "line", "."}, here);
  CHECK(data.status == 0);
  const auto json = nlohmann::json::parse(data.out);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["kernel"] == "k");
  CHECK(json[0]["files"] == nlohmann::json{"./aiwc_k_0.json", "./aiwc_k_1.json"});
  CHECK(json[0]["work_items"] == 128);
  CHECK(json[0]["cache_bytes"] == 32768);
  CHECK(json[0]["lanes"] == 32);
  CHECK(json[0]["line_bytes"] == 64);
  CHECK(json[0]["notes"].size() == 1);
  CHECK(json[0]["lines"][0]["line"] == 1);
  CHECK(json[0]["lines"][1]["idle_lanes"] == 12);
  CHECK(json[1]["lines"][0]["instructions"] == 7);
  CHECK(runAiwc({"show", "--lines", "--json", "--csv", "."}, here).status == 2);
  CHECK(runAiwc({"show", "--lines", "--csv", "--source", "k.cl", "."}, here).status == 2);
}

TEST_CASE("aiwc show --idioms prints idioms and accesses as tables") {
  const TemporaryFolder folder;
  KernelProfile profile = sample("k");
  profile.accesses = {AccessRow{.function = "k",
                                .line = 4,
                                .array = "x",
                                .accesses = 8,
                                .bytes = 32,
                                .footprint = 32,
                                .laneStride = 4,
                                .idiom = Idiom::kStream}};
  write(folder / "new.json", toJson(profile));
  write(folder / "old.json", toJson(sample("k", 1)));
  const Setting here{.folder = folder.path()};

  const Outcome text = runAiwc({"show", "--idioms", "new.json", "old.json"}, here);
  CHECK(text.status == 0);
  CHECK(text.out == "new.json, k, invocation 0\n" + idiomTable(profile) +
                        "\nold.json, k, invocation 1\n" + idiomTable(sample("k", 1)));
  CHECK(runAiwc({"show", "--idioms", "--json", "new.json"}, here).status == 2);
  CHECK(runAiwc({"show", "--idioms", "--csv", "new.json"}, here).status == 2);
  CHECK(runAiwc({"show", "--idioms", "--lines", "new.json"}, here).status == 2);
}

TEST_CASE("a profile is read from a pipe and from standard input") {
  const TemporaryFolder folder;
  const std::string text = toJson(sample("saxpy"));
  write(folder / "p.json", text);
  const Setting here{.folder = folder.path(), .in = (folder / "p.json").string()};
  const Outcome expected = runAiwc({"show", "--all", "p.json"}, here);
  REQUIRE(expected.status == 0);
  for (const char *name : {"-", "/dev/stdin"}) {
    INFO(name);
    CHECK(runAiwc({"show", "--all", name}, here).out == expected.out);
    CHECK(runAiwc({"diff", "p.json", name}, here).status == 0);
  }
  const std::string pipe = (folder / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto throughPipe = [&](const std::vector<std::string> &arguments, const std::string &sent) {
    std::thread writer([&] {
      int file = -1;
      // A reader may never come, in a command that fails before.
      for (int tries = 0; file < 0 && tries < 1000; ++tries, usleep(10000))
        file = open(pipe.c_str(), O_WRONLY | O_NONBLOCK);
      CHECK(file >= 0);
      CHECK(::write(file, sent.data(), sent.size()) == static_cast<ssize_t>(sent.size()));
      close(file);
    });
    const Outcome outcome = runAiwc(arguments, here);
    writer.join();
    return outcome;
  };
  CHECK(throughPipe({"show", "--all", "pipe"}, text).out == expected.out);
  // Read once, although the launch is none of the profile's: it is scaled.
  const Outcome scaled =
      throughPipe({"predict", "pipe", "--kernel", "saxpy", "--global", "32"}, text);
  CHECK_THAT(scaled.err, Contains("of kernel saxpy") || Contains("kernel saxpy was not"));
  CHECK(throughPipe({"show", "pipe"}, "{").err.starts_with("pipe:1:2: "));
}

TEST_CASE("a name with a newline is one line of a message") {
  const TemporaryFolder folder;
  CHECK(refusal({"show", "a\nb"}, {.folder = folder.path()}) ==
        "a\\x0ab: there is no such file or folder: expected the folder of a run, or a profile");
}

TEST_CASE("what is no file, or far too large for a profile, is one line") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "folder");
  write(folder / "large", "");
  std::filesystem::resize_file(folder / "large", (uint64_t{64} << 20U) + 1);
  const auto with = [&](const std::string &in) {
    return Setting{.folder = folder.path(), .in = in};
  };
  CHECK(refusal({"show", "/dev/zero"}, with("")) ==
        "/dev/zero: is neither a regular file nor a pipe: expected a JSON profile");
  CHECK(
      refusal({"show", "-"}, with("/dev/zero")) ==
      "standard input: has more than 67108864 bytes: expected a JSON profile of at most 67108864");
  CHECK(refusal({"show", "-"}, with("/dev/null")).starts_with("standard input:1:1: "));
  CHECK(refusal({"show", "-"}, with((folder / "folder").string())) ==
        "standard input: cannot be read: Is a directory: expected a JSON profile");
  CHECK(refusal({"show", "large"}, with("")) ==
        "large: no profile is embedded in it: expected a JSON profile, the folder of a run, or an "
        "annotated kernel");
  CHECK(refusal({"diff", "folder", "large"}, with(""))
            .starts_with("folder: has no profiles: expected the folder of a run"));
}

TEST_CASE("one bad profile among good ones: its position, and nothing is printed") {
  const TemporaryFolder folder;
  write(folder / "good.json", toJson(sample("a")));
  write(folder / "bad.json", "{\n  \"schema_version\": 1,\n");
  write(folder / "newer.json", "{\"schema_version\": 99}");
  const Setting here{.folder = folder.path()};
  CHECK(refusal({"show", "good.json", "bad.json"}, here) ==
        "bad.json:3:1: ends too early, as if it was cut off: expected the whole file");
  write(folder / "run.json", "{\n");
  CHECK(refusal({"show", "run.json"}, here) ==
        "run.json: is the list of a run's launches: expected its folder");
  CHECK_THAT(refusal({"show", "--json", "newer.json", "good.json"}, here),
             StartsWith("newer.json:1:20: schema_version 99 is newer than ") &&
                 Contains("read it with a newer one"));
  CHECK(refusal({"show", "elsewhere.json"}, here) ==
        "elsewhere.json: there is no such file or folder: expected the folder of a run, or a "
        "profile");
  CHECK(refusal({"show", "god.json"}, here) ==
        "god.json: there is no such file or folder: did you mean good.json?");
  CHECK(refusal({"show", folder / "god.json"}, here) ==
        (folder / "god.json").string() + ": there is no such file or folder: did you mean " +
            (folder / "good.json").string() + "?");
  CHECK(refusal({"predict", "good.json", "--kernel", "b"}, here) ==
        "no profile of kernel b in good.json: expected a");
  CHECK(refusal({"predict", "good.json", "--kernel", "a", "--local", "7"}, here) ==
        "no profile of kernel a of local size 7 in good.json: expected one");
  std::filesystem::create_directory(folder / "empty");
  CHECK(refusal({"show", "empty"}, here) ==
        "empty: has no profiles: expected the folder of a run, or files aiwc_*.json in this folder "
        "or in folders in it");
}
