// The folder in which the compiled engine keeps machine code: what is found in it, what is not
// trusted, what is deleted. tests/kernels/test_cached.cpp has what the code then does.

#include "plugin/characterise.h"
#include "session/code_cache.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>

using namespace aiwc::test;
using aiwc::CodeCache;

namespace {

const std::string kKey = "0123456789abcdef0123456789abcdef";

std::string keyOf(int number) {
  const std::string digits = std::to_string(number);
  return std::string(32 - digits.size(), '0') + digits;
}

fs::path fileOf(const fs::path &folder, const std::string &key) {
  return folder / (key + ".code");
}

/// Whether the cache returns this content for the key.
bool has(const fs::path &folder, const std::string &key, const std::string &content) {
  return CodeCache(folder).find(key) == content;
}

/// Runs `work` in a child, so that what it does to its process does no harm. Returns how it ended.
template <typename Work> int inChild(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(work() ? 0 : 1);
    } catch (...) { // it must not go on with the other test cases
      _exit(2);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

void setEnvironment(const char *name, const char *value) {
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

const std::string kCompiled = "aiwc: machine code: 1 compiled, 0 from the cache\n";
const std::string kCached = "aiwc: machine code: 0 compiled, 1 from the cache\n";

/// Characterises the application into `folder`, which has the user's home as well; `caches`: the
/// folder in it that the user chose for caches. Returns the lines that say how machine code was
/// come by, one per process that has any, and in `out` what the application printed.
std::string linesOf(const Folder &folder, const Words &application, const Words &options = {},
                    std::string *out = nullptr, const char *caches = nullptr) {
  Words all = {"--aiwc-verbose", "--aiwc-quiet", "--aiwc-append"};
  all.insert(all.end(), options.begin(), options.end());
  Command command = launch(application, all, folder);
  if (caches)
    command.environment["XDG_CACHE_HOME"] = folder / caches;
  const Outcome outcome = run(command);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  if (out)
    *out = outcome.out;
  std::string lines;
  std::istringstream text(outcome.err);
  for (std::string line; std::getline(text, line);)
    if (line.starts_with("aiwc: machine code: "))
      lines += line + "\n";
  return lines;
}

} // namespace

TEST_CASE("What was stored is found by its key") {
  const Folder folder;
  const fs::path cache = folder / "cache";
  CHECK(!CodeCache(cache).find(kKey));
  CodeCache(cache).store(kKey, "code");
  CHECK(has(cache, kKey, "code"));
  CHECK(!CodeCache(cache).find(keyOf(1)));
  CodeCache(cache).store(kKey, "other");
  CHECK(has(cache, kKey, "other"));
  CodeCache(cache).store(keyOf(1), "");
  CHECK(has(cache, keyOf(1), ""));
  struct stat status {};
  REQUIRE(stat(cache.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  REQUIRE(stat(fileOf(cache, kKey).c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
}

TEST_CASE("A damaged file counts as missing") {
  const Folder folder;
  const fs::path file = fileOf(folder.path(), kKey);
  CodeCache(folder.path()).store(kKey, "machine code");
  const std::string whole = contents(file);
  for (size_t i = 0; i < whole.size(); ++i) {
    INFO("byte " << i);
    std::string damaged = whole;
    damaged[i] ^= 0x20;
    write(file, damaged);
    CHECK(!CodeCache(folder.path()).find(kKey));
    write(file, whole.substr(0, i));
    CHECK(!CodeCache(folder.path()).find(kKey));
  }
  write(file, whole + "x");
  CHECK(!CodeCache(folder.path()).find(kKey));
  write(fileOf(folder.path(), keyOf(1)), whole); // under another name
  CHECK(!CodeCache(folder.path()).find(keyOf(1)));
  CodeCache(folder.path()).store(kKey, "machine code");
  CHECK(contents(file) == whole);
  CHECK(has(folder.path(), kKey, "machine code"));
}

TEST_CASE("What another user may have written is not read") {
  const Folder folder;
  const fs::path cache = folder / "cache", file = fileOf(cache, kKey);
  const auto found = [&] { return has(cache, kKey, "code"); };
  CodeCache(cache).store(kKey, "code");
  REQUIRE(found());
  for (const mode_t mode : {0620, 0602, 0666}) {
    chmod(file.c_str(), mode);
    CHECK(!found());
  }
  chmod(file.c_str(), 0644);
  CHECK(found());
  for (const mode_t mode : {0720, 0702, 0777, 01777}) {
    chmod(cache.c_str(), mode);
    CHECK(!found());
    CodeCache(cache).store(keyOf(1), "code"); // nor is anything written there
    CHECK(!fs::exists(fileOf(cache, keyOf(1))));
  }
  chmod(cache.c_str(), 0755);
  CHECK(found());
}

TEST_CASE("Symbolic links, pipes and folders are not read") {
  const Folder folder;
  const fs::path cache = folder / "cache", file = fileOf(cache, kKey);
  CodeCache(cache).store(kKey, "code");
  fs::create_directory_symlink(cache, folder / "link");
  CHECK(!CodeCache(folder / "link").find(kKey));
  CodeCache(folder / "link").store(keyOf(1), "code");
  CHECK(!fs::exists(fileOf(cache, keyOf(1))));

  fs::rename(file, cache / "elsewhere");
  fs::create_symlink(cache / "elsewhere", file);
  CHECK(!CodeCache(cache).find(kKey));
  CodeCache(cache).store(kKey, "other"); // replaces the link, not the file behind it
  CHECK(has(cache, kKey, "other"));
  CHECK(contents(cache / "elsewhere").ends_with("code"));

  fs::remove(file);
  REQUIRE(mkfifo(file.c_str(), 0600) == 0);
  CHECK(!CodeCache(cache).find(kKey)); // and waits for no writer
  fs::remove(file);
  fs::create_directory(file);
  CHECK(!CodeCache(cache).find(kKey));
  CodeCache(cache).store(kKey, "code");
  CHECK(!CodeCache(cache).find(kKey));
}

TEST_CASE("Files and folders of other users are not read") {
  if (geteuid() != 0)
    return skip("only root can give files away");
  const Folder folder;
  const fs::path cache = folder / "cache", file = fileOf(cache, kKey);
  constexpr uid_t kOther = 65534;
  CodeCache(cache).store(kKey, "code");
  REQUIRE(chown(file.c_str(), kOther, 0) == 0);
  CHECK(!CodeCache(cache).find(kKey));
  CodeCache(cache).store(kKey, "code");
  CHECK(has(cache, kKey, "code"));
  REQUIRE(chown(cache.c_str(), kOther, 0) == 0);
  CHECK(!CodeCache(cache).find(kKey));
  CodeCache(cache).store(keyOf(1), "code");
  CHECK(!fs::exists(fileOf(cache, keyOf(1))));
}

TEST_CASE("A process with the rights of another user uses no cache") {
  if (geteuid() != 0)
    return skip("only root can have the rights of another user");
  const Folder folder;
  CodeCache(folder.path()).store(kKey, "code");
  const int status = inChild([&] { // started by another user, with the rights of this one
    if (setresuid(65534, 0, 0) != 0)
      return false;
    CodeCache(folder.path()).store(keyOf(1), "code");
    return !CodeCache(folder.path()).find(kKey);
  });
  CHECK(status == 0);
  CHECK(has(folder.path(), kKey, "code"));
  CHECK(!fs::exists(fileOf(folder.path(), keyOf(1))));
}

TEST_CASE("What was used longest ago is deleted, and nothing else") {
  const Folder folder;
  const fs::path cache = folder / "cache";
  constexpr uint64_t kMost = 160000; // 16 contents of a sixteenth
  const std::string content(9000, 'c');
  write(folder / "outside", "x");
  CodeCache(cache, kMost).store(keyOf(0), content);
  write(cache / "of the user.code", std::string(kMost, 'x'));
  write(cache / ".aiwc_1_0", "what a process that was killed has left");
  write(cache / ".aiwc_2_0", "what a process is writing");
  const auto now = fs::file_time_type::clock::now();
  const auto age = [&](const fs::path &file, int hours) {
    fs::last_write_time(file, now - std::chrono::hours(hours));
  };
  age(cache / "of the user.code", 1000);
  age(cache / ".aiwc_1_0", 2);
  for (int i = 0; i < 16; ++i) {
    // Each store is another process's first, but looks only at what is there before.
    CodeCache(cache, UINT64_MAX).store(keyOf(i), content);
    age(fileOf(cache, keyOf(i)), 100 - i);
  }
  REQUIRE(CodeCache(cache, kMost).find(keyOf(0)) == content); // used now
  CodeCache(cache, kMost).store(keyOf(16), content);

  uint64_t sum = 0;
  for (int i = 0; i <= 16; ++i)
    if (fs::exists(fileOf(cache, keyOf(i))))
      sum += fs::file_size(fileOf(cache, keyOf(i)));
  CHECK(sum <= kMost - kMost / 16);
  CHECK(sum > kMost - kMost / 16 - 2 * content.size()); // no more than has to be
  CHECK(fs::exists(fileOf(cache, keyOf(0))));
  CHECK(!fs::exists(fileOf(cache, keyOf(1))));
  CHECK(fs::exists(fileOf(cache, keyOf(15))));
  CHECK(fs::exists(fileOf(cache, keyOf(16))));
  CHECK(fs::exists(cache / "of the user.code"));
  CHECK(!fs::exists(cache / ".aiwc_1_0"));
  CHECK(fs::exists(cache / ".aiwc_2_0"));
}

TEST_CASE("A process that stores much keeps to the limit") {
  const Folder folder;
  constexpr uint64_t kMost = 160000;
  CodeCache cache(folder.path(), kMost);
  for (int i = 0; i < 100; ++i) {
    cache.store(keyOf(i), std::string(static_cast<size_t>(i) * 90, 'c'));
    uint64_t sum = 0;
    for (const auto &entry : fs::directory_iterator(folder.path()))
      sum += entry.file_size();
    CHECK(sum <= kMost);
  }
  CHECK(cache.find(keyOf(99)).has_value());
  cache.store(kKey, std::string(kMost / 16 + 1, 'c'));
  CHECK(!fs::exists(fileOf(folder.path(), kKey)));
}

TEST_CASE("Processes that use the same files at once see whole ones") {
  const Folder folder;
  constexpr int kKeys = 3;
  std::vector<pid_t> children;
  for (char own = 'a'; own < 'e'; ++own) {
    children.push_back(fork());
    if (children.back() != 0)
      continue;
    bool whole = true; // `store` and `find` do not throw
    CodeCache cache(folder.path(), 1 << 20);
    for (int i = 0; i < 300; ++i) {
      cache.store(keyOf(i % kKeys), std::string(20000, own));
      const auto found = cache.find(keyOf((i + 1) % kKeys));
      whole &= !found || (found->size() == 20000 &&
                          found->find_first_not_of((*found)[0]) == std::string::npos);
    }
    _exit(whole ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  for (int i = 0; i < kKeys; ++i)
    CHECK(CodeCache(folder.path()).find(keyOf(i)).has_value());
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == kKeys);
}

TEST_CASE("What the system refuses does the process no harm") {
  const Folder folder;
  CodeCache(folder.path()).store(kKey, "code");
  const auto refused = [&](int resource, rlim_t most) {
    return inChild([&] {
      const rlimit limit = {most, most};
      setrlimit(resource, &limit);
      CodeCache cache(folder.path());
      cache.store(keyOf(1), std::string(100000, 'c'));
      cache.find(kKey);
      return !cache.find(keyOf(1));
    });
  };
  CHECK(refused(RLIMIT_FSIZE, 1000) == 0); // no SIGXFSZ
  CHECK(!fs::exists(fileOf(folder.path(), keyOf(1))));
  CHECK(refused(RLIMIT_NOFILE, 0) == 0);
  CHECK(has(folder.path(), kKey, "code"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("The user's folder is that of the XDG Base Directory Specification") {
  struct Case {
    const char *caches, *home, *expected;
  };
  for (const Case &of : {Case{"/c", "/h", "/c/aiwc"}, Case{nullptr, "/h", "/h/.cache/aiwc"},
                         Case{"", "/h", "/h/.cache/aiwc"}, Case{"c", "/h", "/h/.cache/aiwc"},
                         Case{nullptr, "h", ""}, Case{nullptr, nullptr, ""}})
    CHECK(inChild([&] {
            setEnvironment("XDG_CACHE_HOME", of.caches);
            setEnvironment("HOME", of.home);
            return CodeCache::usersFolder() == of.expected;
          }) == 0);
}

TEST_CASE("Code is kept in the user's folder, in that of the option, or not at all") {
  const KernelFile kernel("kernel void k(global int *x) { x[get_global_id(0)] += 3; }");
  const Words application = kernel.enqueue({"global=8", "buffer=64"});
  const Folder folder;
  const auto lines = [&](const Words &options, const char *caches = nullptr) {
    return linesOf(folder, application, options, nullptr, caches);
  };
  CHECK(lines({"--aiwc-cache=none"}) == kCompiled);
  CHECK(fs::is_empty(folder / "home"));
  CHECK(lines({}) == kCompiled);
  CHECK(lines({}) == kCached);
  CHECK(fs::exists(folder / "home" / ".cache" / "aiwc"));
  CHECK(lines({"--aiwc-cache=none"}) == kCompiled);
  CHECK(lines({}, "caches") == kCompiled);
  CHECK(lines({}, "caches") == kCached);
  CHECK(fs::exists(folder / "caches" / "aiwc"));
  const std::string own = "--aiwc-cache=" + (folder / "own").string();
  CHECK(lines({own}) == kCompiled);
  CHECK(lines({own}) == kCached);
  CHECK(lines({"--aiwc-engine=interpreter"}) == "");
}

TEST_CASE("A comment, another path and another kernel beside it leave a kernel its code") {
  const std::string source = "kernel void k(global int *x) { x[get_global_id(0)] += 5; }";
  const KernelFile first(source);
  const KernelFile second("// says nothing\n\nkernel void other(global int *x) { *x = 1; }\n" +
                          source);
  const Folder folder;
  CHECK(linesOf(folder, first.enqueue({"global=8", "buffer=64"})) == kCompiled);
  CHECK(linesOf(folder, second.enqueue({"global=8", "buffer=64"})) == kCached);
}

TEST_CASE("Code of kernels with images and samplers serves another process") {
  const KernelFile kernel(R"(
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                           CLK_FILTER_LINEAR;
    kernel void k(read_only image2d_t in, write_only image2d_t out, global int *size) {
      const int2 at = (int2)(get_global_id(0), get_global_id(1));
      write_imagef(out, at, read_imagef(in, s, convert_float2(at)));
      size[at.y * 8 + at.x] = get_image_width(in) + (int)(100 * pow(sin((float)at.x), 2.0f));
    })");
  const Words application = kernel.enqueue({"global=8,4", "image=8x4", "image=8x4", "buffer=128"});
  const Folder folder;
  std::string out[2];
  CHECK(linesOf(folder, application, {}, &out[0]) == kCompiled);
  const std::string first = contents(folder / "out" / "aiwc_k_0.json");
  CHECK(linesOf(folder, application, {}, &out[1]) == kCached);
  CHECK(out[0] == out[1]);
  CHECK(first.find("\"engine\": \"compiled\"") != std::string::npos);
  CHECK(contents(folder / "out" / "aiwc_k_1.json") == first);
}

TEST_CASE("A process and its child use one cache") {
  const Folder folder;
  const Words application = {aiwc::test::application("endings"), "fork-before"};
  const std::string first = linesOf(folder, application); // both may have compiled
  CHECK(countOf(first, "aiwc: machine code: ") == 2);
  CHECK(linesOf(folder, application) == kCached + kCached);
}

TEST_CASE("Code from the cache where no memory becomes executable") {
  if (*AIWC_TEST_PRELOAD != '\0') {
    skip("the application's allocator replaces the sanitizer's");
    return;
  }
  const Folder folder;
  const Words faults = {aiwc::test::application("faults"), "none"};
  CHECK(linesOf(folder, faults).starts_with("aiwc: machine code: "));
  const Words refused = {aiwc::test::application("faults"), "no-code"};
  std::string out;
  CHECK(linesOf(folder, refused, {"--aiwc-threads=3"}, &out) == "");
  const std::string profile = contents(folder / "out" / "aiwc_work_3.json"); // the first of it
  CHECK(profile.find("\"engine\": \"interpreter\"") != std::string::npos);
  CHECK(profile.find("Permission denied") != std::string::npos);
}
