#include "kernel/command.h"

#include "profile/json.h"
#include "run/folder.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace aiwc::test {

void Workplace::write(const std::string &name, const std::string &text) const {
  fs::create_directories((folder_ / name).parent_path());
  aiwc::test::write(folder_ / name, text);
}

Outcome Workplace::execute(const std::string &program, const Words &words) const {
  Command command{{program}, {{"PATH", "/usr/bin:/bin"}, {"HOME", folder_.path()}}, folder_.path()};
  command.words.insert(command.words.end(), words.begin(), words.end());
  return aiwc::test::run(command);
}

std::string Workplace::kernel(const Words &words) {
  return kernelWithStatus(words, 0);
}

std::string Workplace::wrongKernel(const Words &words) {
  return kernelWithStatus(words, 1);
}

std::string Workplace::kernelWithStatus(const Words &words, int status) {
  ++runs_;
  Words all = {"kernel", "--output", output()};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = aiwc(all);
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  CHECK(outcome.out.empty());
  return outcome.err;
}

std::string Workplace::refusal(const Words &words, int status) const {
  Words all = {"kernel", "--output", "refused"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome outcome = aiwc(all);
  INFO(outcome.err);
  CHECK(outcome.status == status);
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK(!fs::exists(folder_ / "refused"));
  return outcome.err;
}

Outcome Workplace::aiwcWithin(uint64_t bytes, const Words &words) const {
  Words all = {"-c", "ulimit -v " + std::to_string(bytes >> 10) + "; exec \"$@\"", "sh",
               AIWC_TEST_COMMAND};
  all.insert(all.end(), words.begin(), words.end());
  return execute("/bin/sh", all);
}

run::Run Workplace::run() const {
  return run::readRun(folder_ / output() / "run.json");
}

std::vector<profile::KernelProfile> Workplace::profiles() const {
  std::vector<profile::KernelProfile> profiles;
  for (const fs::path &file : run::contentOf(folder_ / output()).profiles)
    profiles.push_back(profile::readProfile(file));
  return profiles;
}

profile::KernelProfile Workplace::profile() const {
  const auto all = profiles();
  REQUIRE(all.size() == 1);
  return all.front();
}

} // namespace aiwc::test
